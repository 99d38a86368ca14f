// Files of the official library, against what an independent decoder found in them.
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include <gtest/gtest.h>

#include "core/file.h"
#include "core/json.h"
#include "core/text.h"
#include "icechunk/format/envelope.h"
#include "icechunk/format/manifest.h"
#include "icechunk/format/manifest_builder.h"
#include "icechunk/format/repo_info_codec.h"
#include "icechunk/format/snapshot_codec.h"
#include "icechunk/format/transaction_log_codec.h"

namespace icefield::icechunk {
namespace {

using core::Json;

core::Bytes golden(const std::string& name) {
  auto bytes =
      core::read_file(std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/icechunk" / name);
  EXPECT_TRUE(bytes) << name;
  return bytes ? *std::move(bytes) : core::Bytes();
}

Json hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text += kDigits[std::to_integer<unsigned>(byte) >> 4U];
    text += kDigits[std::to_integer<unsigned>(byte) & 15U];
  }
  return text;
}

Json index_json(ChunkIndexView index) {
  Json::Array numbers;
  for (const std::uint32_t number : index) numbers.emplace_back(number);
  return numbers;
}

template <typename Ids>
Json ids_json(const Ids& ids) {
  Json::Array texts;
  for (const auto& id : ids) texts.emplace_back(id.text());
  return texts;
}

Json instant_json(core::Instant at) {
  return at.time_since_epoch().count();
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json to_json(const ManifestList& list) {
  Json::Array manifests;
  for (const ManifestRef& ref : list) {
    Json::Array box;
    for (const auto& range : ref.extents.ranges()) {
      box.push_back(Json::array({range.from, range.to}));
    }
    manifests.push_back(Json::array({ref.id.text(), box}));
  }
  return manifests;
}

Json to_json(const Node& node) {
  Json made = Json::object(
      {{"id", node.id.text()}, {"path", node.path}, {"user_data", hex(node.user_data.view())}});
  if (!node.array) return made;
  Json::Array shape;
  for (const auto& d : node.array->shape) {
    shape.push_back(Json::array({d.array_length, d.num_chunks}));
  }
  Json names;
  if (node.array->dimension_names) {
    Json::Array listed;
    for (const auto& name : *node.array->dimension_names) listed.push_back(or_null(name));
    names = listed;
  }
  made.set("shape", shape);
  made.set("names", names);
  made.set("manifests", to_json(node.array->manifests));
  return made;
}

Json to_json(const Snapshot& snapshot) {
  Json::Array nodes;
  for (const Node& node : snapshot.nodes) nodes.push_back(to_json(node));
  Json::Array files;
  for (const auto& file : snapshot.manifest_files) {
    files.push_back(Json::array({file.id.text(), file.size_bytes, file.num_chunk_refs}));
  }
  return Json::object(
      {{"id", snapshot.id.text()},
       {"parent_id", snapshot.parent_id ? Json(snapshot.parent_id->text()) : Json()},
       {"flushed_at", instant_json(snapshot.flushed_at)},
       {"message", snapshot.message},
       {"metadata", snapshot.metadata},
       {"nodes", nodes},
       {"manifest_files", files}});
}

Json to_json(const ChunkReference& reference) {
  if (const auto* chunk = std::get_if<NativeChunk>(&reference)) {
    return Json::object({{"chunk_id", chunk->id.text()},
                         {"offset", chunk->range.offset},
                         {"length", chunk->range.length}});
  }
  if (const auto* chunk = std::get_if<InlineChunk>(&reference)) {
    return Json::object({{"inline", "0x" + hex(chunk->bytes).as_string()}});
  }
  const auto& chunk = std::get<VirtualChunk>(reference);
  const auto* tag = std::get_if<EntityTag>(&chunk.identity);
  const auto* time = std::get_if<LastModified>(&chunk.identity);
  return Json::object({{"location", chunk.location},
                       {"offset", chunk.range.offset},
                       {"length", chunk.range.length},
                       {"etag", tag == nullptr ? Json() : Json(tag->text)},
                       {"last_modified", time == nullptr ? Json(0) : Json(time->seconds)}});
}

Json to_json(const Manifest& manifest) {
  Json::Array arrays;
  for (std::size_t a = 0; a < manifest.array_count(); ++a) {
    const auto array = manifest.array(a);
    Json::Array refs;
    for (std::size_t i = 0; i < array.size(); ++i) {
      if (array.size() > 20 && i % 97 != 0) continue;
      const auto found = manifest.find(array.node(), array.index(i));
      EXPECT_TRUE(found && *found) << i;
      if (!found || !*found) continue;
      refs.push_back(Json::array(
          {static_cast<std::uint64_t>(i), index_json(array.index(i)), to_json(**found)}));
    }
    arrays.push_back(Json::object({{"node", array.node().text()},
                                   {"count", static_cast<std::uint64_t>(array.size())},
                                   {"refs", refs}}));
  }
  return Json::object({{"id", manifest.id().text()}, {"arrays", arrays}});
}

Json to_json(const TransactionLog& log) {
  Json::Array chunks;
  for (const auto& [node, positions] : log.updated_chunks) {
    Json::Array listed;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      listed.push_back(Json::object({{"coords", index_json(positions[i])}}));
    }
    chunks.push_back(Json::object({{"node_id", node.text()}, {"chunks", listed}}));
  }
  Json::Array moves;
  for (const Move& move : log.moves) {
    moves.push_back(Json::object({{"from", move.from},
                                  {"to", move.to},
                                  {"node_id", move.node.text()},
                                  {"node_type", static_cast<int>(move.kind)}}));
  }
  return Json::object({{"id", log.id.text()},
                       {"new_groups", ids_json(log.new_groups)},
                       {"new_arrays", ids_json(log.new_arrays)},
                       {"deleted_groups", ids_json(log.deleted_groups)},
                       {"deleted_arrays", ids_json(log.deleted_arrays)},
                       {"updated_arrays", ids_json(log.updated_arrays)},
                       {"updated_groups", ids_json(log.updated_groups)},
                       {"updated_chunks", chunks},
                       {"moved_nodes", moves}});
}

Json to_json(const RepoStatus& status) {
  return Json::object({{"availability", static_cast<int>(status.availability)},
                       {"set_at", instant_json(status.set_at)},
                       {"limited_availability_reason", or_null(status.reason)}});
}

struct UpdateJson {
  Json operator()(const update::RepoInitialized&) const { return named("RepoInitialized", {}); }
  Json operator()(const update::RepoMigrated& u) const {
    return named("RepoMigrated", {{"from_version", static_cast<int>(u.from)},
                                  {"to_version", static_cast<int>(u.to)}});
  }
  Json operator()(const update::ConfigChanged&) const { return named("ConfigChanged", {}); }
  Json operator()(const update::MetadataChanged&) const { return named("MetadataChanged", {}); }
  Json operator()(const update::TagCreated& u) const {
    return named("TagCreated", {{"name", u.name}});
  }
  Json operator()(const update::TagDeleted& u) const { return with_previous("TagDeleted", u); }
  Json operator()(const update::BranchCreated& u) const {
    return named("BranchCreated", {{"name", u.name}});
  }
  Json operator()(const update::BranchDeleted& u) const {
    return with_previous("BranchDeleted", u);
  }
  Json operator()(const update::BranchReset& u) const { return with_previous("BranchReset", u); }
  Json operator()(const update::NewCommit& u) const {
    return named("NewCommit", {{"branch", u.branch}, {"new_snap_id", u.made.text()}});
  }
  Json operator()(const update::CommitAmended& u) const {
    return named("CommitAmended", {{"branch", u.branch},
                                   {"previous_snap_id", u.previous.text()},
                                   {"new_snap_id", u.made.text()}});
  }
  Json operator()(const update::NewDetachedSnapshot& u) const {
    return named("NewDetachedSnapshot", {{"new_snap_id", u.made.text()}});
  }
  Json operator()(const update::GcRan&) const { return named("GCRan", {}); }
  Json operator()(const update::ExpirationRan&) const { return named("ExpirationRan", {}); }
  Json operator()(const update::FeatureFlagChanged& u) const {
    return named("FeatureFlagChanged",
                 {{"id", static_cast<int>(u.flag)}, {"new_value", u.value}, {"is_set", u.is_set}});
  }
  Json operator()(const update::RepoStatusChanged& u) const {
    return named("RepoStatusChanged", {{"status", to_json(u.status)}});
  }

  static Json named(std::string_view name, std::initializer_list<Json::Member> members) {
    Json made = Json::object({{"kind", std::string(name) + "Update"}});
    for (const auto& [key, value] : members) made.set(key, value);
    return made;
  }
  template <typename WithPrevious>
  static Json with_previous(std::string_view name, const WithPrevious& u) {
    return named(name, {{"name", u.name}, {"previous_snap_id", u.previous.text()}});
  }
};

Json metadata_json(const EncodedMetadata& items) {
  const auto decoded = decode_metadata(items);
  EXPECT_TRUE(decoded);
  return decoded ? Json(*decoded) : Json();
}

Json to_json(const RepoInfo& repo) {
  const auto refs = [](const auto& from) {
    Json made = Json::Object{};
    for (const auto& [name, id] : from) made.set(name, id.text());
    return made;
  };
  const auto flags = [](const auto& from) {
    Json::Array made;
    for (const auto flag : from) made.emplace_back(static_cast<int>(flag));
    return made;
  };
  Json::Array snapshots;
  for (const auto& info : repo.snapshots) {
    snapshots.push_back(
        Json::object({{"id", info.id.text()},
                      {"flushed_at", instant_json(info.flushed_at)},
                      {"message", info.message},
                      {"metadata", metadata_json(info.metadata)},
                      {"pruned_ancestor_tx_logs", ids_json(info.pruned_ancestor_tx_logs)},
                      {"parent", info.parent ? Json(info.parent->text()) : Json()}}));
  }
  Json::Array updates;
  for (const auto& update : repo.updates) {
    updates.push_back(Json::object({{"update_type", std::visit(UpdateJson{}, update.kind)},
                                    {"updated_at", instant_json(update.at)},
                                    {"backup_path", or_null(update.backup)}}));
  }
  Json::Array deleted(repo.deleted_tags.begin(), repo.deleted_tags.end());
  return Json::object({{"tags", refs(repo.tags)},
                       {"branches", refs(repo.branches)},
                       {"deleted_tags", deleted},
                       {"snapshots", snapshots},
                       {"status", to_json(repo.status)},
                       {"metadata", metadata_json(repo.metadata)},
                       {"latest_updates", updates},
                       {"repo_before_updates", or_null(repo.repo_before_updates)},
                       {"config", repo.config ? repo.config->json() : Json()},
                       {"enabled_feature_flags", flags(repo.enabled_flags)},
                       {"disabled_feature_flags", flags(repo.disabled_flags)}});
}

std::string text(const Json& value) {
  return value.dump({.indent = 1, .sort_names = true});
}

std::string expected(const std::string& name) {
  const auto json = Json::parse(core::as_text(golden(name + ".json")));
  EXPECT_TRUE(json) << name;
  return json ? text(*json) : std::string();
}

/// Decodes a file, compares it, and (where `encode` is given) does both again with our own bytes.
template <typename Decode, typename Encode>
void expect_golden(const std::string& name, const Decode& decode, const Encode& encode) {
  const auto value = decode(golden(name));
  ASSERT_TRUE(value) << value.error().message();
  EXPECT_EQ(text(to_json(*value)), expected(name));
  const auto bytes = encode(*value);
  ASSERT_TRUE(bytes) << bytes.error().message();
  const auto again = decode(*bytes);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(text(to_json(*again)), expected(name));
}

core::Result<core::Bytes> rebuild(const Manifest& manifest) {
  ManifestBuilder builder(manifest.id());
  std::string scratch;
  for (std::size_t a = 0; a < manifest.array_count(); ++a) {
    const auto array = manifest.array(a);
    for (std::size_t i = 0; i < array.size(); ++i) {
      TRY_ASSIGN(const auto view, array.view(i, scratch));
      TRY(builder.add(array.node(), array.index(i), view));
    }
  }
  TRY_ASSIGN(auto built, std::move(builder).finish());
  return std::move(built.bytes);
}

class GoldenRepo : public testing::TestWithParam<const char*> {};
TEST_P(GoldenRepo, reads_as_the_independent_decoder_and_survives_our_bytes) {
  expect_golden(GetParam(), decode_repo_info, encode_repo_info);
}
INSTANTIATE_TEST_SUITE_P(, GoldenRepo,
                         testing::Values("repo_empty", "repo_many_commits", "repo_configured",
                                         "repo_refs", "repo_collected", "repo_read_only",
                                         "repo_migrated"),
                         [](const auto& tested) { return std::string(tested.param); });

class GoldenSnapshot : public testing::TestWithParam<const char*> {};
TEST_P(GoldenSnapshot, reads_as_the_independent_decoder_and_survives_our_bytes) {
  expect_golden(
      GetParam(), [](const core::Bytes& file) { return decode_snapshot(file); }, encode_snapshot);
}
INSTANTIATE_TEST_SUITE_P(, GoldenSnapshot, testing::Values("snapshot_splits", "snapshot_moves"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(GoldenSnapshotV1, reads_shapes_manifests_and_metadata_of_version_1) {
  const auto snapshot = decode_snapshot(golden("snapshot_v1"));
  ASSERT_TRUE(snapshot) << snapshot.error().message();
  EXPECT_EQ(text(to_json(*snapshot)), expected("snapshot_v1"));
}

class GoldenManifest : public testing::TestWithParam<const char*> {};
TEST_P(GoldenManifest, reads_as_the_independent_decoder_and_survives_our_bytes) {
  expect_golden(
      GetParam(), [](const core::Bytes& file) { return decode_manifest(file); }, rebuild);
}
INSTANTIATE_TEST_SUITE_P(, GoldenManifest,
                         testing::Values("manifest_chunks", "manifest_virtual",
                                         "manifest_dictionary", "manifest_mixed", "manifest_v1"),
                         [](const auto& tested) { return std::string(tested.param); });

class GoldenLog : public testing::TestWithParam<const char*> {};
TEST_P(GoldenLog, reads_as_the_independent_decoder_and_survives_our_bytes) {
  expect_golden(
      GetParam(), [](const core::Bytes& file) { return decode_transaction_log(file); },
      encode_transaction_log);
}
INSTANTIATE_TEST_SUITE_P(, GoldenLog,
                         testing::Values("log_moves", "log_chunks", "log_v1", "log_amended"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace icefield::icechunk
