#include "object_store/local/local_store.h"

#include <cerrno>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/random.h"
#include "core/text.h"
#include "object_store/local/file_state.h"

namespace icefield::object_store {
namespace {

namespace fs = std::filesystem;

class LocalStoreFiles : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / core::text("icefield-local-", core::random_u64());
    store_ = *make_local_store(root_.string());
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& bytes) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << bytes;
  }

  void put(const std::string& key, const std::string& bytes) {
    const auto put = store_->put(Key(key), core::as_bytes(bytes), PutCondition::none());
    ASSERT_TRUE(put) << put.error().message();
  }

  std::vector<std::string> keys(const ListOptions& options = {}) const {
    std::vector<std::string> all;
    EXPECT_TRUE(store_->list(options, [&all](const ListPage& page) {
      for (const auto& object : page.objects) all.push_back(object.key.value());
      for (const auto& folder : page.folders) all.push_back(folder);
      return true;
    }));
    return all;
  }

  fs::path root_;
  std::unique_ptr<ObjectStore> store_;
};

TEST_F(LocalStoreFiles, reading_and_listing_make_nothing) {
  EXPECT_FALSE(store_->get(Key("a")));
  EXPECT_EQ(keys(), std::vector<std::string>{});
  EXPECT_TRUE(store_->remove(std::vector{Key("a/b")}).front());
  EXPECT_FALSE(store_->put(Key("a"), {}, PutCondition::unchanged_since(Version("1-1-1"))));
  EXPECT_FALSE(fs::exists(root_));
}

TEST_F(LocalStoreFiles, temporary_files_are_no_objects) {
  put("a", "x");
  write("a#1", "left over");
  write("dir/b#12", "left over");
  write("c#x", "object");
  EXPECT_EQ(keys(), (std::vector<std::string>{"a", "c#x"}));
  EXPECT_EQ(keys({.recursive = false}), (std::vector<std::string>{"a", "c#x"}));
  for (const auto& name : {"a#1", "n#0", "dir/b#12"}) {
    const auto refused = store_->put(Key(name), {}, PutCondition::none());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), core::ErrorCode::kInvalidArgument);
    EXPECT_FALSE(store_->get(Key(name)));
  }
}

TEST_F(LocalStoreFiles, only_old_temporary_files_are_leftovers) {
  put("a", "x");
  write("a#1", "old");
  write("d/b#2", "old");
  write("d/c#3", "young");
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(48);
  for (const auto* old : {"a", "a#1", "d/b#2"}) fs::last_write_time(root_ / old, long_ago);
  const auto removed = store_->remove_leftovers(core::system_now() - std::chrono::hours(24));
  ASSERT_TRUE(removed) << removed.error().message();
  EXPECT_EQ(*removed, 2U);
  EXPECT_TRUE(fs::exists(root_ / "d/c#3"));
  EXPECT_EQ(keys(), std::vector<std::string>{"a"});
}

TEST_F(LocalStoreFiles, a_crashed_replacement_does_not_stop_the_next) {
  put("repo", "one");
  write("repo#0", "left over");
  put("repo", "two");
  EXPECT_FALSE(fs::exists(root_ / "repo#0"));
  EXPECT_EQ(core::as_text(store_->get(Key("repo"))->bytes), "two");
}

TEST_F(LocalStoreFiles, a_copy_is_a_hard_link_and_a_put_never_writes_in_place) {
  put("repo", "one");
  ASSERT_TRUE(store_->copy(Key("repo"), Key("overwritten/repo.1"), std::nullopt));
  EXPECT_EQ(fs::hard_link_count(root_ / "repo"), 2U);
  put("repo", "two");
  EXPECT_EQ(fs::hard_link_count(root_ / "repo"), 1U);
  EXPECT_EQ(core::as_text(store_->get(Key("overwritten/repo.1"))->bytes), "one");
}

TEST_F(LocalStoreFiles, emptied_folders_go_and_the_root_stays) {
  put("a/b/c", "x");
  put("a/d", "x");
  EXPECT_TRUE(store_->remove(std::vector{Key("a/b/c")}).front());
  EXPECT_FALSE(fs::exists(root_ / "a/b"));
  EXPECT_TRUE(store_->remove(std::vector{Key("a/d")}).front());
  EXPECT_TRUE(fs::is_directory(root_));
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(LocalStoreFiles, empty_folders_of_others_are_invisible_and_in_nobodys_way) {
  fs::create_directories(root_ / "made/by/hand");
  EXPECT_EQ(keys({.recursive = false}), std::vector<std::string>{});
  put("made/by/hand", "x");
  EXPECT_EQ(keys(), std::vector<std::string>{"made/by/hand"});
}

TEST_F(LocalStoreFiles, bad_keys_touch_nothing_outside) {
  fs::create_directories(root_ / "in");
  const auto outside = root_.string() + "-outside";
  fs::create_directories(outside);
  const Key key("../" + fs::path(outside).filename().string() + "/x");
  EXPECT_FALSE(store_->remove(std::vector{key}).front());
  EXPECT_TRUE(fs::exists(outside));
  fs::remove(outside);
}

TEST_F(LocalStoreFiles, links_are_followed_and_loops_end) {
  put("a/x", "x");
  fs::create_directory_symlink(root_ / "a", root_ / "b");
  fs::create_directory_symlink(root_, root_ / "a/loop");
  fs::create_symlink(root_ / "nowhere", root_ / "dangling");
  EXPECT_EQ(keys(), (std::vector<std::string>{"a/x", "b/x"}));
  const auto link = root_.string() + "-link";
  fs::create_directory_symlink(root_, link);
  const auto linked = *make_local_store(link);
  const auto put = linked->put(Key("repo"), core::as_bytes("x"), PutCondition::absent());
  ASSERT_TRUE(put);
  EXPECT_FALSE(store_->put(Key("repo"), {}, PutCondition::absent()));
  EXPECT_TRUE(store_->put(Key("repo"), {}, PutCondition::unchanged_since(put->version)));
  fs::remove(link);
}

TEST_F(LocalStoreFiles, devices_and_pipes_are_no_objects) {
  fs::create_directories(root_);
  ASSERT_EQ(::mkfifo((root_ / "pipe").c_str(), 0600), 0);
  const auto read = store_->get(Key("pipe"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), core::ErrorCode::kNotFound);
  EXPECT_EQ(keys(), std::vector<std::string>{});
}

TEST_F(LocalStoreFiles, a_version_never_returns_when_the_clock_goes_back) {
  put("repo", "one");
  const auto in_an_hour = fs::file_time_type::clock::now() + std::chrono::hours(1);
  fs::last_write_time(root_ / "repo", in_an_hour);
  const auto before = store_->head(Key("repo"));
  put("repo", "two");
  const auto after = store_->head(Key("repo"));
  EXPECT_GT(after->last_modified, before->last_modified);
}

TEST_F(LocalStoreFiles, long_names_are_the_callers_fault) {
  const auto put = store_->put(Key(std::string(256, 'n')), {}, PutCondition::none());
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), core::ErrorCode::kInvalidArgument);
}

TEST_F(LocalStoreFiles, a_root_that_is_a_file_is_named_in_the_error) {
  put("file", "x");
  const auto store = *make_local_store((root_ / "file").string());
  const auto put = store->put(Key("k"), {}, PutCondition::none());
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), core::ErrorCode::kInvalidArgument);
  EXPECT_NE(put.error().message().find((root_ / "file").string()), std::string::npos);
}

TEST_F(LocalStoreFiles, power_cut_durability_keeps_the_same_rules) {
  const auto store = *make_local_store(root_.string(), Durability::kPowerCut);
  const auto first = store->put(Key("a/repo"), core::as_bytes("1"), PutCondition::absent());
  ASSERT_TRUE(first) << first.error().message();
  ASSERT_TRUE(store->put(Key("a/repo"), {}, PutCondition::unchanged_since(first->version)));
}

struct ErrnoCase {
  int number;
  core::ErrorCode code;
};

TEST(FileErrors, say_what_the_caller_can_do) {
  for (const auto& [number, code] : {ErrnoCase{ENOENT, core::ErrorCode::kNotFound},
                                     ErrnoCase{ENOTDIR, core::ErrorCode::kNotFound},
                                     ErrnoCase{EACCES, core::ErrorCode::kPermissionDenied},
                                     ErrnoCase{EROFS, core::ErrorCode::kPermissionDenied},
                                     ErrnoCase{ENOSPC, core::ErrorCode::kUnavailable},
                                     ErrnoCase{EIO, core::ErrorCode::kUnavailable},
                                     ErrnoCase{ENAMETOOLONG, core::ErrorCode::kInvalidArgument}}) {
    EXPECT_EQ(file_error(number, "x").code(), code) << number;
  }
}

}  // namespace
}  // namespace icefield::object_store
