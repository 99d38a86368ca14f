#include "icechunk/commit/replay.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "icechunk/commit/compact.h"
#include "icechunk/commit/refs.h"
#include "icechunk/commit/testing/repository_words.h"

namespace icefield::icechunk {
namespace {

using namespace testing_words;  // NOLINT: small words of the tests

/// A backfill on a branch beside updates on main, both from one snapshot.
class ReplayTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kOld = 5;  // positions before both

  ReplayTest() {
    auto session = writable("main");
    put_group(session, "/");
    put_array(session, "/a", {kOld, 2});
    put_array(session, "/time", {kOld});
    for (std::uint32_t i = 0; i < kOld; ++i) put_chunk(session, "/a", {i, 0}, "old");
    from_ = must(commit(session, "before")).snapshot;
    must(create_branch(repository_, "job", from_));
  }

  Session writable(std::string_view branch) { return must(repository_.writable_session(branch)); }

  void backfill(std::uint32_t extent) {
    auto session = writable("job");
    put_array(session, "/a", {extent, 2});
    put_array(session, "/time", {extent});
    for (std::uint32_t i = 0; i < extent; ++i) put_chunk(session, "/a", {i, 1}, "backfill");
    must(commit(session, "backfill"));
  }

  core::Result<ReplayReport> replay_main(Session& onto, const ReplayOptions& options = {}) {
    return replay(repository_, from_, must(repository_.tip("main")), onto, options);
  }

  Repository repository_ = new_repository(memory_store(), split_by(4));
  SnapshotId from_;
};

TEST_F(ReplayTest, keeps_both_sides_and_gives_the_update_the_overlap) {
  backfill(kOld + 2);
  auto update = writable("main");
  put_array(update, "/a", {kOld + 3, 2});
  put_array(update, "/time", {kOld + 3});
  for (std::uint32_t i = kOld; i < kOld + 3; ++i) put_chunk(update, "/a", {i, 0}, "update");
  put_chunk(update, "/a", {1, 1}, "update");  // the backfill wrote it, too
  must(commit(update, "update"));
  auto later = writable("main");
  must(later.delete_chunk("/a", ChunkIndex{0, 0}));
  const auto main_tip = must(commit(later, "update 2")).snapshot;

  auto finalize = writable("job");
  const auto report = must(replay_main(finalize));
  EXPECT_EQ(report.commits.size(), 2U);
  EXPECT_EQ(report.chunks, 5U);
  ASSERT_EQ(report.overlaps.size(), 1U);
  EXPECT_EQ(report.overlaps[0].path, "/a");
  EXPECT_EQ(report.overlaps[0].index, (ChunkIndex{1, 1}));
  const auto made = must(commit(finalize, "finalize")).snapshot;
  must(reset_branch(repository_, "main", made, main_tip));

  const auto reader = must(repository_.readonly_session(BranchName("main")));
  EXPECT_EQ(reader.node("/a")->shape[0].array_length, kOld + 3);
  EXPECT_EQ(reader.node("/time")->shape[0].array_length, kOld + 3);
  const auto chunks = chunks_of(reader, "/a");
  EXPECT_EQ(chunks.size(), 4 + 3 + (kOld + 2));
  EXPECT_FALSE(chunks.contains({0, 0}));
  EXPECT_EQ(chunks.at({1, 1}), "update");
  EXPECT_EQ(chunks.at({0, 1}), "backfill");
  EXPECT_EQ(chunks.at({kOld + 2, 0}), "update");
}

// COMMIT-4: a backfill of 100 positions, an update that adds 3 and rewrites 1 of them

TEST(Replay, keeps_an_update_that_was_published_during_a_backfill) {
  const auto repository = new_repository(memory_store(), split_by(16));
  const auto writable = [&](std::string_view branch) {
    return must(repository.writable_session(branch));
  };
  auto session = writable("main");
  put_array(session, "/a", {100});
  const auto from = must(commit(session, "before")).snapshot;
  must(create_branch(repository, "job", from));
  auto backfill = writable("job");
  for (std::uint32_t i = 0; i < 100; ++i) put_chunk(backfill, "/a", {i}, "backfill");
  must(commit(backfill, "backfill"));
  auto update = writable("main");
  put_array(update, "/a", {103});
  for (const std::uint32_t i : {100U, 101U, 102U, 7U}) put_chunk(update, "/a", {i}, "update");
  const auto main_tip = must(commit(update, "update")).snapshot;

  auto finalize = writable("job");
  const auto report = must(replay(repository, from, main_tip, finalize));
  ASSERT_EQ(report.overlaps.size(), 1U);
  EXPECT_EQ(report.overlaps[0].index, ChunkIndex{7});
  const auto made = must(commit(finalize, "finalize")).snapshot;
  must(reset_branch(repository, "main", made, main_tip));

  const auto reader = must(repository.readonly_session(BranchName("main")));
  EXPECT_EQ(reader.node("/a")->shape[0].array_length, 103U);
  const auto chunks = chunks_of(reader, "/a");  // every position once
  EXPECT_EQ(chunks.size(), 103U);
  for (const auto& [index, value] : chunks) {
    EXPECT_EQ(value, index[0] == 7 || index[0] >= 100 ? "update" : "backfill") << index[0];
  }
  // the boxes of the manifests say the same: a reader finds each position in one only
  const auto manifests = manifests_of(repository, "/a");
  for (std::size_t i = 0; i < manifests.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(manifests[i].extents.meets(manifests[j].extents));
    }
  }
}

TEST_F(ReplayTest, leaves_arrays_to_the_caller_that_asks_for_them) {
  backfill(kOld + 2);
  auto update = writable("main");
  put_array(update, "/time", {kOld + 1});
  put_chunk(update, "/time", {kOld}, "update");
  must(commit(update, "update"));
  auto finalize = writable("job");
  const ReplayOptions options{
      .keep_chunks_of = [](std::string_view path) { return path == "/time"; }};
  EXPECT_EQ(must(replay_main(finalize, options)).chunks, 0U);
  EXPECT_EQ(finalize.node("/time")->shape[0].array_length, kOld + 2);
  EXPECT_EQ(chunk_text(finalize, "/time", {kOld}), "-");
}

TEST_F(ReplayTest, takes_changed_attributes_from_the_side_that_changed_them) {
  auto update = writable("main");
  put_array(update, "/a", {kOld, 2}, R"({"by":"update"})");
  must(commit(update, "update"));
  auto finalize = writable("job");
  must(replay_main(finalize));
  EXPECT_NE(core::as_text(finalize.node("/a")->metadata.view()).find("update"), std::string::npos);
}

TEST_F(ReplayTest, refuses_what_changes_structure) {
  const std::map<std::string, std::function<void(Session&)>> changes = {
      {"created", [](Session& session) { put_array(session, "/new", {2}); }},
      {"deleted", [](Session& session) { must(session.delete_node("/a")); }},
      {"moved", [](Session& session) { must(session.move_node("/a", "/b")); }},
      {"fill value", [](Session& session) {
         std::string document = array_json({kOld, 2});
         document.replace(document.find(R"("fill_value":0)"), 14, R"("fill_value":1)");
         must(session.set_metadata("/a", core::as_bytes(document)));
       }}};
  for (const auto& [name, change] : changes) {
    SCOPED_TRACE(name);
    must(reset_branch(repository_, "main", from_, std::nullopt));
    auto update = writable("main");
    change(update);
    must(commit(update, name));
    auto finalize = writable("job");
    const auto refused = replay_main(finalize);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), core::ErrorCode::kConflict);
    EXPECT_FALSE(finalize.has_changes());
  }
}

TEST_F(ReplayTest, needs_a_common_beginning) {
  auto finalize = writable("job");
  const auto unrelated = replay(repository_, SnapshotId::random(), from_, finalize);
  EXPECT_FALSE(unrelated);
}

TEST(Compaction, merges_windows_and_changes_nothing_else) {
  const auto repository = new_repository(memory_store(), split_by(10));
  {
    auto session = must(repository.writable_session("main"));
    put_array(session, "/a", {20, 4});
    must(commit(session, "array"));
  }
  for (std::uint32_t i = 0; i < 12; ++i) {
    auto session = must(repository.writable_session("main"));
    for (std::uint32_t j = 0; j < 4; ++j) put_chunk(session, "/a", {i, j}, "x");
    must(commit(session, "row"));
  }
  const auto before = chunks_of(must(repository.readonly_session(BranchName("main"))), "/a");
  const auto trial = must(compact(repository, "main", "compact", {.dry_run = true}));
  EXPECT_EQ(trial.windows, 2U);
  EXPECT_EQ(trial.manifests_before, 12U);
  EXPECT_FALSE(trial.commit);
  const auto done = must(compact(repository, "main", "compact"));
  EXPECT_EQ(done.manifests_after, 2U);
  EXPECT_EQ(manifests_of(repository, "/a").size(), 2U);
  EXPECT_EQ(chunks_of(must(repository.readonly_session(BranchName("main"))), "/a"), before);
  EXPECT_TRUE(must(repository.assets()->transaction_log(done.commit->snapshot))->empty());
  EXPECT_FALSE(must(compact(repository, "main", "compact")).commit);
}

TEST(Compaction, cuts_at_new_windows_after_the_split_size_changed) {
  const auto repository = new_repository(memory_store(), split_by(100));
  {
    auto session = must(repository.writable_session("main"));
    put_array(session, "/a", {20});
    for (std::uint32_t i = 0; i < 20; ++i) put_chunk(session, "/a", {i}, "x");
    must(commit(session, "filled"));
  }
  must(save_config(repository, split_by(5)));
  EXPECT_EQ(must(compact(repository, "main", "re-window")).manifests_after, 4U);
  EXPECT_EQ(box_text(manifests_of(repository, "/a")[1].extents), "[5,10)");
  EXPECT_EQ(chunks_of(must(repository.readonly_session(BranchName("main"))), "/a").size(), 20U);
}

// an append made before a compaction and published after it, in both orders
TEST(Compaction, and_an_append_that_began_before_it_both_hold) {
  const auto repository = new_repository(memory_store(), split_by(10));
  {
    auto session = must(repository.writable_session("main"));
    put_array(session, "/a", {10, 10});
    must(commit(session, "array"));
  }
  for (std::uint32_t i = 0; i < 5; ++i) {
    auto session = must(repository.writable_session("main"));
    put_chunk(session, "/a", {i, i}, "x");  // a shape whose bounding box has holes
    must(commit(session, "one"));
  }
  auto append = must(repository.writable_session("main"));
  put_chunk(append, "/a", {1, 3}, "in a hole");
  put_chunk(append, "/a", {2, 2}, "over one");
  must(compact(repository, "main", "compact"));
  must(commit(append, "append"));
  const auto reader = must(repository.readonly_session(BranchName("main")));
  EXPECT_EQ(chunks_of(reader, "/a").size(), 6U);
  EXPECT_EQ(chunk_text(reader, "/a", {1, 3}), "in a hole");
  EXPECT_EQ(chunk_text(reader, "/a", {2, 2}), "over one");
}

}  // namespace
}  // namespace icefield::icechunk
