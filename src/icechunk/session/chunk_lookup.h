#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "core/result.h"
#include "icechunk/format/chunk_reference.h"
#include "icechunk/format/manifest.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {

/// Looks up chunks of one array in a session's view: its own changes first, then the manifest
/// whose box holds the position. Keeps the manifest of the last look-up at hand, so neighbouring
/// positions cost no more than a bisection. For one thread; the state must not change meanwhile.
class ChunkLookup {
 public:
  ChunkLookup(const SessionState& state, const NodeState& array);

  /// Errors: kInvalidArgument for another rank than the array's, those of reading a manifest.
  core::Result<bool> contains(ChunkIndexView index);

  /// The view is valid until the next call. Errors: as contains().
  core::Result<std::optional<ReferenceView>> find(ChunkIndexView index);

 private:
  /// Position of the reference in array_, or nothing.
  core::Result<std::optional<std::size_t>> locate(ChunkIndexView index);
  core::Status open_manifest(std::size_t at);
  core::Status check_rank(ChunkIndexView index) const;

  const SessionState& state_;
  NodeState node_;
  const ArrayChanges* changes_;
  std::shared_ptr<const BoxIndex> boxes_;  // null when the base has no chunks of the array
  std::optional<std::size_t> opened_;      // manifest in manifest_, by position in the node's list
  std::shared_ptr<const Manifest> manifest_;
  std::optional<Manifest::Array> array_;
  bool dense_ = false;  // the manifest holds every position of its box
  std::string scratch_;
};

}  // namespace icefield::icechunk
