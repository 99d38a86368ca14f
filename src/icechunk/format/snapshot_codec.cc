#include "icechunk/format/snapshot_codec.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <flatbuffers/flatbuffers.h>

#include "core/text.h"
#include "icechunk/format/envelope.h"
#include "icechunk/format/flexbuffer_json.h"
#include "icechunk/format/internal/manifest_block.h"
#include "icechunk/format/internal/wire.h"
#include "icechunk/format/msgpack_json.h"
#include "snapshot_generated.h"

namespace icefield::icechunk {
namespace {

namespace fb = ::icechunk::fb;
using internal::corrupt;
using internal::invalid;

constexpr unsigned kMaxDepth = 64;
/// Visits, not tables: arrays may share one list. Enough for 600 arrays with 2000 manifests each.
constexpr flatbuffers::uoffset_t kMaxTables = 4'000'000;
constexpr int kLevel = 1;  // measured: docs/formats/icechunk.md, Layout of snapshots
constexpr std::uint32_t kAllChunks = std::numeric_limits<std::uint32_t>::max();

/// Reads one file; remembers the manifest lists that arrays share.
class Decoder {
 public:
  Decoder(SharedBytes payload, SpecVersion version)
      : payload_(std::move(payload)), version_(version), budget_(payload_.size()) {}

  core::Result<Snapshot> decode(const fb::Snapshot& wire);

 private:
  core::Result<Metadata> metadata(
      const flatbuffers::Vector<flatbuffers::Offset<fb::MetadataItem>>& items);
  core::Result<Node> node(const fb::NodeSnapshot& wire);
  core::Result<ArrayData> array(const fb::ArrayNodeData& wire);
  core::Result<ManifestList> manifests(
      const flatbuffers::Vector<flatbuffers::Offset<fb::ManifestRef>>& wire, std::size_t rank);

  SharedBytes payload_;
  SpecVersion version_;
  internal::Budget budget_;
  std::unordered_map<const void*, ManifestList> lists_;  // by where they stand
};

core::Result<Metadata> Decoder::metadata(
    const flatbuffers::Vector<flatbuffers::Offset<fb::MetadataItem>>& items) {
  Metadata members;
  members.reserve(items.size());
  for (const fb::MetadataItem* item : items) {
    TRY_ASSIGN(auto name, internal::to_text(item->name(), budget_));
    const auto bytes = internal::to_span(internal::required(item->value()));
    TRY(budget_.spend(bytes.size()));
    TRY_ASSIGN(auto value,
               version_ == SpecVersion::kV1 ? decode_msgpack(bytes) : decode_flexbuffer(bytes));
    if (!members.empty() && members.back().first >= name) {
      return corrupt("metadata out of order");
    }
    members.emplace_back(std::move(name), std::move(value));
  }
  return members;
}

core::Result<ManifestList> Decoder::manifests(
    const flatbuffers::Vector<flatbuffers::Offset<fb::ManifestRef>>& wire, std::size_t rank) {
  if (const auto known = lists_.find(&wire); known != lists_.end()) {
    if (!known->second.empty() && known->second[0].extents.rank() != rank) {
      return corrupt("a manifest's box has another rank than its array");
    }
    return known->second;
  }
  TRY(budget_.spend(wire.size() * sizeof(ManifestRef)));
  std::vector<ManifestRef> refs;
  refs.reserve(wire.size());
  for (const fb::ManifestRef* ref : wire) {
    ManifestRef made{.id = internal::to_id<ManifestId>(internal::required(ref->object_id()))};
    const auto& extents = internal::required(ref->extents());
    TRY(budget_.spend((std::size_t{extents.size()} + rank) * sizeof(ChunkRange)));
    std::vector<ChunkRange> ranges;
    ranges.reserve(extents.size());
    for (const fb::ChunkIndexRange* range : extents) {
      ranges.push_back({.from = range->from(), .to = range->to()});
    }
    // A box without ranges holds everything, also for an array that is no scalar.
    if (ranges.empty()) ranges.assign(rank, {.from = 0, .to = kAllChunks});
    if (ranges.size() != rank) return corrupt("a manifest's box has another rank than its array");
    made.extents = ChunkBox(ranges);
    refs.push_back(std::move(made));
  }
  ManifestList list(std::move(refs));
  lists_.emplace(&wire, list);
  return list;
}

/// Shape of a version 1 array: chunk lengths instead of counts.
core::Result<DimensionShape> dimension_v1(const fb::DimensionShape& wire) {
  const std::uint64_t length = wire.array_length();
  const std::uint64_t chunk = wire.chunk_length();
  const std::uint64_t chunks = chunk == 0 ? 0 : length / chunk + std::uint64_t{length % chunk != 0};
  if (chunks > kAllChunks) return corrupt("a dimension of more than 2^32 chunks");
  return DimensionShape{.array_length = length, .num_chunks = static_cast<std::uint32_t>(chunks)};
}

core::Result<ArrayData> Decoder::array(const fb::ArrayNodeData& wire) {
  ArrayData array;
  if (const auto* shape = wire.shape_v2()) {
    TRY(budget_.spend(shape->size() * sizeof(DimensionShape)));
    for (const fb::DimensionShapeV2* dimension : *shape) {
      array.shape.push_back(
          {.array_length = dimension->array_length(), .num_chunks = dimension->num_chunks()});
    }
  } else {
    const auto& dimensions = internal::required(wire.shape());
    if (!internal::is_aligned(dimensions)) return corrupt("the shape is not aligned");
    TRY(budget_.spend(dimensions.size() * sizeof(DimensionShape)));
    for (const fb::DimensionShape* dimension : dimensions) {
      TRY_ASSIGN(const auto made, dimension_v1(*dimension));
      array.shape.push_back(made);
    }
  }
  if (const auto* names = wire.dimension_names()) {
    if (names->size() != array.shape.size()) {
      return corrupt("dimension names and shape differ in number");
    }
    TRY(budget_.spend(names->size() * sizeof(std::optional<std::string>)));
    auto& made = array.dimension_names.emplace();
    for (const fb::DimensionName* name : *names) {
      if (name->name() == nullptr) {
        made.emplace_back(std::nullopt);
        continue;
      }
      TRY_ASSIGN(auto text, internal::to_text(name->name(), budget_));
      made.emplace_back(std::move(text));
    }
  }
  TRY_ASSIGN(array.manifests, manifests(internal::required(wire.manifests()), array.shape.size()));
  return array;
}

core::Result<Node> Decoder::node(const fb::NodeSnapshot& wire) {
  Node node{.id = internal::to_id<NodeId>(internal::required(wire.id()))};
  TRY_ASSIGN(node.path, internal::to_text(wire.path(), budget_));
  node.user_data = payload_.part(internal::to_span(internal::required(wire.user_data())));
  if (const fb::ArrayNodeData* data = wire.node_data_as_Array()) {
    auto made = array(*data);
    if (!made) return std::move(made).error().within(core::text("array ", node.path));
    node.array = *std::move(made);
  } else if (wire.node_data_type() != fb::NodeData_Group) {
    return corrupt(core::text("node ", node.path, " is neither group nor array"));
  }
  return node;
}

core::Result<Snapshot> Decoder::decode(const fb::Snapshot& wire) {
  Snapshot snapshot{.id = internal::to_id<SnapshotId>(internal::required(wire.id()))};
  if (wire.parent_id() != nullptr && version_ == SpecVersion::kV1) {
    snapshot.parent_id = internal::to_id<SnapshotId>(internal::required(wire.parent_id()));
  }
  TRY_ASSIGN(snapshot.flushed_at, internal::to_instant(wire.flushed_at()));
  TRY_ASSIGN(snapshot.message, internal::to_text(wire.message(), budget_));
  TRY_ASSIGN(snapshot.metadata, metadata(internal::required(wire.metadata())));
  TRY(budget_.spend(internal::required(wire.nodes()).size() * sizeof(Node)));
  snapshot.nodes.reserve(internal::required(wire.nodes()).size());
  for (const fb::NodeSnapshot* one : internal::required(wire.nodes())) {
    TRY_ASSIGN(auto made, node(*one));
    if (!snapshot.nodes.empty() && snapshot.nodes.back().path >= made.path) {
      return corrupt(core::text("node ", made.path, " is out of order"));
    }
    snapshot.nodes.push_back(std::move(made));
  }
  if (const auto* files = wire.manifest_files_v2()) {
    for (const fb::ManifestFileInfoV2* file : *files) {
      if (file->id() == nullptr) return corrupt("a manifest file without id");
      snapshot.manifest_files.push_back(
          {.id = internal::to_id<ManifestId>(internal::required(file->id())),
           .size_bytes = file->size_bytes(),
           .num_chunk_refs = file->num_chunk_refs()});
    }
  } else {
    const auto& old_files = internal::required(wire.manifest_files());
    if (!internal::is_aligned(old_files)) {
      return corrupt("the list of manifest files is not aligned");
    }
    for (const fb::ManifestFileInfo* file : old_files) {
      snapshot.manifest_files.push_back({.id = internal::to_id<ManifestId>(file->id()),
                                         .size_bytes = file->size_bytes(),
                                         .num_chunk_refs = file->num_chunk_refs()});
    }
  }
  // Writers before 2.2.1 were read without order; repaired, because nothing is lost by it.
  std::ranges::stable_sort(snapshot.manifest_files, {}, &ManifestFile::id);
  return snapshot;
}

/// Builds one file. Whatever arrays share is stored once.
class Encoder {
 public:
  core::Result<core::Bytes> encode(const Snapshot& snapshot);

 private:
  using ManifestVector = flatbuffers::Vector<flatbuffers::Offset<fb::ManifestRef>>;

  flatbuffers::Offset<fb::NodeSnapshot> node(const Node& node);
  flatbuffers::Offset<fb::ArrayNodeData> array(const ArrayData& array);
  flatbuffers::Offset<ManifestVector> manifests(const ManifestList& list);

  flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> bytes(std::span<const std::byte> data) {
    std::uint8_t* into = nullptr;
    const auto offset = builder_.CreateUninitializedVector(data.size(), 1, &into);
    std::ranges::copy(data, std::as_writable_bytes(std::span(into, data.size())).begin());
    return offset;
  }

  flatbuffers::FlatBufferBuilder builder_;
  std::unordered_map<const void*, flatbuffers::Offset<ManifestVector>> by_address_;
  std::unordered_map<std::string, flatbuffers::Offset<ManifestVector>> by_content_;
};

flatbuffers::Offset<Encoder::ManifestVector> Encoder::manifests(const ManifestList& list) {
  const void* const address = list.empty() ? nullptr : list.refs().data();
  if (const auto known = by_address_.find(address); known != by_address_.end()) {
    return known->second;
  }
  std::string block = internal::manifest_block(list);
  auto known = by_content_.find(block);
  if (known == by_content_.end()) {
    builder_.PreAlign(block.size(), sizeof(flatbuffers::uoffset_t));
    builder_.PushBytes(internal::wire_bytes(core::as_bytes(block)), block.size());
    known = by_content_.emplace(std::move(block), builder_.GetSize()).first;
  }
  by_address_.emplace(address, known->second);
  return known->second;
}

flatbuffers::Offset<fb::ArrayNodeData> Encoder::array(const ArrayData& array) {
  const auto list = manifests(array.manifests);
  std::vector<flatbuffers::Offset<fb::DimensionShapeV2>> shape;
  shape.reserve(array.shape.size());
  for (const DimensionShape& dimension : array.shape) {
    shape.push_back(
        fb::CreateDimensionShapeV2(builder_, dimension.array_length, dimension.num_chunks));
  }
  const auto shape_offset = builder_.CreateVector(shape);
  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<fb::DimensionName>>> names_offset;
  if (array.dimension_names) {
    std::vector<flatbuffers::Offset<fb::DimensionName>> names;
    names.reserve(array.dimension_names->size());
    for (const auto& name : *array.dimension_names) {
      names.push_back(
          fb::CreateDimensionName(builder_, name ? builder_.CreateSharedString(*name)
                                                 : flatbuffers::Offset<flatbuffers::String>()));
    }
    names_offset = builder_.CreateVector(names);
  }
  const auto shape_v1 = builder_.CreateVectorOfStructs<fb::DimensionShape>(nullptr, 0);
  return fb::CreateArrayNodeData(builder_, shape_v1, names_offset, list, shape_offset);
}

flatbuffers::Offset<fb::NodeSnapshot> Encoder::node(const Node& node) {
  const bool is_array = node.is_array();
  const auto data =
      is_array ? array(*node.array).Union() : fb::CreateGroupNodeData(builder_).Union();
  const auto user_data = bytes(node.user_data.view());
  const auto path = builder_.CreateString(node.path);
  const auto id = internal::to_wire<fb::ObjectId8>(node.id);
  return fb::CreateNodeSnapshot(builder_, &id, path, user_data,
                                is_array ? fb::NodeData_Array : fb::NodeData_Group, data);
}

core::Result<core::Bytes> Encoder::encode(const Snapshot& snapshot) {
  TRY_ASSIGN(const auto encoded, encode_metadata(snapshot.metadata));
  std::vector<flatbuffers::Offset<fb::NodeSnapshot>> nodes;
  nodes.reserve(snapshot.nodes.size());
  for (const Node& one : snapshot.nodes) nodes.push_back(node(one));
  const auto nodes_offset = builder_.CreateVector(nodes);

  std::vector<flatbuffers::Offset<fb::MetadataItem>> items;
  items.reserve(encoded.size());
  for (const EncodedItem& item : encoded) {
    const auto value = bytes(item.value.view());
    items.push_back(fb::CreateMetadataItem(builder_, builder_.CreateString(item.name), value));
  }
  const auto metadata = builder_.CreateVector(items);

  std::vector<flatbuffers::Offset<fb::ManifestFileInfoV2>> files;
  files.reserve(snapshot.manifest_files.size());
  for (const ManifestFile& file : snapshot.manifest_files) {
    const auto id = internal::to_wire<fb::ObjectId12>(file.id);
    files.push_back(
        fb::CreateManifestFileInfoV2(builder_, &id, file.size_bytes, file.num_chunk_refs));
  }
  const auto files_offset = builder_.CreateVector(files);
  const auto files_v1 = builder_.CreateVectorOfStructs<fb::ManifestFileInfo>(nullptr, 0);
  const auto message = builder_.CreateString(snapshot.message);
  const auto id = internal::to_wire<fb::ObjectId12>(snapshot.id);
  builder_.Finish(fb::CreateSnapshot(builder_, &id, nullptr, nodes_offset,
                                     internal::to_microseconds(snapshot.flushed_at), message,
                                     metadata, files_v1, files_offset),
                  internal::kFileIdentifier);
  return seal_envelope(FileType::kSnapshot,
                       std::as_bytes(std::span(builder_.GetBufferPointer(), builder_.GetSize())),
                       kLevel);
}

/// More than the file can need, with every list counted as if it were shared by nobody.
std::uint64_t size_bound(const Snapshot& snapshot) {
  std::uint64_t bytes = 4096 + snapshot.message.size();
  for (const Node& node : snapshot.nodes) {
    bytes += 256 + node.path.size() + node.user_data.size();
    if (!node.array) continue;
    const std::uint64_t rank = node.array->shape.size();
    bytes += rank * 64 + node.array->manifests.size() * (28 + rank * sizeof(ChunkRange));
    if (!node.array->dimension_names) continue;
    for (const auto& name : *node.array->dimension_names) bytes += 16 + (name ? name->size() : 0);
  }
  return bytes + snapshot.manifest_files.size() * 48;
}

core::Status check_order(const Snapshot& snapshot) {
  const auto& nodes = snapshot.nodes;
  if (std::ranges::adjacent_find(nodes, std::greater_equal{}, &Node::path) != nodes.end()) {
    return invalid("snapshot: nodes are out of order");
  }
  const auto& files = snapshot.manifest_files;
  if (std::ranges::adjacent_find(files, std::greater_equal{}, &ManifestFile::id) != files.end()) {
    return invalid("snapshot: manifest files are out of order");
  }
  if (size_bound(snapshot) > kMaxPayload) return invalid("snapshot: over 2 GiB");
  return {};
}

}  // namespace

core::Result<Snapshot> decode_snapshot(std::span<const std::byte> file,
                                       std::optional<SnapshotId> expected) {
  TRY_ASSIGN(auto payload, open_envelope(file, FileType::kSnapshot));
  const SharedBytes bytes(std::move(payload.bytes));
  const auto* data = internal::wire_bytes(bytes.view());
  flatbuffers::Verifier verifier(data, bytes.size(), kMaxDepth, kMaxTables);
  if (!verifier.VerifyBuffer<fb::Snapshot>(nullptr)) {
    return corrupt("the snapshot's buffer does not follow its schema");
  }
  TRY_ASSIGN(auto snapshot,
             Decoder(bytes, payload.version).decode(*flatbuffers::GetRoot<fb::Snapshot>(data)));
  if (expected && snapshot.id != *expected) {
    return corrupt(
        core::text("snapshot ", snapshot.id.text(), " under the name of ", expected->text()));
  }
  return snapshot;
}

core::Result<core::Bytes> encode_snapshot(const Snapshot& snapshot) {
  TRY(check_order(snapshot));
  return Encoder().encode(snapshot);
}

}  // namespace icefield::icechunk
