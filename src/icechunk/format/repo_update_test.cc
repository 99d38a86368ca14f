#include "icechunk/format/repo_update.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/text.h"
#include "icechunk/format/repo_info_codec.h"

namespace icefield::icechunk {
namespace {

core::Instant at(std::int64_t microseconds) {
  return core::Instant(std::chrono::microseconds(microseconds));
}

UpdateStamp stamp(std::int64_t now) {
  return {.now = at(now), .backup = core::text("b", now)};
}

SnapshotInfo made(SnapshotId id, std::optional<SnapshotId> parent, std::int64_t flushed) {
  return {.id = id, .parent = parent, .flushed_at = at(flushed), .message = "m"};
}

const SnapshotId kA({0xA0});
const SnapshotId kB({0x05});  // sorts before the initial snapshot
const SnapshotId kC({0xC0});

/// main at kA, whose parent is the initial snapshot.
RepoInfo example() {
  const auto first = info_of(initial_snapshot(at(10)), std::nullopt);
  EXPECT_TRUE(first);
  RepoInfo repo = initial_repo(*first, std::nullopt, at(10));
  EXPECT_TRUE(add_commit(repo, "main", made(kA, kInitialSnapshotId, 20), stamp(20)));
  return repo;
}

void expect_survives_file(const RepoInfo& repo) {
  const auto file = encode_repo_info(repo);
  ASSERT_TRUE(file) << file.error().message();
  const auto back = decode_repo_info(*file);
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, repo);
}

TEST(RecordUpdate, names_the_backup_of_the_state_after_each_operation) {
  RepoInfo repo = example();
  ASSERT_EQ(repo.updates.size(), 2U);
  EXPECT_EQ(repo.updates[0].kind, UpdateKind(update::NewCommit{"main", kA}));
  EXPECT_FALSE(repo.updates[0].backup);
  EXPECT_EQ(repo.updates[1].kind, UpdateKind(update::RepoInitialized{}));
  EXPECT_EQ(repo.updates[1].backup, "b20");
}

TEST(RecordUpdate, never_goes_back_in_time) {
  RepoInfo repo = example();
  ASSERT_TRUE(create_tag(repo, "t", kA, stamp(5)));  // a clock that is behind
  EXPECT_EQ(repo.updates[0].at, at(21));
}

TEST(RecordUpdate, cuts_the_log_at_the_limit_where_a_backup_goes_on) {
  RepositoryConfig config;
  config.set_num_updates_per_repo_info_file(3);
  RepoInfo repo = example();
  ASSERT_TRUE(set_config(repo, config, stamp(30)));  // 3 entries
  EXPECT_FALSE(repo.repo_before_updates);
  ASSERT_TRUE(create_branch(repo, "x", kA, stamp(40)));
  ASSERT_EQ(repo.updates.size(), 3U);
  EXPECT_EQ(repo.repo_before_updates, "b20");  // of the entry that was cut off
  ASSERT_TRUE(create_branch(repo, "y", kA, stamp(50)));
  ASSERT_EQ(repo.updates.size(), 3U);
  EXPECT_EQ(repo.repo_before_updates, "b30");
  expect_survives_file(repo);
}

TEST(RecordUpdate, keeps_entries_without_backup_beyond_the_limit) {
  RepositoryConfig config;
  config.set_num_updates_per_repo_info_file(1);
  RepoInfo repo = example();
  repo.config = config;
  repo.updates = {{.kind = update::RepoMigrated{1, 2}, .at = at(4)},
                  {.kind = update::TagCreated{"old"}, .at = at(3)},
                  {.kind = update::RepoInitialized{}, .at = at(2)}};
  ASSERT_TRUE(create_branch(repo, "x", kA, stamp(40)));
  ASSERT_EQ(repo.updates.size(), 1U);
  EXPECT_EQ(repo.repo_before_updates, "b40");
  repo = example();
  repo.config = config;
  repo.updates = {{.kind = update::BranchCreated{"n"}, .at = at(5)},
                  {.kind = update::RepoMigrated{1, 2}, .at = at(4)}};
  repo.updates[0].backup = std::nullopt;
  ASSERT_TRUE(create_branch(repo, "y", kA, stamp(41)));
  EXPECT_EQ(repo.repo_before_updates, "b41");
}

TEST(AddCommit, moves_the_branch_and_renumbers_on_the_wire) {
  RepoInfo repo = example();
  ASSERT_TRUE(create_tag(repo, "t", kA, stamp(25)));
  ASSERT_TRUE(add_commit(repo, "main", made(kB, kA, 30), stamp(30)));
  EXPECT_EQ(*repo.branch_tip("main"), kB);
  EXPECT_EQ(*repo.tag_target("t"), kA);
  const auto line = repo.ancestry(kB);
  ASSERT_TRUE(line);
  ASSERT_EQ(line->size(), 3U);
  EXPECT_EQ((*line)[1]->id, kA);
  EXPECT_EQ((*line)[2]->id, kInitialSnapshotId);
  expect_survives_file(repo);
}

TEST(AmendCommit, takes_the_place_of_the_tip) {
  RepoInfo repo = example();
  repo.find(kA)->pruned_ancestor_tx_logs = {kC};
  ASSERT_TRUE(amend_commit(repo, "main", kA, made(kB, std::nullopt, 30), stamp(30)));
  EXPECT_EQ(*repo.branch_tip("main"), kB);
  EXPECT_EQ(repo.find(kB)->parent, kInitialSnapshotId);
  EXPECT_EQ(repo.find(kB)->pruned_ancestor_tx_logs, std::vector{kC});
  EXPECT_NE(repo.find(kA), nullptr);  // stays until it is collected
  EXPECT_EQ(repo.updates[0].kind, UpdateKind(update::CommitAmended{"main", kA, kB}));
  expect_survives_file(repo);
}

TEST(AmendCommit, refuses_the_first_snapshot) {
  RepoInfo repo =
      initial_repo(*info_of(initial_snapshot(at(10)), std::nullopt), std::nullopt, at(10));
  const auto refused =
      amend_commit(repo, "main", kInitialSnapshotId, made(kB, std::nullopt, 30), stamp(30));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), core::ErrorCode::kInvalidArgument);
}

TEST(DeleteTag, gives_its_name_away_for_ever) {
  RepoInfo repo = example();
  ASSERT_TRUE(create_tag(repo, "t", kA, stamp(30)));
  ASSERT_TRUE(delete_tag(repo, "t", stamp(31)));
  EXPECT_EQ(repo.updates[0].kind, UpdateKind(update::TagDeleted{"t", kA}));
  const auto again = create_tag(repo, "t", kA, stamp(32));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), core::ErrorCode::kConflict);
  expect_survives_file(repo);
}

TEST(Branches, are_created_reset_and_deleted) {
  RepoInfo repo = example();
  ASSERT_TRUE(create_branch(repo, "dev/ü", kA, stamp(30)));
  ASSERT_TRUE(reset_branch(repo, "dev/ü", kInitialSnapshotId, kA, stamp(31)));
  EXPECT_EQ(*repo.branch_tip("dev/ü"), kInitialSnapshotId);
  EXPECT_EQ(repo.updates[0].kind, UpdateKind(update::BranchReset{"dev/ü", kA}));
  ASSERT_TRUE(delete_branch(repo, "dev/ü", stamp(32)));
  EXPECT_EQ(repo.updates[0].kind, UpdateKind(update::BranchDeleted{"dev/ü", kInitialSnapshotId}));
  expect_survives_file(repo);
}

TEST(Metadata, is_set_and_merged) {
  RepoInfo repo = example();
  ASSERT_TRUE(set_metadata(repo, {{"b", 1}, {"a", "x"}}, stamp(30)));
  ASSERT_TRUE(merge_metadata(repo, {{"b", 2}, {"c", core::Json()}}, stamp(31)));
  EXPECT_EQ(core::Json(*decode_metadata(repo.metadata)).dump(), R"({"a":"x","b":2,"c":null})");
  ASSERT_TRUE(set_metadata(repo, {}, stamp(32)));
  EXPECT_TRUE(repo.metadata.empty());
  expect_survives_file(repo);
}

TEST(Status, read_only_refuses_all_but_a_change_of_status) {
  RepoInfo repo = example();
  ASSERT_TRUE(set_status(repo, Availability::kReadOnly, "moving house", stamp(30)));
  const auto refused = add_commit(repo, "main", made(kB, kA, 40), stamp(40));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), core::ErrorCode::kPermissionDenied);
  EXPECT_NE(refused.error().message().find("moving house"), std::string::npos);
  expect_survives_file(repo);
  ASSERT_TRUE(set_status(repo, Availability::kOnline, std::nullopt, stamp(41)));
  EXPECT_TRUE(add_commit(repo, "main", made(kB, kA, 42), stamp(42)));
}

TEST(FeatureFlags, switch_operations_off_and_back_to_default) {
  RepoInfo repo = example();
  EXPECT_TRUE(feature_enabled(repo, Feature::kMoveNode));
  ASSERT_TRUE(set_feature_flag(repo, 4, false, stamp(30)));
  const auto refused = create_tag(repo, "t", kA, stamp(31));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), core::ErrorCode::kPermissionDenied);
  expect_survives_file(repo);
  ASSERT_TRUE(set_feature_flag(repo, 4, std::nullopt, stamp(32)));
  EXPECT_EQ(repo.updates[0].kind, UpdateKind(update::FeatureFlagChanged{4, false, false}));
  EXPECT_TRUE(create_tag(repo, "t", kA, stamp(33)));
}

struct RefusedCase {
  std::string name;
  std::function<core::Status(RepoInfo&)> change;
  core::ErrorCode code;
};

class RefusedChange : public testing::TestWithParam<RefusedCase> {};
TEST_P(RefusedChange, leaves_the_repository_as_it_was) {
  RepoInfo repo = example();
  const RepoInfo before = repo;
  const auto status = GetParam().change(repo);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), GetParam().code) << status.error().message();
  EXPECT_EQ(repo, before);
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(
    , RefusedChange,
    testing::Values(
        RefusedCase{"commit_on_unknown_branch",
                    [](auto& r) { return add_commit(r, "dev", made(kB, kA, 30), stamp(30)); },
                    core::ErrorCode::kNotFound},
        RefusedCase{"commit_on_moved_branch",
                    [](auto& r) { return add_commit(r, "main", made(kB, kInitialSnapshotId, 30), stamp(30)); },
                    core::ErrorCode::kConflict},
        RefusedCase{"commit_without_parent",
                    [](auto& r) { return add_commit(r, "main", made(kB, std::nullopt, 30), stamp(30)); },
                    core::ErrorCode::kConflict},
        RefusedCase{"commit_not_later_than_its_parent",
                    [](auto& r) { return add_commit(r, "main", made(kB, kA, 20), stamp(30)); },
                    core::ErrorCode::kInvalidArgument},
        RefusedCase{"commit_of_a_known_snapshot",
                    [](auto& r) { return add_commit(r, "main", made(kA, kA, 30), stamp(30)); },
                    core::ErrorCode::kInvalidArgument},
        RefusedCase{"amend_of_what_is_no_tip",
                    [](auto& r) { return amend_commit(r, "main", kInitialSnapshotId, made(kB, std::nullopt, 30), stamp(30)); },
                    core::ErrorCode::kConflict},
        RefusedCase{"detached_with_unknown_parent",
                    [](auto& r) { return add_detached(r, made(kB, kC, 30), stamp(30)); },
                    core::ErrorCode::kInvalidArgument},
        RefusedCase{"branch_that_exists",
                    [](auto& r) { return create_branch(r, "main", kA, stamp(30)); },
                    core::ErrorCode::kConflict},
        RefusedCase{"branch_at_unknown_snapshot",
                    [](auto& r) { return create_branch(r, "x", kC, stamp(30)); },
                    core::ErrorCode::kNotFound},
        RefusedCase{"delete_main",
                    [](auto& r) { return delete_branch(r, "main", stamp(30)); },
                    core::ErrorCode::kInvalidArgument},
        RefusedCase{"delete_unknown_branch",
                    [](auto& r) { return delete_branch(r, "x", stamp(30)); },
                    core::ErrorCode::kNotFound},
        RefusedCase{"reset_from_another_tip",
                    [](auto& r) { return reset_branch(r, "main", kInitialSnapshotId, kC, stamp(30)); },
                    core::ErrorCode::kConflict},
        RefusedCase{"reset_to_unknown_snapshot",
                    [](auto& r) { return reset_branch(r, "main", kC, std::nullopt, stamp(30)); },
                    core::ErrorCode::kNotFound},
        RefusedCase{"delete_unknown_tag",
                    [](auto& r) { return delete_tag(r, "t", stamp(30)); },
                    core::ErrorCode::kNotFound},
        RefusedCase{"metadata_name_twice",
                    [](auto& r) { return set_metadata(r, {{"a", 1}, {"a", 2}}, stamp(30)); },
                    core::ErrorCode::kInvalidArgument},
        RefusedCase{"reserved_flag",
                    [](auto& r) { return set_feature_flag(r, 1, true, stamp(30)); },
                    core::ErrorCode::kInvalidArgument}),
    [](const auto& tested) { return tested.param.name; });
// clang-format on

TEST(RepoInfo, refuses_to_be_written_wrong) {
  RepoInfo repo = example();
  repo.updates[0].backup = "b";
  EXPECT_FALSE(encode_repo_info(repo));
  repo = example();
  repo.updates.clear();
  EXPECT_FALSE(encode_repo_info(repo));
  repo = example();
  repo.tags.emplace("t", kC);
  EXPECT_FALSE(encode_repo_info(repo));
  repo = example();
  std::swap(repo.snapshots[0], repo.snapshots[1]);
  EXPECT_FALSE(encode_repo_info(repo));
}

TEST(RepoInfo, finds_rings_and_missing_parents) {
  RepoInfo repo = example();
  repo.find(kInitialSnapshotId)->parent = kA;
  EXPECT_FALSE(repo.ancestry(kA));
  repo.find(kInitialSnapshotId)->parent = kC;
  EXPECT_FALSE(repo.ancestry(kA));
  EXPECT_FALSE(repo.ancestry(kC));
}

}  // namespace
}  // namespace icefield::icechunk
