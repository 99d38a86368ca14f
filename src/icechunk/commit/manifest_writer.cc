#include "icechunk/commit/internal/manifest_writer.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "icechunk/assets/keys.h"
#include "icechunk/format/manifest_builder.h"

namespace icefield::icechunk {
namespace {

constexpr std::uint64_t kBytesPerReference = 20;  // as measured with locations like those of HRRR

core::Status add_entry(ManifestBuilder& builder, const ManifestEntry& entry) {
  std::string scratch;
  const ReferenceSources& sources = *entry.sources;
  builder.expect(entry.piece->references.size());
  for (const auto& run : entry.piece->references.runs()) {
    const ReferenceSource& source = sources[run.source];
    for (std::uint32_t at = run.begin; at < run.end; ++at) {
      source.prefetch(at + Manifest::Array::kAhead);
      TRY_ASSIGN(const auto view, source.view(at, scratch));
      TRY(builder.add(entry.node, source.index(at), view));
    }
  }
  return {};
}

}  // namespace

core::Result<std::uint64_t> estimated_bytes(const ManifestEntry& entry) {
  const std::uint64_t references = entry.piece->references.size();
  std::uint64_t bytes = references * kBytesPerReference;
  if (bytes > kOwnManifestBytes) return bytes;
  std::string scratch;
  for (const auto& run : entry.piece->references.runs()) {
    const ReferenceSource& source = (*entry.sources)[run.source];
    for (std::uint32_t at = run.begin; at < run.end; ++at) {
      TRY_ASSIGN(const auto view, source.view(at, scratch));
      if (const auto* small = std::get_if<InlineView>(&view)) bytes += small->bytes.size();
    }
  }
  return bytes;
}

std::vector<std::vector<std::size_t>> pack(std::span<const ManifestEntry> entries,
                                           std::span<const std::uint64_t> sizes) {
  struct Open {
    std::vector<std::size_t> entries;
    std::uint64_t bytes = 0;
  };
  // the n-th entry of every array goes into manifests of the n-th layer
  std::vector<std::vector<std::size_t>> packed;
  std::vector<Open> layers;
  std::unordered_map<NodeId, std::size_t> seen;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (sizes[i] > kOwnManifestBytes) {
      packed.push_back({i});
      continue;
    }
    const std::size_t layer = seen[entries[i].node]++;
    if (layer == layers.size()) layers.emplace_back();
    Open& open = layers[layer];
    if (open.bytes + sizes[i] > kSharedManifestBytes) {
      packed.push_back(std::exchange(open.entries, {}));
      open.bytes = 0;
    }
    open.entries.push_back(i);
    open.bytes += sizes[i];
  }
  for (Open& open : layers) {
    if (!open.entries.empty()) packed.push_back(std::move(open.entries));
  }
  return packed;
}

core::Result<ManifestFile> write_manifest(AssetStore& assets, std::vector<ManifestEntry> entries,
                                          ManifestEffort effort) {
  std::ranges::sort(entries, {}, &ManifestEntry::node);
  ManifestBuilder builder(ManifestId::random(), effort);
  for (const ManifestEntry& entry : entries) TRY(add_entry(builder, entry));
  TRY_ASSIGN(const auto built, std::move(builder).finish());
  TRY_ASSIGN([[maybe_unused]] const auto written,
             assets.put_new(manifest_key(built.file.id), built.bytes));
  return built.file;
}

}  // namespace icefield::icechunk
