#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/result.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/commit/internal/box_cover.h"
#include "icechunk/commit/internal/reference_list.h"
#include "icechunk/format/manifest_builder.h"

namespace icefield::icechunk {

/// One array's part of a manifest. The pointed-to must outlive the call that writes it.
struct ManifestEntry {
  NodeId node;
  const ReferenceSources* sources = nullptr;
  const Piece* piece = nullptr;
};

/// A shared manifest is read as a whole by whoever wants one of its arrays: at most this size.
inline constexpr std::uint64_t kSharedManifestBytes = std::uint64_t{256} << 10U;

/// About how many bytes the entry takes in a file.
core::Result<std::uint64_t> estimated_bytes(const ManifestEntry& entry);

/// Entries larger than this get a manifest of their own.
inline constexpr std::uint64_t kOwnManifestBytes = kSharedManifestBytes / 2;

/// Shares entries out among manifests: none holds two entries of one array, nor more than about
/// kSharedManifestBytes unless it holds a single one. Positions of entries, per manifest.
std::vector<std::vector<std::size_t>> pack(std::span<const ManifestEntry> entries,
                                           std::span<const std::uint64_t> sizes);

/// Encodes entries of different arrays as one manifest and writes it.
core::Result<ManifestFile> write_manifest(AssetStore& assets, std::vector<ManifestEntry> entries,
                                          ManifestEffort effort);

}  // namespace icefield::icechunk
