#include "icechunk/format/file_inspection.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <flatbuffers/flatbuffers.h>
#include <zstd.h>

#include "core/text.h"
#include "icechunk/format/ids.h"
#include "icechunk/format/internal/location_dictionary.h"
#include "icechunk/format/internal/wire.h"
#include "manifest_generated.h"
#include "repo_generated.h"
#include "snapshot_generated.h"
#include "transaction_log_generated.h"

namespace icefield::icechunk {
namespace {

namespace fb = ::icechunk::fb;
using internal::corrupt;
using internal::required;

constexpr std::size_t kMostDeviations = 20;
constexpr unsigned kMaxDepth = 64;
constexpr std::uint64_t kLeastTables = 4'000'000;
constexpr std::size_t kLongestCompressedLocation = 1024;  // what official readers have room for

class Inspector {
 public:
  explicit Inspector(Payload payload) : payload_(std::move(payload)) {
    found_.version = payload_.version;
  }

  core::Result<FileInspection> inspect(std::span<const std::byte> file, FileType type) {
    inspect_envelope(file);
    switch (type) {
      case FileType::kSnapshot:
        TRY(inspect_root<fb::Snapshot>(&Inspector::inspect_snapshot));
        break;
      case FileType::kManifest:
        TRY(inspect_root<fb::Manifest>(&Inspector::inspect_manifest));
        break;
      case FileType::kRepo:
        TRY(inspect_root<fb::Repo>(&Inspector::inspect_repo));
        break;
      case FileType::kTransactionLog:
        TRY(inspect_root<fb::TransactionLog>(&Inspector::inspect_log));
        break;
    }
    return std::move(found_);
  }

 private:
  void damage(std::string what) { tell(true, std::move(what)); }
  void unusual(std::string what) { tell(false, std::move(what)); }
  void tell(bool is_damage, std::string what) {
    if (full()) return;
    found_.deviations.push_back({.is_damage = is_damage, .what = std::move(what)});
  }
  bool full() const { return found_.deviations.size() >= kMostDeviations; }
  bool is_v1() const { return payload_.version == SpecVersion::kV1; }

  void inspect_envelope(std::span<const std::byte> file) {
    const auto frame = file.subspan(kHeaderSize);
    if (ZSTD_getFrameContentSize(frame.data(), frame.size()) == ZSTD_CONTENTSIZE_UNKNOWN) {
      unusual("the zstd frame does not declare its content size");
    }
    const auto control = [](char letter) { return static_cast<unsigned char>(letter) < ' '; };
    if (payload_.writer.empty() || std::ranges::any_of(payload_.writer, control)) {
      unusual("the header names no writing software");
    }
    const auto bytes = core::as_text(payload_.bytes);
    if (bytes.substr(0, 8).substr(std::min<std::size_t>(4, bytes.size())) !=
        internal::kFileIdentifier) {
      unusual("the buffer has another file identifier");
    }
  }

  template <typename Root>
  core::Status inspect_root(void (Inspector::*look)(const Root&)) {
    const auto* data = internal::wire_bytes(payload_.bytes);
    // As many visits as the decoders allow, at most.
    const auto tables = std::max<std::uint64_t>(kLeastTables, payload_.bytes.size() / 8 + 16);
    flatbuffers::Verifier verifier(data, payload_.bytes.size(), kMaxDepth,
                                   static_cast<flatbuffers::uoffset_t>(tables));
    if (!verifier.VerifyBuffer<Root>(nullptr)) return corrupt("the buffer breaks its schema");
    const Root* const root = flatbuffers::GetRoot<Root>(data);
    inspect_size(root);
    (this->*look)(*root);
    return {};
  }

  /// A table tells its size, which no reader needs and the verifier does not look at.
  void inspect_size(const void* table) {
    if (table == nullptr) return;
    const auto* const at = static_cast<const std::uint8_t*>(table);
    const auto* const end = internal::wire_bytes(payload_.bytes) + payload_.bytes.size();
    const auto* const vtable = at - flatbuffers::ReadScalar<flatbuffers::soffset_t>(at);
    const auto* const size = vtable + sizeof(flatbuffers::voffset_t);
    if (end - size < static_cast<std::ptrdiff_t>(sizeof(flatbuffers::voffset_t)) ||
        flatbuffers::ReadScalar<flatbuffers::voffset_t>(size) > end - at) {
      damage("a table reaches past the end of the buffer");
    }
  }

  template <typename Table>
  void inspect_sizes(const flatbuffers::Vector<flatbuffers::Offset<Table>>* tables) {
    if (tables == nullptr) return;
    for (const Table* table : *tables) {
      if (full()) return;
      inspect_size(table);
    }
  }

  void inspect_log(const fb::TransactionLog& wire) {
    inspect_sizes(wire.updated_chunks());
    inspect_sizes(wire.moved_nodes());
    for (const fb::ArrayUpdatedChunks* array : required(wire.updated_chunks())) {
      inspect_sizes(array->chunks());
    }
  }

  void inspect_snapshot(const fb::Snapshot& wire) {
    if (!is_v1() && wire.parent_id() != nullptr) {
      unusual("parent_id is set, which belongs to spec version 1");
    }
    inspect_sizes(wire.nodes());
    inspect_sizes(wire.metadata());
    inspect_sizes(wire.manifest_files_v2());
    const auto& old_files = required(wire.manifest_files());
    const auto* files = wire.manifest_files_v2();
    if (!is_v1() && old_files.size() > 0) damage("manifest_files must be empty in version 2");
    if (!is_v1() && files == nullptr) damage("manifest_files_v2 is absent");
    std::vector<ManifestId> ids;
    if (files != nullptr) {
      for (const fb::ManifestFileInfoV2* file : *files) {
        if (file->id() != nullptr) ids.push_back(internal::to_id<ManifestId>(*file->id()));
      }
    } else if (internal::is_aligned(old_files)) {
      for (const fb::ManifestFileInfo* file : old_files) {
        ids.push_back(internal::to_id<ManifestId>(file->id()));
      }
    }
    if (!std::ranges::is_sorted(ids)) damage("the list of manifest files is out of order");
    for (const fb::NodeSnapshot* node : required(wire.nodes())) {
      if (full()) return;
      const auto type = node->node_data_type();
      if (type != fb::NodeData_NONE && type <= fb::NodeData_MAX) inspect_size(node->node_data());
      if (const auto* array = node->node_data_as_Array()) {
        inspect_array(required(node->path()).string_view(), *array);
      }
    }
  }

  void inspect_array(std::string_view path, const fb::ArrayNodeData& wire) {
    inspect_sizes(wire.manifests());
    inspect_sizes(wire.dimension_names());
    inspect_sizes(wire.shape_v2());
    const auto* shape = wire.shape_v2();
    if (shape == nullptr && !is_v1()) damage(core::text(path, ": shape_v2 is absent"));
    const auto old_rank = required(wire.shape()).size();
    if (shape != nullptr && old_rank > 0) {
      damage(core::text(path, ": shape must be empty beside shape_v2"));
    }
    const auto rank = shape != nullptr ? shape->size() : old_rank;
    for (const fb::ManifestRef* ref : required(wire.manifests())) {
      if (required(ref->extents()).size() != rank) {
        damage(core::text(path, ": a manifest's box has another rank than the array"));
        return;
      }
    }
  }

  void inspect_manifest(const fb::Manifest& wire) {
    const auto* dictionary = wire.location_dictionary();
    if (wire.compression_algorithm() > 1) {
      damage(core::text("compression algorithm ", unsigned{wire.compression_algorithm()}));
    }
    if (dictionary != nullptr && wire.compression_algorithm() != 1) {
      damage("a location dictionary, but no compression algorithm");
    }
    if (dictionary != nullptr && dictionary->size() > 0) {
      auto loaded = internal::LocationDictionary::load(internal::to_span(*dictionary));
      if (loaded) dictionary_.emplace(*std::move(loaded));
    }
    inspect_sizes(wire.arrays());
    for (const fb::ArrayManifest* array : required(wire.arrays())) {
      inspect_sizes(array->refs());
      for (const fb::ChunkRef* reference : required(array->refs())) {
        if (full()) return;
        inspect_reference(*reference);
      }
    }
  }

  void inspect_reference(const fb::ChunkRef& wire) {
    const bool is_virtual = wire.location() != nullptr || wire.compressed_location() != nullptr;
    const int kinds =
        int{wire.chunk_id() != nullptr} + int{wire.inline_() != nullptr} + int{is_virtual};
    if (kinds > 1) damage("a reference of more than one kind");
    if (!is_virtual) return;
    if (wire.location() != nullptr && wire.compressed_location() != nullptr) {
      damage("a reference with two locations");
    }
    if (wire.checksum_etag() != nullptr && wire.checksum_last_modified() != 0) {
      damage("a reference with two checksums");
    }
    if (wire.compressed_location() == nullptr || !dictionary_) return;
    const auto whole =
        dictionary_->decompress(internal::to_span(*wire.compressed_location()), scratch_);
    if (whole && scratch_.size() > kLongestCompressedLocation) {
      damage(core::text("a compressed location of ", scratch_.size(),
                        " bytes: official readers stop at ", kLongestCompressedLocation));
    }
  }

  void inspect_repo(const fb::Repo& wire) {
    if (is_v1()) damage("the header says spec version 1");
    inspect_sizes(wire.tags());
    inspect_sizes(wire.branches());
    inspect_sizes(wire.snapshots());
    inspect_sizes(wire.metadata());
    inspect_sizes(wire.latest_updates());
    inspect_size(wire.status());
    for (const fb::Update* update : required(wire.latest_updates())) {
      // Of a type that is not known, the verifier has not looked at the value.
      const auto type = update->update_type_type();
      if (type != fb::UpdateType_NONE && type <= fb::UpdateType_MAX) {
        inspect_size(update->update_type());
      }
    }
    for (const fb::SnapshotInfo* snapshot : required(wire.snapshots())) {
      inspect_sizes(snapshot->metadata());
      const auto* pruned = snapshot->pruned_ancestor_tx_logs();
      if (pruned != nullptr && pruned->size() == 0) {
        unusual(core::text("snapshot ",
                           internal::to_id<SnapshotId>(required(snapshot->id())).text(),
                           " has an empty list of cut-out logs"));
      }
    }
    for (const auto* flags : {wire.enabled_feature_flags(), wire.disabled_feature_flags()}) {
      const std::vector<std::uint16_t> list =
          flags == nullptr ? std::vector<std::uint16_t>()
                           : std::vector<std::uint16_t>(flags->begin(), flags->end());
      if (std::ranges::adjacent_find(list, std::greater_equal{}) != list.end()) {
        damage("feature flags are out of order");
      }
    }
  }

  Payload payload_;
  FileInspection found_;
  std::optional<internal::LocationDictionary> dictionary_;
  std::string scratch_;
};

}  // namespace

core::Result<FileInspection> inspect_file(std::span<const std::byte> file, FileType type) {
  TRY_ASSIGN(auto payload, open_envelope(file, type));
  return Inspector(std::move(payload)).inspect(file, type);
}

}  // namespace icefield::icechunk
