#include "icechunk/format/snapshot.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/file.h"
#include "core/text.h"
#include "icechunk/format/envelope.h"
#include "icechunk/format/snapshot_codec.h"

namespace icefield::icechunk {
namespace {

ManifestId manifest(std::uint8_t number) {
  return ManifestId({number, 9});
}

Node group(const std::string& path) {
  return {.id = NodeId::random(),
          .path = path,
          .user_data = SharedBytes(core::to_bytes(R"({"node_type":"group"})"))};
}

Node array(const std::string& path, std::vector<ManifestRef> manifests) {
  Node node = group(path);
  node.array = ArrayData{
      .shape = {{.array_length = 100, .num_chunks = 10}, {.array_length = 7, .num_chunks = 1}},
      .dimension_names = {{"time", std::nullopt}},
      .manifests = std::move(manifests)};
  return node;
}

Snapshot example() {
  Snapshot snapshot{.id = SnapshotId::random(),
                    .flushed_at = core::Instant(std::chrono::microseconds(1'700'000'000'000'001)),
                    .message = "a message with ü",
                    .metadata = {{"author", "me"}, {"n", 3}}};
  const std::vector<ManifestRef> shared{{manifest(1), {{0, 4}, {0, 1}}},
                                        {manifest(2), {{4, 10}, {0, 1}}}};
  snapshot.nodes = {group("/"),
                    array("/a", shared),
                    array("/a-b", shared),
                    group("/g"),
                    array("/g/x", {{manifest(3), {{0, 10}, {0, 1}}}}),
                    array("/g/y", {})};
  Node scalar = group("/scalar");
  scalar.array = ArrayData{.manifests = std::vector{ManifestRef{manifest(3), ChunkBox()}}};
  snapshot.nodes.push_back(scalar);
  snapshot.manifest_files = {
      {manifest(1), 1000, 4}, {manifest(2), 2000, 6}, {manifest(3), 3000, 11}};
  return snapshot;
}

TEST(Snapshot, survives_its_file) {
  const Snapshot snapshot = example();
  const auto file = encode_snapshot(snapshot);
  ASSERT_TRUE(file) << file.error().message();
  const auto back = decode_snapshot(*file, snapshot.id);
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, snapshot);
  EXPECT_TRUE(check_snapshot(*back));
  EXPECT_FALSE(decode_snapshot(*file, SnapshotId::random()));
}

/// Lists of structs with 8-byte numbers that begin where the verifier does not look.
TEST(Snapshot, refuses_misaligned_lists_of_version_1) {
  for (const char* name : {"shape_misaligned", "manifest_files_misaligned"}) {
    const auto payload = core::read_file(std::filesystem::path(ICEFIELD_SOURCE_DIR) /
                                         "tests/golden/fuzz/icechunk_snapshot" / name);
    ASSERT_TRUE(payload) << name;
    auto file = seal_envelope(FileType::kSnapshot, *payload, 1);
    ASSERT_TRUE(file);
    (*file)[36] = std::byte{1};  // the version
    const auto snapshot = decode_snapshot(*file);
    ASSERT_FALSE(snapshot) << name;
    EXPECT_EQ(snapshot.error().code(), core::ErrorCode::kCorrupt);
    EXPECT_NE(snapshot.error().message().find("aligned"), std::string::npos) << name;
  }
}

TEST(Snapshot, shares_one_manifest_list_among_arrays) {
  Snapshot one = example();
  std::vector<ManifestRef> refs;
  for (std::uint32_t i = 0; i < 60; ++i) {
    refs.push_back({manifest(static_cast<std::uint8_t>(i)), {{i, i + 1}, {0, 1}}});
  }
  const auto size_with = [&](std::size_t arrays) {
    Snapshot snapshot{.id = one.id};
    for (const auto& ref : refs) snapshot.manifest_files.push_back({ref.id, 1, 1});
    for (std::size_t i = 0; i < arrays; ++i) {
      snapshot.nodes.push_back(array(core::text("/v", 100 + i), refs));
    }
    const auto file = encode_snapshot(snapshot);
    EXPECT_TRUE(file);
    const auto back = decode_snapshot(*file);
    EXPECT_TRUE(back && *back == snapshot);
    return file->size();
  };
  EXPECT_LE(size_with(100), size_with(1) + 4000);  // less than one more manifest each
}

TEST(Snapshot, finds_nodes_and_subtrees) {
  const Snapshot snapshot = example();
  ASSERT_NE(snapshot.find("/g/x"), nullptr);
  EXPECT_EQ(snapshot.find("/g/x")->path, "/g/x");
  EXPECT_EQ(snapshot.find("/nope"), nullptr);
  const auto below = [&](std::string_view path) {
    std::vector<std::string> paths;
    const NodeSpan span = nodes_below(snapshot, path);
    for (std::size_t i = span.begin; i < span.end; ++i) paths.push_back(snapshot.nodes[i].path);
    return paths;
  };
  EXPECT_EQ(below("/a"), std::vector<std::string>());
  EXPECT_EQ(below("/g"), (std::vector<std::string>{"/g/x", "/g/y"}));
  EXPECT_EQ(below("/").size(), snapshot.nodes.size() - 1);
}

TEST(Snapshot, leads_to_the_first_manifest_whose_box_holds_the_chunk) {
  const Snapshot snapshot = example();
  const ArrayData& data = *snapshot.find("/a")->array;
  EXPECT_EQ(data.manifest_for(std::vector{3U, 0U})->id, manifest(1));
  EXPECT_EQ(data.manifest_for(std::vector{4U, 0U})->id, manifest(2));
  EXPECT_EQ(data.manifest_for(std::vector{4U, 1U}), nullptr);
  EXPECT_EQ(data.num_chunks(), (ChunkIndex{10, 1}));
}

TEST(Snapshot, put_in_order_sorts_and_keeps_the_files_in_use) {
  Snapshot snapshot = example();
  const Snapshot expected = snapshot;
  std::ranges::reverse(snapshot.nodes);
  std::ranges::reverse(snapshot.manifest_files);
  snapshot.manifest_files.push_back({manifest(77), 1, 1});
  snapshot.manifest_files.push_back({manifest(1), 1000, 4});
  ASSERT_TRUE(put_in_order(snapshot));
  EXPECT_EQ(snapshot, expected);
  snapshot.manifest_files.pop_back();
  EXPECT_FALSE(put_in_order(snapshot));
  snapshot.nodes.push_back(group("/g"));
  EXPECT_FALSE(put_in_order(snapshot));
}

struct DamageCase {
  std::string name;
  std::function<void(Snapshot&)> damage;
  bool refused_by_encoder;
};

class DamagedSnapshot : public testing::TestWithParam<DamageCase> {};
TEST_P(DamagedSnapshot, is_found) {
  Snapshot snapshot = example();
  GetParam().damage(snapshot);
  const auto checked = check_snapshot(snapshot);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code(), core::ErrorCode::kCorrupt);
  EXPECT_EQ(!encode_snapshot(snapshot), GetParam().refused_by_encoder);
}

// columns: name, damage, does encoding refuse it (what its own order does not need, it writes)
INSTANTIATE_TEST_SUITE_P(
    , DamagedSnapshot,
    testing::Values(
        DamageCase{"nodes_out_of_order", [](auto& s) { std::swap(s.nodes[1], s.nodes[2]); }, true},
        DamageCase{"path_twice", [](auto& s) { s.nodes[2].path = s.nodes[1].path; }, true},
        DamageCase{"odd_path", [](auto& s) { s.nodes[2].path = "/a/."; }, false},
        DamageCase{"files_out_of_order",
                   [](auto& s) { std::swap(s.manifest_files[0], s.manifest_files[1]); }, true},
        DamageCase{"file_missing", [](auto& s) { s.manifest_files.pop_back(); }, false},
        DamageCase{"file_nobody_uses",
                   [](auto& s) {
                     s.manifest_files.push_back({manifest(99), 1, 1});
                   },
                   false},
        DamageCase{"boxes_meet",
                   [](auto& s) {
                     s.nodes[1].array->manifests = std::vector<ManifestRef>{
                         {manifest(1), {{0, 5}, {0, 1}}}, {manifest(2), {{4, 10}, {0, 1}}}};
                   },
                   false},
        DamageCase{
            "box_of_other_rank",
            [](auto& s) {
              s.nodes[1].array->manifests = std::vector<ManifestRef>{{manifest(1), {{0, 5}}}};
            },
            false},
        DamageCase{"empty_box",
                   [](auto& s) {
                     s.nodes[1].array->manifests =
                         std::vector<ManifestRef>{{manifest(1), {{5, 5}, {0, 1}}}};
                   },
                   false},
        DamageCase{"node_id_twice", [](auto& s) { s.nodes[3].id = s.nodes[0].id; }, false},
        DamageCase{"names_of_other_rank",
                   [](auto& s) { s.nodes[1].array->dimension_names->pop_back(); }, false}),
    [](const auto& tested) { return tested.param.name; });

TEST(InitialSnapshot, is_the_same_in_every_repository) {
  const auto snapshot = initial_snapshot(core::Instant(std::chrono::microseconds(5)));
  EXPECT_EQ(snapshot.id.text(), "1CECHNKREP0F1RSTCMT0");
  EXPECT_EQ(snapshot.message, "Repository initialized");
  EXPECT_TRUE(snapshot.nodes.empty());
  const auto file = encode_snapshot(snapshot);
  ASSERT_TRUE(file);
  EXPECT_EQ(*decode_snapshot(*file), snapshot);
}

}  // namespace
}  // namespace icefield::icechunk
