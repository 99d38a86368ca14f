#include "icechunk/format/repo_info_codec.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <flatbuffers/flatbuffers.h>

#include "core/text.h"
#include "icechunk/format/config.h"
#include "icechunk/format/envelope.h"
#include "icechunk/format/internal/update_codec.h"
#include "icechunk/format/internal/wire.h"
#include "repo_generated.h"

namespace icefield::icechunk {
namespace {

namespace fb = ::icechunk::fb;
using internal::corrupt;
using internal::invalid;
using internal::required;
using WireMetadata = flatbuffers::Vector<flatbuffers::Offset<fb::MetadataItem>>;
using WireRefs = flatbuffers::Vector<flatbuffers::Offset<fb::Ref>>;
using Refs = std::map<std::string, SnapshotId, std::less<>>;

constexpr unsigned kMaxDepth = 10;
constexpr std::uint64_t kMaxTables = 50'000'000;
constexpr int kLevel = 1;

class Decoder {
 public:
  explicit Decoder(SharedBytes payload) : payload_(std::move(payload)), budget_(payload_.size()) {}

  core::Result<RepoInfo> decode(const fb::Repo& wire);

 private:
  core::Result<EncodedMetadata> metadata(const WireMetadata* wire);
  core::Result<SnapshotInfo> snapshot(const fb::SnapshotInfo& wire);
  core::Status snapshots(const fb::Repo& wire, std::vector<SnapshotInfo>& made);
  core::Result<Refs> refs(const WireRefs& wire, const std::vector<SnapshotInfo>& snapshots);
  core::Status rest(const fb::Repo& wire, RepoInfo& repo);

  SharedBytes payload_;
  internal::Budget budget_;
};

core::Result<EncodedMetadata> Decoder::metadata(const WireMetadata* wire) {
  EncodedMetadata items;
  if (wire == nullptr) return items;
  items.reserve(wire->size());
  for (const fb::MetadataItem* item : *wire) {
    TRY_ASSIGN(auto name, internal::to_text(item->name(), budget_));
    if (!items.empty() && items.back().name >= name) return corrupt("metadata out of order");
    items.push_back({.name = std::move(name),
                     .value = payload_.part(internal::to_span(required(item->value())))});
  }
  return items;
}

core::Result<SnapshotInfo> Decoder::snapshot(const fb::SnapshotInfo& wire) {
  SnapshotInfo info{.id = internal::to_id<SnapshotId>(required(wire.id()))};
  TRY_ASSIGN(info.flushed_at, internal::to_instant(wire.flushed_at()));
  TRY_ASSIGN(info.message, internal::to_text(wire.message(), budget_));
  TRY_ASSIGN(info.metadata, metadata(wire.metadata()));
  if (const auto* pruned = wire.pruned_ancestor_tx_logs()) {
    TRY(budget_.spend(std::uint64_t{pruned->size()} * SnapshotId::kSize));
    info.pruned_ancestor_tx_logs.reserve(pruned->size());
    for (const fb::ObjectId12* id : *pruned) {
      info.pruned_ancestor_tx_logs.push_back(internal::to_id<SnapshotId>(*id));
    }
  }
  return info;
}

core::Status Decoder::snapshots(const fb::Repo& wire, std::vector<SnapshotInfo>& made) {
  const auto& all = required(wire.snapshots());
  made.reserve(all.size());
  for (const fb::SnapshotInfo* one : all) {
    TRY_ASSIGN(auto info, snapshot(*one));
    if (!made.empty() && made.back().id >= info.id) return corrupt("snapshots out of order");
    made.push_back(std::move(info));
  }
  for (flatbuffers::uoffset_t i = 0; i < all.size(); ++i) {
    const std::int32_t parent = required(all.Get(i)).parent_offset();
    if (parent == -1) continue;
    if (parent < 0 || static_cast<std::size_t>(parent) >= made.size()) {
      return corrupt(core::text("the parent of snapshot ", made[i].id.text(), " has number ",
                                parent, " of ", made.size()));
    }
    made[i].parent = made[static_cast<std::size_t>(parent)].id;
  }
  return {};
}

core::Result<Refs> Decoder::refs(const WireRefs& wire, const std::vector<SnapshotInfo>& snapshots) {
  Refs made;
  for (const fb::Ref* ref : wire) {
    TRY_ASSIGN(auto name, internal::to_text(ref->name(), budget_));
    if (ref->snapshot_index() >= snapshots.size()) {
      return corrupt(core::text("ref ", name, " leads to snapshot number ", ref->snapshot_index(),
                                " of ", snapshots.size()));
    }
    if (!made.empty() && made.rbegin()->first >= name) return corrupt("refs out of order");
    made.emplace_hint(made.end(), std::move(name), snapshots[ref->snapshot_index()].id);
  }
  return made;
}

core::Status Decoder::rest(const fb::Repo& wire, RepoInfo& repo) {
  for (const auto* tag : required(wire.deleted_tags())) {
    TRY_ASSIGN(auto name, internal::to_text(tag, budget_));
    if (!repo.deleted_tags.empty() && *repo.deleted_tags.rbegin() >= name) {
      return corrupt("deleted tags out of order");
    }
    repo.deleted_tags.insert(repo.deleted_tags.end(), std::move(name));
  }
  TRY_ASSIGN(repo.status, internal::read_status(required(wire.status()), budget_));
  TRY_ASSIGN(repo.metadata, metadata(wire.metadata()));
  for (const fb::Update* update : required(wire.latest_updates())) {
    TRY_ASSIGN(auto made, internal::read_update(*update, budget_));
    repo.updates.push_back(std::move(made));
  }
  if (repo.updates.empty()) return corrupt("an empty operations log");
  if (wire.repo_before_updates() != nullptr) {
    TRY_ASSIGN(repo.repo_before_updates, internal::to_text(wire.repo_before_updates(), budget_));
  }
  if (wire.config() != nullptr) {
    auto config = decode_config(internal::to_span(required(wire.config())));
    if (!config) return std::move(config).error().within("configuration");
    repo.config = *std::move(config);
  }
  const auto flags = [](const flatbuffers::Vector<std::uint16_t>* from) {
    return from == nullptr ? std::set<std::uint16_t>()
                           : std::set<std::uint16_t>(from->begin(), from->end());
  };
  repo.enabled_flags = flags(wire.enabled_feature_flags());
  repo.disabled_flags = flags(wire.disabled_feature_flags());
  return {};
}

core::Result<RepoInfo> Decoder::decode(const fb::Repo& wire) {
  if (wire.spec_version() != 2) {
    return core::Error(core::ErrorCode::kUnsupported,
                       core::text("a repository of spec version ", wire.spec_version()));
  }
  RepoInfo repo;
  TRY(snapshots(wire, repo.snapshots));
  TRY_ASSIGN(repo.branches, refs(required(wire.branches()), repo.snapshots));
  TRY_ASSIGN(repo.tags, refs(required(wire.tags()), repo.snapshots));
  if (!repo.branches.contains(kMainBranch)) return corrupt("a repository without branch main");
  TRY(rest(wire, repo));
  return repo;
}

class Encoder {
 public:
  explicit Encoder(std::size_t expected_size) : builder_(expected_size) {}

  core::Result<core::Bytes> encode(const RepoInfo& repo);

 private:
  flatbuffers::Offset<WireMetadata> metadata(const EncodedMetadata& items);
  core::Result<flatbuffers::Offset<fb::SnapshotInfo>> snapshot(const RepoInfo& repo,
                                                               const SnapshotInfo& info);
  core::Result<flatbuffers::Offset<WireRefs>> refs(const RepoInfo& repo, const Refs& refs);

  flatbuffers::FlatBufferBuilder builder_;
  std::vector<flatbuffers::Offset<fb::MetadataItem>> items_;  // reused by metadata()
};

/// The number by which the wire refers to a snapshot.
core::Result<std::uint32_t> number_of(const RepoInfo& repo, const SnapshotId& id,
                                      std::string_view what) {
  const SnapshotInfo* const info = repo.find(id);
  if (info == nullptr) {
    return invalid(core::text("repo: ", what, ": snapshot ", id.text(), " is not in the list"));
  }
  return static_cast<std::uint32_t>(info - repo.snapshots.data());
}

flatbuffers::Offset<WireMetadata> Encoder::metadata(const EncodedMetadata& items) {
  items_.clear();
  for (const EncodedItem& item : items) {
    const auto bytes = item.value.view();
    const auto value = builder_.CreateVector(internal::wire_bytes(bytes), bytes.size());
    items_.push_back(fb::CreateMetadataItem(builder_, builder_.CreateString(item.name), value));
  }
  return builder_.CreateVector(items_);
}

core::Result<flatbuffers::Offset<fb::SnapshotInfo>> Encoder::snapshot(const RepoInfo& repo,
                                                                      const SnapshotInfo& info) {
  std::int32_t parent = -1;
  if (info.parent) {
    TRY_ASSIGN(const std::uint32_t number, number_of(repo, *info.parent, "parent"));
    parent = static_cast<std::int32_t>(number);
  }
  flatbuffers::Offset<flatbuffers::Vector<const fb::ObjectId12*>> pruned;
  if (!info.pruned_ancestor_tx_logs.empty()) {  // absent rather than empty
    std::vector<fb::ObjectId12> ids;
    ids.reserve(info.pruned_ancestor_tx_logs.size());
    for (const SnapshotId& id : info.pruned_ancestor_tx_logs) {
      ids.push_back(internal::to_wire<fb::ObjectId12>(id));
    }
    pruned = builder_.CreateVectorOfStructs(ids);
  }
  const auto items = metadata(info.metadata);
  const auto message = builder_.CreateString(info.message);
  const auto id = internal::to_wire<fb::ObjectId12>(info.id);
  return fb::CreateSnapshotInfo(builder_, &id, parent, internal::to_microseconds(info.flushed_at),
                                message, items, pruned);
}

core::Result<flatbuffers::Offset<WireRefs>> Encoder::refs(const RepoInfo& repo, const Refs& refs) {
  std::vector<flatbuffers::Offset<fb::Ref>> made;
  made.reserve(refs.size());
  for (const auto& [name, id] : refs) {
    TRY_ASSIGN(const std::uint32_t number, number_of(repo, id, name));
    made.push_back(fb::CreateRef(builder_, builder_.CreateString(name), number));
  }
  return builder_.CreateVector(made);
}

core::Result<core::Bytes> Encoder::encode(const RepoInfo& repo) {
  std::vector<flatbuffers::Offset<fb::SnapshotInfo>> snapshots;
  snapshots.reserve(repo.snapshots.size());
  for (const SnapshotInfo& info : repo.snapshots) {
    TRY_ASSIGN(const auto made, snapshot(repo, info));
    snapshots.push_back(made);
  }
  const auto snapshots_offset = builder_.CreateVector(snapshots);
  TRY_ASSIGN(const auto tags, refs(repo, repo.tags));
  TRY_ASSIGN(const auto branches, refs(repo, repo.branches));
  const auto deleted_tags = builder_.CreateVectorOfStrings(
      std::vector<std::string>(repo.deleted_tags.begin(), repo.deleted_tags.end()));
  std::vector<flatbuffers::Offset<fb::Update>> updates;
  updates.reserve(repo.updates.size());
  for (const Update& update : repo.updates) {
    updates.emplace_back(internal::write_update(builder_, update));
  }
  const auto updates_offset = builder_.CreateVector(updates);
  const flatbuffers::Offset<fb::RepoStatus> status(internal::write_status(builder_, repo.status));
  const auto items = metadata(repo.metadata);
  flatbuffers::Offset<flatbuffers::String> before;
  if (repo.repo_before_updates) before = builder_.CreateString(*repo.repo_before_updates);
  flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> config;
  if (repo.config) {
    TRY_ASSIGN(const auto bytes, encode_config(*repo.config));
    config = builder_.CreateVector(internal::wire_bytes(bytes), bytes.size());
  }
  const auto flags = [this](const std::set<std::uint16_t>& from) {
    using Offset = flatbuffers::Offset<flatbuffers::Vector<std::uint16_t>>;
    return from.empty()
               ? Offset()
               : builder_.CreateVector(std::vector<std::uint16_t>(from.begin(), from.end()));
  };
  const auto enabled = flags(repo.enabled_flags);
  const auto disabled = flags(repo.disabled_flags);
  builder_.Finish(fb::CreateRepo(builder_, 2, tags, branches, deleted_tags, snapshots_offset,
                                 status, items, updates_offset, before, config, enabled, disabled),
                  internal::kFileIdentifier);
  return seal_envelope(FileType::kRepo,
                       std::as_bytes(std::span(builder_.GetBufferPointer(), builder_.GetSize())),
                       kLevel);
}

/// More than the file can need.
std::uint64_t size_bound(const RepoInfo& repo) {
  std::uint64_t bytes = std::uint64_t{64} * 1024;
  const auto of_metadata = [](const EncodedMetadata& items) {
    std::uint64_t sum = 16;
    for (const EncodedItem& item : items) sum += 48 + item.name.size() + item.value.size();
    return sum;
  };
  for (const SnapshotInfo& info : repo.snapshots) {
    bytes += 96 + info.message.size() + of_metadata(info.metadata) +
             info.pruned_ancestor_tx_logs.size() * SnapshotId::kSize;
  }
  for (const auto* refs : {&repo.branches, &repo.tags}) {
    for (const auto& [name, id] : *refs) bytes += 32 + name.size();
  }
  for (const std::string& name : repo.deleted_tags) bytes += 16 + name.size();
  return bytes + of_metadata(repo.metadata) + repo.updates.size() * 4096;
}

core::Status check(const RepoInfo& repo) {
  if (std::ranges::adjacent_find(repo.snapshots, std::greater_equal{}, &SnapshotInfo::id) !=
      repo.snapshots.end()) {
    return invalid("repo: snapshots out of order");
  }
  if (repo.updates.empty()) return invalid("repo: an empty operations log");
  if (repo.updates.front().backup) return invalid("repo: the newest log entry has a backup");
  if (!repo.branches.contains(kMainBranch)) return invalid("repo: no branch main");
  if (size_bound(repo) > kMaxPayload) return invalid("repo: over 2 GiB");
  return {};
}

}  // namespace

core::Result<RepoInfo> decode_repo_info(std::span<const std::byte> file) {
  TRY_ASSIGN(auto payload, open_envelope(file, FileType::kRepo));
  const SharedBytes bytes(std::move(payload.bytes));
  const auto* data = internal::wire_bytes(bytes.view());
  // No table is reached twice in a valid repo object, so that 8 bytes of each bound their number.
  const auto tables = std::min<std::uint64_t>(kMaxTables, bytes.size() / 8 + 16);
  flatbuffers::Verifier verifier(data, bytes.size(), kMaxDepth,
                                 static_cast<flatbuffers::uoffset_t>(tables));
  if (!verifier.VerifyBuffer<fb::Repo>(nullptr)) {
    return corrupt("the repo object's buffer does not follow its schema");
  }
  return Decoder(bytes).decode(*flatbuffers::GetRoot<fb::Repo>(data));
}

core::Result<core::Bytes> encode_repo_info(const RepoInfo& repo) {
  TRY(check(repo));
  return Encoder(size_bound(repo)).encode(repo);
}

}  // namespace icefield::icechunk
