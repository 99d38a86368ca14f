#include <set>
#include <string>

#include <gtest/gtest.h>

#include "icechunk/commit/internal/commit_run.h"
#include "icechunk/commit/testing/repository_words.h"

namespace icefield::icechunk {
namespace {

using namespace testing_words;  // NOLINT: small words of the tests

std::set<std::string> keys_of(const object_store::ObjectStore& store) {
  std::set<std::string> keys;
  for (const auto& object : must(object_store::list_all(store, ""))) {
    keys.insert(object.key.value());
  }
  return keys;
}

// VREF-4: a commit beyond what readers take is refused before anything is written

TEST(Limits, refuse_a_log_that_no_reader_takes_before_anything_is_written) {
  static_assert(kMaxUpdatedChunks < 50'000'000);  // tables in a log, official readers
  const auto store = memory_store();
  const auto repository = new_repository(store);
  auto session = must(repository.writable_session("main"));
  put_array(session, "/a", {20});
  for (std::uint32_t i = 0; i < 11; ++i) put_chunk(session, "/a", {i}, "x");
  const auto before = keys_of(*store);
  const Metadata metadata;
  const auto order = [&metadata](std::uint64_t most) {
    return CommitOrder{.message = "m",
                       .metadata = metadata,
                       .mode = CommitMode::kOnTop,
                       .options = {},
                       .flush = {},
                       .most_chunks = most};
  };
  const auto refused = CommitRun(session.state(), order(10)).run();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), core::ErrorCode::kUnsupported);
  EXPECT_NE(refused.error().message().find("11 chunks"), std::string::npos);
  EXPECT_EQ(keys_of(*store), before);
  EXPECT_TRUE(session.has_changes());
  // as large as they take is not too large
  EXPECT_EQ(must(CommitRun(session.state(), order(11)).run()).references, 11U);
}

// Small manifests are merged when there are too many of them: once in many commits, since a writer
// that has to do it with every commit pays for all that came before it

TEST(Limits, keep_few_manifests_at_little_cost) {
  constexpr std::uint32_t kRows = 2;  // windows
  constexpr std::uint32_t kCommits = 400;
  const auto repository = new_repository(memory_store(), split_by(1));
  {
    auto session = must(repository.writable_session("main"));
    put_array(session, "/a", {kRows, kCommits / kRows});
    must(commit(session, "array"));
  }
  std::size_t before = 0;
  std::size_t most = 0;
  std::uint32_t merged = 0;
  for (std::uint32_t i = 0; i < kCommits; ++i) {
    auto session = must(repository.writable_session("main"));
    put_chunk(session, "/a", {i % kRows, i / kRows}, "x");
    must(commit(session, "one"));
    const std::size_t now = manifests_of(repository, "/a").size();
    merged += now < before ? 1U : 0U;
    most = std::max(most, now);
    before = now;
  }
  EXPECT_LE(most, kMostManifests + kRows);
  EXPECT_GE(merged, 5U);
  EXPECT_LE(merged, kCommits / 20);
  EXPECT_EQ(chunks_of(must(repository.readonly_session(BranchName("main"))), "/a").size(),
            kCommits);
}

// VREF-5: what a long-running writer keeps does not grow

TEST(Limits, hold_what_a_writer_keeps_over_many_commits) {
  const auto store = memory_store();
  const auto repository = new_repository(store);
  constexpr std::uint32_t kFilled = 20'000;
  {
    auto session = must(repository.writable_session("main"));
    put_array(session, "/a", {kFilled + 500});
    for (std::uint32_t i = 0; i < kFilled; ++i) put_chunk(session, "/a", {i}, "x");
    must(commit(session, "filled"));
  }
  std::size_t early = 0;
  for (std::uint32_t i = 0; i < 500; ++i) {
    auto session = must(repository.writable_session("main"));
    put_chunk(session, "/a", {kFilled + i}, "x");
    must(commit(session, "one"));
    if (i == 50) early = repository.assets()->cache().bytes();
  }
  EXPECT_LE(repository.assets()->cache().bytes(), early + early / 4);
  EXPECT_EQ(chunks_of(must(repository.readonly_session(BranchName("main"))), "/a").size(),
            kFilled + 500);
}

}  // namespace
}  // namespace icefield::icechunk
