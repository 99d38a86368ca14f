#include "icechunk/commit/refs.h"

#include <string>

#include <gtest/gtest.h>

#include "icechunk/assets/keys.h"
#include "icechunk/commit/testing/repository_words.h"

namespace icefield::icechunk {
namespace {

using namespace testing_words;  // NOLINT: small words of the tests

core::ErrorCode code_of(const core::Status& status) {
  EXPECT_FALSE(status);
  return status ? core::ErrorCode::kCancelled : status.error().code();
}

SnapshotId commit_group(const Repository& repository, std::string_view path) {
  auto session = must(repository.writable_session("main"));
  put_group(session, path);
  return must(commit(session, "group")).snapshot;
}

TEST(Create, persists_the_configuration_with_cheap_opening) {
  const auto store = memory_store();
  RepositoryConfig config;
  config.set_inline_chunk_threshold_bytes(100);
  new_repository(store, config);
  const auto opened = must(Repository::open(store));
  const auto info = must(opened.info());
  ASSERT_TRUE(info->config);
  EXPECT_EQ(info->config->preload_max_arrays_to_scan(), 0U);
  EXPECT_EQ(info->config->inline_chunk_threshold_bytes(), 100U);
}

TEST(Create, refuses_a_place_that_is_taken) {
  const auto store = memory_store();
  new_repository(store);
  EXPECT_EQ(Repository::create(store, {}).error().code(), core::ErrorCode::kConflict);
  const auto other = memory_store();
  must(other->put(object_store::Key("notes.txt"), core::as_bytes("x"), {}));
  const auto refused = Repository::create(other, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), core::ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message().find("notes.txt"), std::string::npos);
}

TEST(Create, takes_over_what_an_interrupted_create_left) {
  const auto store = memory_store();
  new_repository(store);
  const object_store::Key repo = repo_key();
  must(store->remove(std::span(&repo, 1))[0]);
  EXPECT_FALSE(must(Repository::exists(*store)));
  EXPECT_EQ(Repository::open(store).error().code(), core::ErrorCode::kNotFound);
  new_repository(store);
  EXPECT_TRUE(must(Repository::exists(*store)));
}

TEST(Branches, are_created_moved_and_deleted) {
  const auto repository = new_repository(memory_store());
  const auto first = commit_group(repository, "/");
  const auto second = commit_group(repository, "/g");
  must(create_branch(repository, "dev", first));
  EXPECT_EQ(must(repository.tip("dev")), first);
  EXPECT_EQ(code_of(create_branch(repository, "dev", first)), core::ErrorCode::kConflict);
  EXPECT_EQ(code_of(create_branch(repository, "x", SnapshotId::random())),
            core::ErrorCode::kNotFound);
  EXPECT_EQ(code_of(reset_branch(repository, "dev", second, second)), core::ErrorCode::kConflict);
  must(reset_branch(repository, "dev", second, first));
  EXPECT_EQ(must(repository.tip("dev")), second);
  must(delete_branch(repository, "dev"));
  EXPECT_EQ(code_of(delete_branch(repository, "dev")), core::ErrorCode::kNotFound);
  EXPECT_EQ(code_of(delete_branch(repository, "main")), core::ErrorCode::kInvalidArgument);
}

TEST(Tags, stay_where_they_are_and_never_come_back) {
  const auto repository = new_repository(memory_store());
  const auto first = commit_group(repository, "/");
  must(create_tag(repository, "v1", first));
  commit_group(repository, "/g");
  EXPECT_EQ(must(repository.resolve(TagName("v1"))), first);
  EXPECT_EQ(must(repository.readonly_session(TagName("v1"))).nodes().size(), 1U);
  EXPECT_EQ(code_of(create_tag(repository, "v1", first)), core::ErrorCode::kConflict);
  must(delete_tag(repository, "v1"));
  EXPECT_EQ(code_of(create_tag(repository, "v1", first)), core::ErrorCode::kConflict);
}

TEST(Status, read_only_refuses_all_but_its_own_change) {
  const auto repository = new_repository(memory_store());
  auto session = must(repository.writable_session("main"));
  put_group(session, "/");
  must(set_status(repository, Availability::kReadOnly, "moving house"));
  EXPECT_EQ(commit(session, "x").error().code(), core::ErrorCode::kPermissionDenied);
  EXPECT_NE(commit(session, "x").error().message().find("moving house"), std::string::npos);
  EXPECT_EQ(code_of(create_branch(repository, "b", kInitialSnapshotId)),
            core::ErrorCode::kPermissionDenied);
  EXPECT_FALSE(repository.writable_session("main"));
  must(set_status(repository, Availability::kOnline, std::nullopt));
  must(commit(session, "x"));
}

TEST(FeatureFlags, are_kept) {
  const auto repository = new_repository(memory_store());
  must(set_feature_flag(repository, 4, false));
  EXPECT_EQ(code_of(create_tag(repository, "t", kInitialSnapshotId)),
            core::ErrorCode::kPermissionDenied);
  must(set_feature_flag(repository, 4, std::nullopt));
  must(create_tag(repository, "t", kInitialSnapshotId));
}

TEST(Sessions, open_at_names_and_times) {
  core::Instant now{std::chrono::hours(500'000)};
  const auto store = memory_store();
  const auto repository = must(Repository::create(store, {}));
  const auto first = commit_group(repository, "/");
  const auto second = commit_group(repository, "/g");
  const auto info = must(repository.info());
  const auto first_time = info->find(first)->flushed_at;
  EXPECT_EQ(must(repository.resolve(AsOf{BranchName("main"), first_time})), first);
  EXPECT_EQ(must(repository.resolve(AsOf{BranchName("main"), info->find(second)->flushed_at})),
            second);
  EXPECT_EQ(repository.resolve(AsOf{BranchName("main"), core::Instant()}).error().code(),
            core::ErrorCode::kNotFound);
  EXPECT_EQ(must(repository.resolve(first)), first);
  EXPECT_FALSE(repository.resolve(SnapshotId::random()));
  EXPECT_FALSE(repository.readonly_session(BranchName("none")));
}

}  // namespace
}  // namespace icefield::icechunk
