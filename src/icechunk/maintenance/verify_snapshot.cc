#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "core/json.h"
#include "core/text.h"
#include "icechunk/assets/keys.h"
#include "icechunk/format/path.h"
#include "icechunk/format/snapshot_codec.h"
#include "icechunk/maintenance/internal/findings.h"
#include "icechunk/session/node_document.h"

namespace icefield::icechunk {
namespace {

constexpr std::uint32_t kMostFindingsPerManifest = 5;

/// Within the grid of chunks; a dimension without chunks counts as one, as for readers.
bool in_grid(ChunkIndexView index, const std::vector<DimensionShape>& shape) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (index[d] >= std::max<std::uint32_t>(shape[d].num_chunks, 1)) return false;
  }
  return true;
}

using DimensionNames = std::optional<std::vector<std::optional<std::string>>>;

/// An empty name in a snapshot is none.
bool equal_names(const DimensionNames& document, const DimensionNames& node) {
  if (!document || !node) return document.has_value() == node.has_value();
  const auto equal = [](const std::optional<std::string>& wanted,
                        const std::optional<std::string>& name) {
    return wanted == name || (!wanted && name && name->empty());
  };
  return std::ranges::equal(*document, *node, equal);
}

/// Everything about one snapshot file.
class SnapshotInspection {
 public:
  SnapshotInspection(Inspection& all, const SnapshotInfo& info, const LookedAt<Snapshot>& looked)
      : all_(all),
        info_(info),
        snapshot_(*looked.value),
        version_(looked.version),
        object_(snapshot_key(info.id).value()) {}

  core::Status run() {
    compare_with_repo();
    if (const auto sound = check_snapshot(snapshot_); !sound) {
      all_.damage(object_, sound.error().message());
    }
    std::set<ManifestId> used;
    for (const Node& node : snapshot_.nodes) {
      inspect_place(node);
      inspect_document(node);
      if (!node.array) continue;
      for (const ManifestRef& ref : node.array->manifests) {
        used.insert(ref.id);
        TRY(inspect_manifest(node, ref));
      }
    }
    for (const ManifestFile& file : snapshot_.manifest_files) {
      if (!used.contains(file.id)) {
        all_.damage(object_, "lists manifest " + file.id.text() + ", which no node uses");
      }
    }
    return {};
  }

 private:
  void compare_with_repo() {
    if (snapshot_.flushed_at != info_.flushed_at) {
      all_.damage(object_, "flushed_at differs from the repo object");
    }
    if (snapshot_.message != info_.message) {
      all_.damage(object_, "the message differs from the repo object");
    }
    auto metadata = decode_metadata(info_.metadata);
    if (!metadata) {
      all_.damage(std::string(kRepoKey), "metadata of a snapshot: " + metadata.error().message());
      return;
    }
    // A migration writes the values of a file of version 1 anew.
    if (version_ == SpecVersion::kV1 && !all_.state.legacy) return;
    // As text: a number that is none (NaN) is not equal to itself.
    const auto in_order = core::Json::DumpOptions{.sort_names = true, .nan_tokens = true};
    if (core::Json(snapshot_.metadata).dump(in_order) != core::Json(*metadata).dump(in_order)) {
      all_.damage(object_, "the metadata differs from the repo object");
    }
  }

  void inspect_place(const Node& node) {
    if (const auto path = check_path(node.path); !path) {
      all_.damage(object_, path.error().message());
      return;
    }
    if (node.path == "/") return;
    const Node* parent = snapshot_.find(parent_path(node.path));
    if (parent == nullptr) {
      all_.unusual(object_, node.path + " has no parent group");
    } else if (parent->array) {
      all_.damage(object_, node.path + " lies below an array");
    }
  }

  void inspect_document(const Node& node) {
    const auto document = parse_node_document(node.user_data.view());
    if (!document) {
      all_.damage(object_, node.path + ": " + document.error().message());
      return;
    }
    if (document->array.has_value() != node.array.has_value()) {
      all_.damage(object_, node.path + ": node_type of zarr.json is that of another kind");
      return;
    }
    if (!node.array) return;
    if (document->array->shape != node.array->shape) {
      all_.damage(object_, node.path + ": the shape differs from zarr.json");
    }
    if (!equal_names(document->array->dimension_names, node.array->dimension_names)) {
      all_.damage(object_, node.path + ": dimension names differ from zarr.json");
    }
    if (!default_chunk_keys(node)) {
      all_.unusual(object_, node.path + ": chunk keys of this encoding cannot be read");
    }
  }

  static bool default_chunk_keys(const Node& node) {
    const auto document = core::Json::parse(core::as_text(node.user_data.view()));
    const core::Json* encoding = document ? document->find("chunk_key_encoding") : nullptr;
    const core::Json* name = encoding == nullptr ? nullptr : encoding->find("name");
    if (name == nullptr || *name != core::Json("default")) return false;
    const core::Json* configuration = encoding->find("configuration");
    const core::Json* separator =
        configuration == nullptr ? nullptr : configuration->find("separator");
    return separator == nullptr || *separator == core::Json("/");
  }

  core::Status inspect_manifest(const Node& node, const ManifestRef& ref) {
    const ManifestFile* file = snapshot_.find_manifest(ref.id);
    if (file == nullptr) return {};  // check_snapshot has said so
    TRY_ASSIGN(const auto manifest, all_.manifest(ref.id));
    compare_with_list(*file, manifest.get());
    if (manifest == nullptr) return {};
    if (!all_.compared.insert(comparison_key(node, ref)).second) return {};
    const auto array = manifest->find_array(node.id);
    if (array) inspect_positions(node, ref, *array);
    if (!array) tell_empty(node, ref);
    return {};
  }

  void tell_empty(const Node& node, const ManifestRef& ref) {
    all_.unusual(object_, core::text(node.path, ": manifest ", ref.id.text(),
                                     " holds no reference of this array in its box"));
  }

  void compare_with_list(const ManifestFile& file, const Manifest* manifest) {
    if (!files_.insert(file.id).second) return;
    const auto size = all_.sizes.find(manifest_key(file.id).value());
    if (size != all_.sizes.end() && file.size_bytes != size->second) {
      all_.damage(object_, core::text("manifest ", file.id.text(), " has ", size->second,
                                      " bytes, listed as ", file.size_bytes));
    }
    if (manifest != nullptr && manifest->reference_count() != file.num_chunk_refs) {
      all_.damage(object_,
                  core::text("manifest ", file.id.text(), " holds ", manifest->reference_count(),
                             " references, listed as ", file.num_chunk_refs));
    }
  }

  /// One manifest may serve several boxes of an array.
  static bool in_another_box(const Node& node, const ManifestRef& ref, ChunkIndexView index) {
    return std::ranges::any_of(node.array->manifests, [&](const ManifestRef& other) {
      return other.id == ref.id && other.extents.contains(index);
    });
  }

  /// The same for every snapshot in which the array, its shape and this box are the same.
  static std::string comparison_key(const Node& node, const ManifestRef& ref) {
    std::string key = ref.id.text() + node.id.text();
    for (const ChunkRange& range : ref.extents.ranges()) {
      key += core::text(' ', range.from, '-', range.to);
    }
    for (const DimensionShape& dimension : node.array->shape) {
      key += core::text(',', dimension.num_chunks);
    }
    return key;
  }

  void inspect_positions(const Node& node, const ManifestRef& ref, const Manifest::Array& array) {
    std::uint32_t told = 0;
    std::size_t inside = 0;
    if (array.rank() != node.array->shape.size()) {
      all_.damage(object_, node.path + ": references of another rank");
      return;
    }
    for (std::size_t at = 0; at < array.size() && told < kMostFindingsPerManifest; ++at) {
      const ChunkIndexView index = array.index(at);
      if (!ref.extents.contains(index)) {
        if (in_another_box(node, ref, index)) continue;
        all_.damage(object_, node.path + ": a reference outside the box of its manifest is listed" +
                                 " and cannot be read");
        ++told;
        continue;
      }
      ++inside;
      if (in_grid(index, node.array->shape)) continue;
      all_.unusual(object_, node.path + ": a reference outside the chunk grid");
      ++told;
    }
    if (inside == 0) tell_empty(node, ref);
  }

  Inspection& all_;
  const SnapshotInfo& info_;
  const Snapshot& snapshot_;
  SpecVersion version_;
  std::string object_;
  std::set<ManifestId> files_;
};

}  // namespace

core::Status inspect_snapshot(Inspection& inspection, const SnapshotInfo& info) {
  TRY_ASSIGN(const auto looked,
             inspection.look_at<Snapshot>(snapshot_key(info.id), FileType::kSnapshot, info.id,
                                          decode_snapshot));
  if (looked.value == nullptr) return {};
  return SnapshotInspection(inspection, info, looked).run();
}

}  // namespace icefield::icechunk
