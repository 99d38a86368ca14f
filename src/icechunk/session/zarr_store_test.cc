#include "icechunk/session/zarr_store.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "icechunk/session/session_state.h"
#include "object_store/memory/memory_store.h"

namespace icefield::icechunk {
namespace {

struct KeyCase {
  std::string name;
  std::string key;
  std::string path;  // empty: no key
  std::optional<ChunkIndex> index = std::nullopt;
};
class ZarrKeys : public testing::TestWithParam<KeyCase> {};

TEST_P(ZarrKeys, name_a_document_or_a_chunk) {
  const auto parsed = parse_zarr_key(GetParam().key);
  if (GetParam().path.empty()) {
    EXPECT_FALSE(parsed);
    return;
  }
  ASSERT_TRUE(parsed);
  if (!GetParam().index) {
    ASSERT_TRUE(std::holds_alternative<MetadataKey>(*parsed));
    EXPECT_EQ(std::get<MetadataKey>(*parsed).path, GetParam().path);
    EXPECT_EQ(metadata_key(GetParam().path), GetParam().key);
    return;
  }
  ASSERT_TRUE(std::holds_alternative<ChunkKey>(*parsed));
  EXPECT_EQ(std::get<ChunkKey>(*parsed).path, GetParam().path);
  EXPECT_EQ(std::get<ChunkKey>(*parsed).index, *GetParam().index);
  EXPECT_EQ(chunk_key_text(GetParam().path, *GetParam().index), GetParam().key);
}

INSTANTIATE_TEST_SUITE_P(
    , ZarrKeys,
    testing::Values(KeyCase{"root_document", "zarr.json", "/"},
                    KeyCase{"document", "a/b/zarr.json", "/a/b"},
                    KeyCase{"chunk", "a/c/0/12", "/a", ChunkIndex{0, 12}},
                    KeyCase{"scalar_chunk", "a/c", "/a", ChunkIndex{}},
                    KeyCase{"chunk_of_an_array_named_c", "a/c/c/3", "/a/c", ChunkIndex{3}},
                    KeyCase{"chunk_of_the_root", "c/0", "/", ChunkIndex{0}},
                    KeyCase{"leading_slash", "/a/zarr.json", ""},
                    KeyCase{"empty_segment", "a//zarr.json", ""},
                    KeyCase{"dots", "a/../zarr.json", ""}, KeyCase{"nothing", "", ""},
                    KeyCase{"version_2", "a/.zarray", ""}, KeyCase{"leading_zero", "a/c/01", ""},
                    KeyCase{"sign", "a/c/-1", ""}, KeyCase{"too_large", "a/c/4294967296", ""},
                    KeyCase{"no_chunk_folder", "a/0/1", ""}),
    [](const auto& tested) { return tested.param.name; });

constexpr std::string_view kGroup = R"({"zarr_format":3,"node_type":"group"})";
constexpr std::string_view kArray =
    R"({"zarr_format":3,"node_type":"array","shape":[4,2],"chunk_grid":{"name":"regular",)"
    R"("configuration":{"chunk_shape":[1,1]}}})";

/// A writable session on an empty repository in memory, with a group and an array in it.
class ZarrStoreTest : public testing::Test {
 protected:
  ZarrStoreTest() {
    auto context = std::make_shared<SessionContext>();
    context->assets = std::make_shared<AssetStore>(
        std::shared_ptr<object_store::ObjectStore>(object_store::make_memory_store()), 1U << 20U,
        core::system_now);
    session_ = std::make_unique<Session>(std::make_unique<SessionState>(
        context, std::make_shared<const Snapshot>(initial_snapshot(core::system_now())), "main"));
    store_ = std::make_unique<ZarrStore>(*session_);
    set("zarr.json", kGroup);
    set("g/zarr.json", kGroup);
    set("g/a/zarr.json", kArray);
  }

  void set(std::string_view key, std::string_view value) {
    const auto status = store_->set(key, core::to_bytes(value));
    EXPECT_TRUE(status) << status.error().message();
  }
  std::string get(std::string_view key, const ValueRange& range = FromStart{}) {
    const auto value = store_->get(key, range);
    if (!value) return "error: " + value.error().message();
    return *value ? std::string(core::as_text(**value)) : "(absent)";
  }
  std::vector<std::string> list(std::string_view prefix) {
    std::vector<std::string> keys;
    const auto status = store_->list(prefix, [&keys](std::string_view key) {
      keys.emplace_back(key);
      return true;
    });
    EXPECT_TRUE(status);
    return keys;
  }
  std::vector<std::string> dir(std::string_view prefix) {
    const auto names = store_->list_dir(prefix);
    EXPECT_TRUE(names);
    return names ? *names : std::vector<std::string>{};
  }

  std::unique_ptr<Session> session_;
  std::unique_ptr<ZarrStore> store_;
};

TEST_F(ZarrStoreTest, reads_what_was_set_before_any_commit) {
  const std::string large(600, 'x');  // above the inline threshold: a chunk object
  set("g/a/c/0/0", "small");
  set("g/a/c/3/1", large);
  EXPECT_EQ(get("g/a/c/0/0"), "small");
  EXPECT_EQ(get("g/a/c/3/1"), large);
  EXPECT_EQ(get("g/a/c/1/0"), "(absent)");
  EXPECT_EQ(get("g/zarr.json"), kGroup);
  EXPECT_EQ(get("none/zarr.json"), "(absent)");
}

TEST_F(ZarrStoreTest, reads_parts) {
  set("g/a/c/0/0", "0123456789");
  set("g/a/c/0/1", std::string(600, '.') + "end");
  EXPECT_EQ(get("g/a/c/0/0", FromStart{.offset = 2, .length = 3}), "234");
  EXPECT_EQ(get("g/a/c/0/0", FromStart{.offset = 8}), "89");
  EXPECT_EQ(get("g/a/c/0/0", FromStart{.offset = 20, .length = 3}), "");
  EXPECT_EQ(get("g/a/c/0/0", LastBytes{.length = 2}), "89");
  EXPECT_EQ(get("g/a/c/0/0", LastBytes{.length = 99}), "0123456789");
  EXPECT_EQ(get("g/a/c/0/1", LastBytes{.length = 3}), "end");
}

TEST_F(ZarrStoreTest, sets_many_at_once_each_with_its_own_result) {
  const std::string large(100'000, 'L');
  std::vector<ZarrStore::Entry> entries;
  entries.push_back({"n/c/0/0", core::to_bytes("x")});  // of an array that the call creates
  entries.push_back({"n/zarr.json", core::to_bytes(kArray)});
  entries.push_back({"n/c/0/1", core::to_bytes(large)});
  entries.push_back({"n/c/9999/0", core::to_bytes("x")});
  entries.push_back({"nowhere/c/0/0", core::to_bytes("x")});
  entries.push_back({"n/c/1/0", {}});
  entries.push_back({"no key", core::to_bytes("x")});
  entries.push_back({"n/c/0/0", core::to_bytes("later")});
  const auto results = store_->set_many(std::move(entries));
  std::vector<bool> done;
  for (const auto& result : results) done.push_back(result.has_value());
  EXPECT_EQ(done, (std::vector<bool>{true, true, true, false, false, false, false, true}));
  EXPECT_EQ(get("n/c/0/0"), "later");
  EXPECT_EQ(get("n/c/0/1"), large);
  EXPECT_EQ(get("n/c/1/0"), "(absent)");
  EXPECT_TRUE(store_->set_many({}).empty());
}

TEST_F(ZarrStoreTest, lists_keys_and_folders) {
  set("g/a/c/2/1", "x");
  set("g/a/c/0/1", "x");
  using Keys = std::vector<std::string>;
  EXPECT_EQ(list(""),
            (Keys{"zarr.json", "g/zarr.json", "g/a/zarr.json", "g/a/c/0/1", "g/a/c/2/1"}));
  EXPECT_EQ(list("g/a/c/2"), (Keys{"g/a/c/2/1"}));
  EXPECT_EQ(dir(""), (Keys{"g", "zarr.json"}));
  EXPECT_EQ(dir("g"), (Keys{"a", "zarr.json"}));
  EXPECT_EQ(dir("g/a/"), (Keys{"c", "zarr.json"}));
  EXPECT_EQ(dir("g/a/c"), (Keys{"0", "2"}));
  EXPECT_EQ(dir("g/a/c/2"), (Keys{"1"}));
  EXPECT_EQ(dir("none"), Keys{});
}

TEST_F(ZarrStoreTest, erases_chunks_nodes_and_folders) {
  set("g/a/c/0/1", "x");
  EXPECT_TRUE(store_->erase("g/a/c/0/1"));
  EXPECT_EQ(get("g/a/c/0/1"), "(absent)");
  EXPECT_TRUE(store_->erase("g/a/c/0/1"));
  EXPECT_TRUE(store_->erase("never/zarr.json"));
  EXPECT_TRUE(store_->erase("g/zarr.json"));
  EXPECT_EQ(list(""), std::vector<std::string>{"zarr.json"});
}

TEST_F(ZarrStoreTest, refuses_what_the_format_has_no_place_for) {
  for (const auto* key : {"g/a/c/4/0", "g/a/c/0", "g/a/c/0/0/0", "g/a/.zarray", "g/x/c/0/0"}) {
    EXPECT_FALSE(store_->set(key, core::to_bytes("x"))) << key;
  }
  EXPECT_FALSE(store_->set("g/a/c/0/0", {}));
  EXPECT_FALSE(store_->set("g/zarr.json", core::to_bytes(kArray)));
  EXPECT_FALSE(store_->set("g/a/b/zarr.json", core::to_bytes(kGroup)));
  EXPECT_FALSE(store_->set("h/zarr.json", core::to_bytes("{}")));
}

TEST_F(ZarrStoreTest, gives_a_recreated_node_another_id_and_no_chunks) {
  set("g/a/c/0/1", "x");
  const auto before = session_->node("/g/a")->id;
  EXPECT_TRUE(store_->erase("g/a/zarr.json"));
  set("g/a/zarr.json", kArray);
  EXPECT_NE(session_->node("/g/a")->id, before);
  EXPECT_EQ(get("g/a/c/0/1"), "(absent)");
}

TEST_F(ZarrStoreTest, hides_chunks_outside_a_smaller_shape) {
  set("g/a/c/3/1", "x");
  std::string smaller(kArray);
  smaller.replace(smaller.find("[4,2]"), 5, "[2,2]");
  set("g/a/zarr.json", smaller);
  EXPECT_EQ(get("g/a/c/3/1"), "(absent)");
  EXPECT_EQ(list("g/a/c"), std::vector<std::string>{});
}

}  // namespace
}  // namespace icefield::icechunk
