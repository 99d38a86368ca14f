#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "core/json.h"
#include "core/text.h"
#include "icechunk/assets/keys.h"
#include "icechunk/format/location.h"
#include "icechunk/format/path.h"
#include "icechunk/maintenance/internal/findings.h"
#include "icechunk/session/node_document.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {
namespace {

constexpr std::uint32_t kMostFindingsPerManifest = 5;

/// Everything about one snapshot file.
class SnapshotInspection {
 public:
  SnapshotInspection(Inspection& all, const SnapshotInfo& info, const Snapshot& snapshot)
      : all_(all), info_(info), snapshot_(snapshot), object_(snapshot_key(info.id).value()) {}

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
    Metadata own = snapshot_.metadata;
    std::ranges::sort(own, {}, &core::Json::Member::first);
    std::ranges::sort(*metadata, {}, &core::Json::Member::first);
    const bool same = core::Json(own) == core::Json(*std::move(metadata));
    if (!same && !snapshot_.parent_id) {
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
    if (document->array->dimension_names != node.array->dimension_names) {
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
    if (name == nullptr || !(*name == core::Json("default"))) return false;
    const core::Json* configuration = encoding->find("configuration");
    const core::Json* separator =
        configuration == nullptr ? nullptr : configuration->find("separator");
    return separator == nullptr || *separator == core::Json("/");
  }

  core::Status inspect_manifest(const Node& node, const ManifestRef& ref) {
    const ManifestFile* file = snapshot_.find_manifest(ref.id);
    if (file == nullptr) return {};  // check_snapshot has said so
    TRY_ASSIGN(const auto manifest, manifest_of(*file));
    if (manifest == nullptr) return {};
    const auto array = manifest->find_array(node.id);
    if (!array) {
      all_.unusual(object_, core::text(node.path, ": manifest ", ref.id.text(),
                                       " holds no reference of this array"));
      return {};
    }
    if (inspected_.insert({ref.id, node.id}).second) inspect_positions(node, ref, *array);
    return {};
  }

  core::Result<std::shared_ptr<const Manifest>> manifest_of(const ManifestFile& file) {
    TRY_ASSIGN(auto manifest, looked_at(file.id));
    if (!files_.insert(file.id).second) return manifest;
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
    return manifest;
  }

  /// A manifest, looked at when it is met for the first time; nullptr when it cannot be read.
  core::Result<std::shared_ptr<const Manifest>> looked_at(const ManifestId& id) {
    const auto known = all_.manifests.find(id);
    if (known != all_.manifests.end()) {
      if (!known->second) return std::shared_ptr<const Manifest>();
      return all_.manifest(id);
    }
    const auto key = manifest_key(id);
    TRY_ASSIGN(auto manifest, all_.found<Manifest>(key, all_.manifest(id)));
    all_.manifests.emplace(id, manifest != nullptr);
    if (manifest == nullptr) return manifest;
    ++all_.report.manifests;
    all_.report.references += manifest->reference_count();
    for (std::size_t a = 0; a < manifest->array_count(); ++a) {
      inspect_references(key.value(), manifest->array(a));
    }
    return manifest;
  }

  void inspect_positions(const Node& node, const ManifestRef& ref, const Manifest::Array& array) {
    std::uint32_t told = 0;
    const auto served_twice = std::ranges::count(node.array->manifests, ref.id, &ManifestRef::id);
    for (std::size_t at = 0; at < array.size() && told < kMostFindingsPerManifest; ++at) {
      const ChunkIndexView index = array.index(at);
      if (index.size() != node.array->shape.size()) {
        all_.damage(object_, node.path + ": a reference of another rank");
        ++told;
      } else if (!ref.extents.contains(index)) {
        if (served_twice > 1) continue;
        all_.unusual(object_, node.path + ": a reference outside the box of its manifest");
        ++told;
      } else if (!inside_grid(index, node.array->shape)) {
        all_.unusual(object_, node.path + ": a reference outside the chunk grid");
        ++told;
      }
    }
  }

  void inspect_references(const std::string& object, const Manifest::Array& array) {
    std::uint32_t told = 0;
    std::string scratch;
    for (std::size_t at = 0; at < array.size() && told < kMostFindingsPerManifest; ++at) {
      const auto view = array.view(at, scratch);
      const std::string what = view ? trouble_with(*view) : view.error().message();
      if (what.empty()) continue;
      all_.damage(object, what);
      ++told;
    }
  }

  std::string trouble_with(const ReferenceView& view) const {
    if (const auto* native = std::get_if<NativeChunk>(&view)) {
      const auto size = all_.sizes.find(chunk_key(native->id).value());
      if (size == all_.sizes.end()) return "chunk " + native->id.text() + " does not exist";
      if (native->range.length == 0) return "a reference of length 0";
      if (native->range.end() < native->range.offset || native->range.end() > size->second) {
        return core::text("bytes up to ", native->range.end(), " of chunk ", native->id.text(),
                          ", which has ", size->second);
      }
      return {};
    }
    const auto* source = std::get_if<VirtualView>(&view);
    if (source == nullptr) return {};
    if (source->range.length == 0) return "a reference of length 0";
    if (!source->entity_tag.empty() && source->last_modified != 0) return "two checksums";
    return trouble_with_location(source->location);
  }

  std::string trouble_with_location(std::string_view location) const {
    const auto split = location.find("://");
    if (split == std::string_view::npos || split == 0) {
      return "location " + std::string(location) + " is no absolute URL";
    }
    if (!location.starts_with("vcc://")) return {};
    const auto relative = split_relative(location);
    const auto containers = all_.state.info->config ? all_.state.info->config->containers()
                                                    : std::vector<VirtualContainer>{};
    const bool known = std::ranges::any_of(containers, [&](const VirtualContainer& container) {
      return container.name == relative.container;
    });
    return known ? "" : "location " + std::string(location) + " names no container that exists";
  }

  Inspection& all_;
  const SnapshotInfo& info_;
  const Snapshot& snapshot_;
  std::string object_;
  std::set<ManifestId> files_;
  std::set<std::pair<ManifestId, NodeId>> inspected_;
};

}  // namespace

core::Status inspect_snapshot(Inspection& inspection, const SnapshotInfo& info) {
  const auto key = snapshot_key(info.id);
  TRY_ASSIGN(const auto snapshot,
             inspection.found<Snapshot>(key, inspection.assets.snapshot(info.id)));
  if (snapshot == nullptr) return {};
  return SnapshotInspection(inspection, info, *snapshot).run();
}

}  // namespace icefield::icechunk
