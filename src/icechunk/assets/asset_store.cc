#include "icechunk/assets/asset_store.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "core/bytes.h"
#include "icechunk/assets/keys.h"
#include "icechunk/assets/legacy_refs.h"
#include "icechunk/format/repo_info_codec.h"
#include "icechunk/format/snapshot_codec.h"
#include "icechunk/format/transaction_log_codec.h"

namespace icefield::icechunk {
namespace {

using object_store::PutCondition;

constexpr int kPutTries = 3;  // of a write whose answer got lost

/// "snapshots/1CEC...: what went wrong"
core::Error about(const object_store::Key& key, core::Error error) {
  return std::move(error).within(key.value());
}

/// About what a decoded snapshot keeps in memory.
std::size_t memory_of(const Snapshot& snapshot, std::size_t file_bytes) {
  std::size_t bytes = file_bytes + snapshot.manifest_files.size() * sizeof(ManifestFile);
  for (const Node& node : snapshot.nodes) {
    bytes += sizeof(Node) + node.path.size() + node.user_data.size();
    if (node.array) bytes += node.array->manifests.size() * sizeof(ManifestRef) + 256;
  }
  return bytes;
}

std::size_t memory_of(const TransactionLog& log, std::size_t file_bytes) {
  std::size_t numbers = 0;
  for (const auto& [node, chunks] : log.updated_chunks) numbers += chunks.size() * chunks.rank();
  return file_bytes + numbers * sizeof(std::uint32_t) + sizeof(TransactionLog);
}

}  // namespace

std::optional<RepoState> AssetStore::last_seen_repo() const {
  const std::lock_guard lock(mutex_);
  return last_repo_;
}

void AssetStore::remember(RepoState state) {
  const std::lock_guard lock(mutex_);
  last_repo_ = std::move(state);
}

core::Result<RepoState> AssetStore::repo() {
  const auto known = last_seen_repo();
  std::optional<object_store::Object> fresh;
  if (known) {
    TRY_ASSIGN(fresh, store_->get_if_changed(repo_key(), known->version));
    if (!fresh) return *known;
  } else {
    auto first = store_->get(repo_key());
    if (!first && first.error().code() == core::ErrorCode::kNotFound) {
      auto legacy = read_legacy_refs(*this);
      if (!legacy && legacy.error().code() == core::ErrorCode::kNotFound) {
        return std::move(first).error();
      }
      if (!legacy) return std::move(legacy).error();
      return RepoState{.info = std::make_shared<const RepoInfo>(*std::move(legacy)),
                       .version = {},
                       .legacy = true};
    }
    if (!first) return std::move(first).error();
    fresh = *std::move(first);
  }
  auto decoded = decode_repo_info(fresh->bytes);
  if (!decoded) return about(repo_key(), std::move(decoded).error());
  RepoState state{.info = std::make_shared<const RepoInfo>(*std::move(decoded)),
                  .version = fresh->info.version};
  remember(state);
  return state;
}

core::Result<std::shared_ptr<const Snapshot>> AssetStore::snapshot(const SnapshotId& id) {
  if (auto held = cache_.find<Snapshot>(FileType::kSnapshot, id)) return held;
  const auto key = snapshot_key(id);
  TRY_ASSIGN(const auto object, store_->get(key));
  auto decoded = decode_snapshot(object.bytes, id);
  if (!decoded) return about(key, std::move(decoded).error());
  auto value = std::make_shared<const Snapshot>(*std::move(decoded));
  cache_.put(FileType::kSnapshot, id, value, memory_of(*value, object.bytes.size()));
  return value;
}

void AssetStore::remember(std::shared_ptr<const Snapshot> written, const Snapshot& before) {
  if (before.id != written->id) cache_.drop(FileType::kSnapshot, before.id);
  for (const ManifestFile& file : before.manifest_files) {
    if (written->find_manifest(file.id) == nullptr) cache_.drop(FileType::kManifest, file.id);
  }
  const std::size_t bytes = memory_of(*written, 0);
  const SnapshotId id = written->id;
  cache_.put(FileType::kSnapshot, id, std::move(written), bytes);
}

core::Result<std::shared_ptr<const TransactionLog>> AssetStore::transaction_log(
    const SnapshotId& id) {
  if (auto held = cache_.find<TransactionLog>(FileType::kTransactionLog, id)) return held;
  const auto key = transaction_log_key(id);
  TRY_ASSIGN(const auto object, store_->get(key));
  auto decoded = decode_transaction_log(object.bytes, id);
  if (!decoded) return about(key, std::move(decoded).error());
  auto value = std::make_shared<const TransactionLog>(*std::move(decoded));
  cache_.put(FileType::kTransactionLog, id, value, memory_of(*value, object.bytes.size()));
  return value;
}

core::Result<std::shared_ptr<const Manifest>> AssetStore::manifest(const ManifestFile& file) {
  if (auto held = cache_.find<Manifest>(FileType::kManifest, file.id)) return held;
  TRY_ASSIGN(auto value, read_manifest(file));
  cache_.put(FileType::kManifest, file.id, value, value->memory_bytes() + sizeof(Manifest));
  return value;
}

core::Result<std::shared_ptr<const Manifest>> AssetStore::manifest_once(const ManifestFile& file) {
  if (auto held = cache_.find<Manifest>(FileType::kManifest, file.id)) return held;
  return read_manifest(file);
}

core::Result<std::shared_ptr<const Manifest>> AssetStore::read_manifest(
    const ManifestFile& file) const {
  const auto key = manifest_key(file.id);
  core::Bytes bytes;
  if (file.size_bytes == 0) {  // unknown: fetch all
    TRY_ASSIGN(auto object, store_->get(key));
    bytes = std::move(object.bytes);
  } else {
    TRY_ASSIGN(bytes,
               object_store::get_range(*store_, key, {.offset = 0, .length = file.size_bytes}));
  }
  auto decoded = decode_manifest(bytes, file.id);
  if (!decoded) return about(key, std::move(decoded).error());
  return std::make_shared<const Manifest>(*std::move(decoded));
}

core::Result<std::uint64_t> AssetStore::put_new(const object_store::Key& key,
                                                std::span<const std::byte> bytes) {
  return put_new(std::vector{object_store::PutRequest{.key = key, .bytes = bytes}}).front();
}

std::vector<core::Result<std::uint64_t>> AssetStore::put_new(
    std::vector<object_store::PutRequest> objects) {
  std::vector<core::Result<std::uint64_t>> results(objects.size(), std::uint64_t{0});
  std::vector<std::size_t> places(objects.size());
  std::iota(places.begin(), places.end(), 0);
  for (int left = kPutTries; left > 0 && !objects.empty(); --left) {
    const auto before = clock_.local_now();
    auto written = store_->put_many(objects);
    const auto after = clock_.local_now();
    std::vector<object_store::PutRequest> again;
    std::vector<std::size_t> again_places;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      if (written[i]) {
        // of many, nobody knows when in between each was written
        if (written.size() == 1) clock_.observe(before, after, written[i]->last_modified);
        results[places[i]] = std::uint64_t{objects[i].bytes.size()};
        continue;
      }
      const bool lost = written[i].error().code() == core::ErrorCode::kUnknownOutcome;
      results[places[i]] =
          lost ? core::Error(core::ErrorCode::kUnavailable,
                             "write " + objects[i].key.value() + ": answers get lost")
               : std::move(written[i]).error();
      if (!lost) continue;
      again_places.push_back(places[i]);
      again.push_back(std::move(objects[i]));
    }
    objects = std::move(again);
    places = std::move(again_places);
  }
  return results;
}

core::Status AssetStore::back_up(const RepoState& before, const std::string& backup) {
  if (before.legacy) {
    return core::Error(core::ErrorCode::kUnsupported,
                       "a repository of spec version 1 is only read here: migrate it first");
  }
  for (int left = kPutTries; left > 0; --left) {
    auto copied = store_->copy(repo_key(), backup_key(backup), before.version);
    if (copied || copied.error().code() != core::ErrorCode::kUnknownOutcome) return copied;
  }
  return core::Error(core::ErrorCode::kUnavailable, "back up repo: answers get lost");
}

core::Result<bool> AssetStore::replace_repo(const std::optional<RepoState>& before,
                                            std::shared_ptr<const RepoInfo> after,
                                            const std::string& backup) {
  TRY_ASSIGN(const auto bytes, encode_repo_info(*after));
  const auto condition =
      before ? PutCondition::unchanged_since(before->version) : PutCondition::absent();
  const auto sent_at = clock_.local_now();
  auto put = store_->put(repo_key(), bytes, condition);
  if (put) {
    clock_.observe(sent_at, clock_.local_now(), put->last_modified);
    remember({.info = std::move(after), .version = put->version});
    return true;
  }
  // kConflict may be our own first try whose answer got lost below us; kUnavailable, too.
  const auto code = put.error().code();
  if (code != core::ErrorCode::kUnknownOutcome && code != core::ErrorCode::kConflict &&
      code != core::ErrorCode::kUnavailable) {
    return std::move(put).error();
  }
  auto landed = has_landed(bytes, before ? before->info.get() : nullptr, backup);
  if (!landed) return std::move(landed).error();
  if (!*landed && code == core::ErrorCode::kUnavailable) return std::move(put).error();
  return *landed;
}

core::Result<bool> AssetStore::has_landed(std::span<const std::byte> sent, const RepoInfo* before,
                                          const std::string& backup) {
  auto object = store_->get(repo_key());
  if (!object) {
    if (object.error().code() == core::ErrorCode::kNotFound) return false;
    return std::move(object).error();
  }
  TRY_ASSIGN(auto decoded, decode_repo_info(object->bytes));
  const auto present = std::make_shared<const RepoInfo>(std::move(decoded));
  remember({.info = present, .version = object->info.version});
  if (std::ranges::equal(object->bytes, sent)) return true;
  if (before == nullptr) return false;
  return names_backup(*present, before->updates.front().at, backup);
}

// Our replacement, and only it, gives the entry that was the newest before it our backup's name;
// all that is built on our replacement keeps that.
core::Result<bool> AssetStore::names_backup(const RepoInfo& present, core::Instant entry,
                                            const std::string& backup) {
  const RepoInfo* at = &present;
  RepoInfo older;
  while (true) {
    for (const Update& update : at->updates) {
      if (update.at == entry) return update.backup == backup;
    }
    if (at->updates.back().at < entry || !at->repo_before_updates) return false;
    if (*at->repo_before_updates == backup) return true;
    auto object = store_->get(backup_key(*at->repo_before_updates));
    if (!object && object.error().code() == core::ErrorCode::kNotFound) return false;
    if (!object) return std::move(object).error();
    const auto oldest = at->updates.back().at;
    TRY_ASSIGN(auto decoded, decode_repo_info(object->bytes));
    if (decoded.updates.front().at >= oldest) return false;  // not a history: would never end
    older = std::move(decoded);
    at = &older;
  }
}

}  // namespace icefield::icechunk
