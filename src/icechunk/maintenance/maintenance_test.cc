#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "icechunk/assets/asset_store.h"
#include "icechunk/commit/refs.h"
#include "icechunk/commit/testing/repository_words.h"
#include "icechunk/maintenance/collect_garbage.h"
#include "icechunk/maintenance/expire.h"
#include "icechunk/maintenance/operations.h"

namespace icefield::icechunk {
namespace {

using namespace testing_words;  // NOLINT: small words of the tests

class MaintenanceTest : public testing::Test {
 protected:
  std::shared_ptr<object_store::ObjectStore> store_ = memory_store();
  Repository repository_ = new_repository(store_, split_by(4));
  std::uint32_t next_ = 0;

  /// One more chunk of /a, large enough for an object of its own.
  SnapshotId commit_more(std::string_view branch = "main") {
    auto session = must(repository_.writable_session(branch));
    if (!session.node("/a")) put_array(session, "/a", {100});
    put_chunk(session, "/a", {next_++}, std::string(600, 'x'));
    return must(commit(session, core::text("chunk ", next_ - 1))).snapshot;
  }

  std::size_t objects(std::string_view folder) {
    return must(object_store::list_all(*store_, std::string(folder))).size();
  }

  core::Instant time_of(const SnapshotId& id) {
    return must(repository_.info())->find(id)->flushed_at;
  }

  /// A moment that everything so far lies before, by the store's clock.
  core::Instant after_all() {
    while (true) {
      const auto now = core::system_now();
      bool later = true;
      for (const auto& object : must(object_store::list_all(*store_, ""))) {
        const bool whole = object.last_modified.time_since_epoch() % std::chrono::seconds(1) ==
                           std::chrono::microseconds(0);
        later = later && object.last_modified + std::chrono::seconds(whole ? 1 : 0) < now;
      }
      if (later) return now;
    }
  }

  /// Every snapshot that is listed reads in full from a fresh repository.
  void expect_whole() {
    const auto fresh = must(Repository::open(store_));
    for (const auto& snapshot : must(fresh.info())->snapshots) {
      const auto session = must(fresh.readonly_session(snapshot.id));
      must(fresh.assets()->transaction_log(snapshot.id));
      for (const auto& log : snapshot.pruned_ancestor_tx_logs) {
        must(fresh.assets()->transaction_log(log));
      }
      for (const NodeView& node : session.nodes()) {
        for (const auto& [index, shown] : chunks_of(session, node.path)) {
          EXPECT_EQ(chunk_text(session, node.path, index).size(), 600U);
        }
      }
    }
  }
};

TEST_F(MaintenanceTest, expiry_shortens_history_to_the_root) {
  const auto first = commit_more();
  const auto second = commit_more();
  const auto third = commit_more();
  const auto result = must(expire(repository_, {.older_than = time_of(third)}));
  EXPECT_EQ(result.released.size(), 2U);
  EXPECT_EQ(result.shortened, 1U);
  const auto info = must(repository_.info());
  EXPECT_EQ(info->find(first), nullptr);
  EXPECT_EQ(info->find(third)->parent, kInitialSnapshotId);
  EXPECT_EQ(info->find(third)->pruned_ancestor_tx_logs, (std::vector<SnapshotId>{first, second}));
  EXPECT_EQ(chunks_of(must(repository_.readonly_session(third)), "/a").size(), 3U);
  EXPECT_TRUE(must(expire(repository_, {.older_than = time_of(third)})).nothing());
}

TEST_F(MaintenanceTest, expiry_keeps_what_refs_hold_unless_told_otherwise) {
  const auto first = commit_more();
  const auto second = commit_more();
  const auto third = commit_more();
  must(create_tag(repository_, "t", first));
  must(create_branch(repository_, "b", second));
  const auto cutoff = time_of(third);
  EXPECT_TRUE(must(expire(repository_, {.older_than = cutoff, .dry_run = true})).released.empty());
  const ExpireOptions all{.older_than = cutoff, .delete_branches = true, .delete_tags = true};
  const auto result = must(expire(repository_, all));
  EXPECT_EQ(result.branches, std::vector<std::string>{"b"});
  EXPECT_EQ(result.tags, std::vector<std::string>{"t"});
  EXPECT_EQ(result.released.size(), 2U);
  EXPECT_EQ(must(repository_.info())->deleted_tags.count("t"), 1U);
}

TEST_F(MaintenanceTest, collection_deletes_what_nothing_needs) {
  commit_more();
  const auto kept = commit_more();
  commit_more();
  must(reset_branch(repository_, "main", kept, std::nullopt));
  auto lost = must(repository_.writable_session("main"));
  put_chunk(lost, "/a", {50}, std::string(600, 'y'));  // written, never committed
  const auto cutoff = after_all();
  const auto trial = must(collect_garbage(repository_, {.older_than = cutoff, .dry_run = true}));
  EXPECT_EQ(objects("chunks/"), 4U);
  const auto result = must(collect_garbage(repository_, {.older_than = cutoff}));
  EXPECT_EQ(result.chunks.objects, trial.chunks.objects);
  EXPECT_EQ(result.snapshots_dropped, 1U);
  EXPECT_EQ(objects("chunks/"), 2U);
  EXPECT_EQ(objects("snapshots/"), 3U);
  EXPECT_EQ(objects("transactions/"), 3U);
  EXPECT_EQ(objects("manifests/"), 2U);
  expect_whole();
}

TEST_F(MaintenanceTest, collection_leaves_what_is_young) {
  commit_more();
  const auto cutoff = after_all();
  auto open = must(repository_.writable_session("main"));
  put_chunk(open, "/a", {50}, std::string(600, 'y'));
  must(collect_garbage(repository_, {.older_than = cutoff}));
  must(commit(open, "late"));
  expect_whole();
  EXPECT_EQ(collect_garbage(repository_, {.older_than = core::system_now() + std::chrono::hours(1)})
                .error()
                .code(),
            core::ErrorCode::kInvalidArgument);
}

// COMMIT-3: two commits and a new branch between any two steps of a collection
TEST_F(MaintenanceTest, collection_beside_writers_loses_nothing) {
  for (const std::string pause : {"marked", "unregistered", "checked again", "deleted snapshots",
                                  "deleted logs", "deleted manifests"}) {
    SCOPED_TRACE(pause);
    store_ = memory_store();
    repository_ = new_repository(store_, split_by(4));
    next_ = 0;
    commit_more();
    const auto aside = commit_more();
    must(reset_branch(repository_, "main", must(repository_.info())->find(aside)->parent.value(),
                      std::nullopt));
    bool done = false;
    GarbageOptions options{.older_than = after_all()};
    options.between = [&](std::string_view step) {
      if (done || step != pause) return;
      done = true;
      commit_more();
      commit_more();
      must(create_branch(repository_, "new", must(repository_.tip("main"))));
      if (pause == "marked") must(create_branch(repository_, "aside", aside));
    };
    must(collect_garbage(repository_, options));
    EXPECT_TRUE(done);
    expect_whole();
    EXPECT_EQ(must(repository_.info())->find(aside) != nullptr, pause == "marked");
  }
}

TEST_F(MaintenanceTest, collection_keeps_the_logs_of_expired_ancestors) {
  commit_more();
  commit_more();
  const auto last = commit_more();
  must(expire(repository_, {.older_than = time_of(last)}));
  must(collect_garbage(repository_, {.older_than = after_all()}));
  EXPECT_EQ(objects("snapshots/"), 2U);
  EXPECT_EQ(objects("transactions/"), 4U);
  expect_whole();
}

TEST(Operations, are_read_over_all_backups) {
  RepositoryConfig config;
  config.set_num_updates_per_repo_info_file(3);
  const auto repository = new_repository(memory_store(), config);
  for (int i = 0; i < 10; ++i) {
    must(create_branch(repository, core::text("b", i), kInitialSnapshotId));
  }
  EXPECT_LE(must(repository.info())->updates.size(), 4U);
  const auto all = must(read_operations(repository));
  ASSERT_EQ(all.size(), 11U);
  EXPECT_TRUE(std::holds_alternative<update::RepoInitialized>(all.back().kind));
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LT(all[i].at, all[i - 1].at);
}

}  // namespace
}  // namespace icefield::icechunk
