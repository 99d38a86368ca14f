#include "icechunk/commit/commit.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "icechunk/commit/refs.h"
#include "icechunk/commit/testing/repository_words.h"

namespace icefield::icechunk {
namespace {

using namespace testing_words;  // NOLINT: small words of the tests

class CommitTest : public testing::Test {
 protected:
  std::shared_ptr<object_store::ObjectStore> store_ = memory_store();
  Repository repository_ = new_repository(store_, split_by(10));

  Session writable() { return must(repository_.writable_session("main")); }
  Session readonly() { return must(repository_.readonly_session(BranchName("main"))); }
  CommitResult commit_chunk(std::string_view path, const ChunkIndex& index,
                            std::string_view bytes) {
    auto session = writable();
    put_chunk(session, path, index, bytes);
    return must(commit(session, "chunk"));
  }
};

TEST_F(CommitTest, publishes_nodes_and_chunks_together) {
  auto session = writable();
  put_group(session, "/");
  put_array(session, "/a", {30, 2});
  put_chunk(session, "/a", {0, 1}, "small");
  put_chunk(session, "/a", {25, 0}, std::string(1000, 'x'));
  EXPECT_TRUE(readonly().nodes().empty());
  const auto result = must(commit(session, "first"));
  EXPECT_FALSE(session.branch());
  EXPECT_EQ(session.base(), result.snapshot);
  EXPECT_EQ(result.parent, kInitialSnapshotId);
  EXPECT_EQ(result.references, 2U);

  const auto after = must(Repository::open(store_));
  const auto reader = must(after.readonly_session(BranchName("main")));
  EXPECT_EQ(reader.base(), result.snapshot);
  EXPECT_EQ(reader.nodes().size(), 2U);
  EXPECT_EQ(chunk_text(reader, "/a", {0, 1}), "small");
  EXPECT_EQ(chunk_text(reader, "/a", {25, 0}), std::string(1000, 'x'));
  EXPECT_EQ(chunk_text(reader, "/a", {0, 0}), "-");
  const auto info = must(after.info());
  const auto* snapshot = info->find(result.snapshot);
  EXPECT_EQ(snapshot->message, "first");
  const auto metadata = must(decode_metadata(snapshot->metadata));
  const auto stamp = std::ranges::find(metadata, "__icechunk", &core::Json::Member::first);
  ASSERT_NE(stamp, metadata.end());
  EXPECT_EQ(stamp->second.find("rebase_attempts")->as_int64(), 0);
}

TEST_F(CommitTest, refuses_what_must_not_be_published) {
  auto empty = writable();
  EXPECT_EQ(commit(empty, "nothing").error().code(), core::ErrorCode::kInvalidArgument);
  auto reader = readonly();
  EXPECT_EQ(commit(reader, "read-only").error().code(), core::ErrorCode::kInvalidArgument);
  auto reserved = writable();
  put_group(reserved, "/");
  EXPECT_EQ(commit(reserved, "x", {{"__icechunk", 1}}).error().code(),
            core::ErrorCode::kInvalidArgument);
  EXPECT_EQ(must(repository_.tip("main")), kInitialSnapshotId);
}

TEST_F(CommitTest, keeps_node_ids_over_updates_and_logs_each_change) {
  auto session = writable();
  put_group(session, "/");
  put_array(session, "/a", {4});
  must(commit(session, "made"));
  const auto id = readonly().node("/a")->id;
  auto again = writable();
  put_array(again, "/a", {6});
  put_chunk(again, "/a", {5}, "x");
  const auto result = must(commit(again, "grown"));
  EXPECT_EQ(readonly().node("/a")->id, id);
  EXPECT_EQ(readonly().node("/a")->shape[0].array_length, 6U);
  const auto log = must(repository_.assets()->transaction_log(result.snapshot));
  EXPECT_EQ(log->updated_arrays, NodeIds{id});
  EXPECT_TRUE(log->new_arrays.empty());
  EXPECT_EQ(log->updated_chunks.at(id).size(), 1U);
}

TEST_F(CommitTest, gives_the_nodes_of_a_session_ids_that_follow_each_other) {
  auto session = writable();
  put_group(session, "/");
  for (const char* path : {"/b", "/a", "/c"}) put_array(session, path, {4});
  must(commit(session, "made"));
  const auto view = readonly();
  const auto first = view.node("/")->id;
  EXPECT_EQ(view.node("/b")->id, first.successor());
  EXPECT_EQ(view.node("/a")->id, first.successor().successor());
  auto other = writable();
  put_array(other, "/d", {4});
  must(commit(other, "another session"));
  EXPECT_NE(readonly().node("/d")->id, view.node("/c")->id.successor());
}

TEST_F(CommitTest, appends_without_writing_a_window_again) {
  auto session = writable();
  put_array(session, "/a", {30, 4});
  for (std::uint32_t i = 0; i < 5; ++i) put_chunk(session, "/a", {i, 0}, "old");
  must(commit(session, "base"));
  const auto before = manifests_of(repository_, "/a");
  ASSERT_EQ(before.size(), 1U);
  commit_chunk("/a", {5, 0}, "new");
  const auto after = manifests_of(repository_, "/a");
  ASSERT_EQ(after.size(), 2U);
  EXPECT_EQ(after[0], before[0]);
  EXPECT_EQ(box_text(after[1].extents), "[5,6)x[0,1)");
}

TEST_F(CommitTest, rewrites_only_the_manifest_whose_box_is_hit) {
  auto session = writable();
  put_array(session, "/a", {30});
  for (const std::uint32_t i : {0U, 1U, 2U, 12U, 13U}) put_chunk(session, "/a", {i}, "old");
  must(commit(session, "base"));
  const auto before = manifests_of(repository_, "/a");
  ASSERT_EQ(before.size(), 2U);  // one for each window
  commit_chunk("/a", {1}, "new");
  const auto after = manifests_of(repository_, "/a");
  ASSERT_EQ(after.size(), 2U);
  EXPECT_NE(after[0].id, before[0].id);
  EXPECT_EQ(after[1], before[1]);
  EXPECT_EQ(chunks_of(readonly(), "/a"),
            (std::map<ChunkIndex, std::string>{
                {{0}, "old"}, {{1}, "new"}, {{2}, "old"}, {{12}, "old"}, {{13}, "old"}}));
}

TEST_F(CommitTest, lets_leads_arrive_in_any_order) {
  auto session = writable();
  put_array(session, "/a", {30, 8});
  must(commit(session, "base"));
  for (const std::uint32_t lead : {3U, 5U, 4U}) commit_chunk("/a", {2, lead}, "x");
  EXPECT_EQ(manifests_of(repository_, "/a").size(), 3U);
  commit_chunk("/a", {2, 4}, "late again");
  EXPECT_EQ(manifests_of(repository_, "/a").size(), 3U);
  EXPECT_EQ(chunks_of(readonly(), "/a").size(), 3U);
}

TEST_F(CommitTest, never_lets_more_than_64_manifests_gather) {
  auto session = writable();
  put_array(session, "/a", {10, 200});
  must(commit(session, "base"));
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < 150; ++i) {
    commit_chunk("/a", {3, 7 * i % 150}, std::to_string(i));
    most = std::max(most, manifests_of(repository_, "/a").size());
  }
  EXPECT_LE(most, 65U);  // one for the window, and 64 beside it
  const auto chunks = chunks_of(readonly(), "/a");
  EXPECT_EQ(chunks.size(), 150U);
  for (std::uint32_t i = 0; i < 150; ++i) EXPECT_EQ(chunks.at({3, 7 * i % 150}), std::to_string(i));
}

TEST_F(CommitTest, shares_one_small_manifest_among_arrays) {
  auto session = writable();
  for (int a = 0; a < 20; ++a) put_array(session, core::text("/a", a), {10});
  must(commit(session, "base"));
  auto append = writable();
  for (int a = 0; a < 20; ++a) put_chunk(append, core::text("/a", a), {3}, "x");
  EXPECT_EQ(must(commit(append, "one file")).manifests_written, 1U);
}

TEST_F(CommitTest, drops_references_outside_a_smaller_shape) {
  auto session = writable();
  put_array(session, "/a", {30});
  for (std::uint32_t i = 0; i < 30; ++i) put_chunk(session, "/a", {i}, "x");
  must(commit(session, "base"));
  auto shrink = writable();
  put_array(shrink, "/a", {15});
  must(commit(shrink, "smaller"));
  auto grow = writable();
  put_array(grow, "/a", {30});
  must(commit(grow, "larger again"));
  EXPECT_EQ(chunks_of(readonly(), "/a").size(), 15U);
}

TEST_F(CommitTest, drops_what_others_wrote_outside_a_smaller_shape) {
  auto session = writable();
  put_array(session, "/a", {30});
  put_chunk(session, "/a", {1}, "x");
  must(commit(session, "base"));
  auto shrink = writable();
  put_array(shrink, "/a", {15});
  commit_chunk("/a", {20}, "meanwhile");
  must(commit(shrink, "smaller"));
  auto grow = writable();
  put_array(grow, "/a", {30});
  must(commit(grow, "larger again"));
  EXPECT_EQ(chunks_of(readonly(), "/a").size(), 1U);
}

TEST_F(CommitTest, writes_whole_windows_when_asked) {
  auto session = writable();
  put_array(session, "/a", {30});
  for (const std::uint32_t i : {0U, 3U, 15U}) put_chunk(session, "/a", {i}, "x");
  must(commit(session, "base"));
  auto again = writable();
  for (const std::uint32_t i : {1U, 9U}) put_chunk(again, "/a", {i}, "y");
  must(commit(again, "window", {}, {.layout = ManifestLayout::kWindows, .conflicts = {}}));
  const auto manifests = manifests_of(repository_, "/a");
  ASSERT_EQ(manifests.size(), 2U);
  EXPECT_EQ(box_text(manifests[0].extents), "[0,10)");
  EXPECT_EQ(chunks_of(readonly(), "/a").size(), 5U);
}

TEST_F(CommitTest, rebases_over_commits_that_touch_other_chunks) {
  auto session = writable();
  put_array(session, "/a", {30});
  put_array(session, "/b", {30});
  must(commit(session, "base"));
  auto one = writable();
  auto two = writable();
  put_chunk(one, "/a", {1}, "one");
  put_chunk(one, "/b", {1}, "one");
  put_chunk(two, "/a", {2}, "two");
  must(commit(one, "one"));
  const auto result = must(commit(two, "two"));
  EXPECT_EQ(result.rebase_attempts, 1U);
  EXPECT_EQ(result.manifests_written, 1U);  // what was written before the race is used
  EXPECT_EQ(chunks_of(readonly(), "/a"),
            (std::map<ChunkIndex, std::string>{{{1}, "one"}, {{2}, "two"}}));
  EXPECT_EQ(chunks_of(readonly(), "/b").size(), 1U);
}

TEST_F(CommitTest, writes_again_after_a_race_when_boxes_would_meet) {
  auto session = writable();
  put_array(session, "/a", {10, 10});
  must(commit(session, "base"));
  auto one = writable();
  auto two = writable();
  // a shape that needs a box with holes, and a position in such a hole
  for (std::uint32_t i = 0; i < 10; ++i) {
    for (std::uint32_t j = i % 2; j < 10; j += 2) put_chunk(one, "/a", {i, j}, "one");
  }
  put_chunk(two, "/a", {4, 5}, "two");
  must(commit(two, "two"));
  must(commit(one, "one"));
  const auto chunks = chunks_of(readonly(), "/a");
  EXPECT_EQ(chunks.size(), 51U);
  EXPECT_EQ(chunks.at({4, 5}), "two");
  EXPECT_EQ(chunk_text(readonly(), "/a", {4, 5}), "two");
}

TEST_F(CommitTest, solves_double_updates_only_as_the_policy_says) {
  auto session = writable();
  put_array(session, "/a", {4});
  must(commit(session, "base"));
  for (const auto& [preference, expected] :
       std::map<Preference, std::string>{{Preference::kFail, "first"},
                                         {Preference::kOurs, "second"},
                                         {Preference::kTheirs, "third"}}) {
    auto theirs = writable();
    auto ours = writable();
    put_chunk(theirs, "/a", {1}, expected == "second" ? "x" : expected);
    put_chunk(ours, "/a", {1}, "second");
    put_chunk(ours, "/a", {2}, "beside");
    must(commit(theirs, "theirs"));
    const auto result =
        commit(ours, "ours", {}, {.conflicts = {.chunk_double_update = preference}});
    EXPECT_EQ(result.has_value(), preference != Preference::kFail);
    if (!result) {
      EXPECT_EQ(result.error().code(), core::ErrorCode::kConflict);
      EXPECT_NE(result.error().message().find("ChunkDoubleUpdate at /a (chunks [1])"),
                std::string::npos);
    }
    EXPECT_EQ(chunk_text(readonly(), "/a", {1}), expected);
  }
}

TEST_F(CommitTest, does_not_follow_a_branch_that_was_reset) {
  auto session = writable();
  put_array(session, "/a", {4});
  must(commit(session, "base"));
  auto lost = writable();
  put_chunk(lost, "/a", {1}, "x");
  must(reset_branch(repository_, "main", kInitialSnapshotId, std::nullopt));
  EXPECT_EQ(commit(lost, "lost").error().code(), core::ErrorCode::kConflict);
}

TEST_F(CommitTest, amends_the_tip) {
  auto session = writable();
  put_array(session, "/a", {4});
  const auto first = must(commit(session, "first"));
  auto more = writable();
  put_chunk(more, "/a", {1}, "x");
  const auto second = must(amend(more, "both"));
  EXPECT_EQ(second.parent, kInitialSnapshotId);
  EXPECT_EQ(must(repository_.tip("main")), second.snapshot);
  EXPECT_EQ(must(repository_.ancestry(second.snapshot)).size(), 2U);
  const auto log = must(repository_.assets()->transaction_log(second.snapshot));
  EXPECT_EQ(log->new_arrays.size(), 1U);
  EXPECT_EQ(log->updated_chunks.size(), 1U);
  EXPECT_NE(must(repository_.info())->find(first.snapshot), nullptr);
}

TEST_F(CommitTest, moves_nodes_with_what_they_hold) {
  auto session = writable();
  put_group(session, "/");
  put_group(session, "/g");
  put_array(session, "/g/a", {4});
  put_chunk(session, "/g/a", {1}, "x");
  must(commit(session, "base"));
  const auto id = readonly().node("/g/a")->id;
  auto move = writable();
  must(move.move_node("/g", "/h"));
  EXPECT_EQ(chunk_text(move, "/h/a", {1}), "x");
  const auto result = must(commit(move, "moved"));
  EXPECT_EQ(readonly().node("/h/a")->id, id);
  EXPECT_FALSE(readonly().node("/g"));
  EXPECT_EQ(chunk_text(readonly(), "/h/a", {1}), "x");
  const auto log = must(repository_.assets()->transaction_log(result.snapshot));
  EXPECT_EQ(log->moves.size(), 2U);
}

}  // namespace
}  // namespace icefield::icechunk
