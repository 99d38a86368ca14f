#include <atomic>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/random.h"
#include "core/text.h"
#include "icechunk/commit/refs.h"
#include "icechunk/commit/testing/repository_words.h"
#include "object_store/local/local_store.h"
#include "object_store/testing/faulty_store.h"
#include "object_store/testing/processes.h"
#include "object_store/testing/scratch_folder.h"

namespace icefield::icechunk {
namespace {

using namespace testing_words;  // NOLINT: small words of the tests
using object_store_testing::Fault;
using object_store_testing::FaultPlan;
using object_store_testing::FaultRule;
using object_store_testing::Operation;

using Store = std::shared_ptr<object_store::ObjectStore>;

Store faulty(const Store& inner, FaultPlan plan) {
  return {object_store_testing::make_faulty_store(*inner, std::move(plan))};
}

Store local(const std::filesystem::path& folder) {
  return {must(object_store::make_local_store(folder.string()))};
}

std::vector<std::string> messages(const Repository& repository) {
  std::vector<std::string> all;
  for (const auto& snapshot : must(repository.ancestry(must(repository.tip("main"))))) {
    all.push_back(snapshot.message);
  }
  return all;
}

// COMMIT-1: a conditional write whose answer is lost

TEST(LostAnswers, let_each_operation_happen_once) {
  for (const auto operation : {Operation::kPut, Operation::kCopy}) {
    for (const auto fault : {Fault::kLostAnswer, Fault::kTwice, Fault::kTwiceLate}) {
      for (int skip = 0; skip < 4; ++skip) {
        SCOPED_TRACE(core::text("skip ", skip));
        const auto store = memory_store();
        const auto plain = new_repository(store);
        FaultRule rule{.fault = fault, .operation = operation};
        rule.skip = skip;
        rule.count = 1;
        const auto repository = must(Repository::open(faulty(store, {.rules = {rule}})));
        auto session = must(repository.writable_session("main"));
        put_array(session, "/a", {4});
        put_chunk(session, "/a", {1}, "x");
        must(commit(session, "once"));
        must(create_branch(repository, "b", must(repository.tip("main"))));
        must(create_tag(repository, "t", must(repository.tip("main"))));
        RepositoryConfig config;
        config.set_inline_chunk_threshold_bytes(7);
        must(save_config(repository, config));
        EXPECT_EQ(messages(plain), (std::vector<std::string>{"once", "Repository initialized"}));
        const auto info = must(plain.info());
        EXPECT_EQ(info->branches.size(), 2U);
        EXPECT_EQ(info->tags.size(), 1U);
        EXPECT_EQ(info->updates.size(), 5U);  // initialised, commit, branch, tag, configuration
      }
    }
  }
}

TEST(LostAnswers, are_told_from_real_competition) {
  const auto store = memory_store();
  const auto plain = new_repository(store);
  // while the answer to our replacement of repo is on its way, somebody commits on top of it
  FaultPlan plan;
  plan.rules = {
      FaultRule{.fault = Fault::kLostAnswer, .operation = Operation::kPut, .key_part = "repo"}};
  plan.rules[0].count = 1;
  bool done = false;
  plan.after = [&](const object_store_testing::Call& call) {
    if (done || call.operation != Operation::kPut || call.key != "repo") return;
    done = true;
    auto theirs = must(plain.writable_session("main"));
    put_group(theirs, "/theirs");
    must(commit(theirs, "theirs"));
  };
  const auto repository = must(Repository::open(faulty(store, plan)));
  auto session = must(repository.writable_session("main"));
  put_group(session, "/ours");
  const auto result = must(commit(session, "ours"));
  EXPECT_EQ(result.rebase_attempts, 0U);
  EXPECT_EQ(messages(plain),
            (std::vector<std::string>{"theirs", "ours", "Repository initialized"}));
  // the same name created by somebody else is still a conflict
  must(create_branch(plain, "b", kInitialSnapshotId));
  EXPECT_EQ(create_branch(repository, "b", kInitialSnapshotId).error().code(),
            core::ErrorCode::kConflict);
}

TEST(LostAnswers, do_not_hide_a_lost_race) {
  const auto store = memory_store();
  const auto plain = new_repository(store);
  FaultPlan plan;
  bool done = false;
  plan.before = [&](const object_store_testing::Call& call) {
    if (done || call.operation != Operation::kPut || call.key != "repo") return;
    done = true;
    auto theirs = must(plain.writable_session("main"));
    put_group(theirs, "/theirs");
    must(commit(theirs, "theirs"));
  };
  const auto repository = must(Repository::open(faulty(store, plan)));
  auto session = must(repository.writable_session("main"));
  put_group(session, "/ours");
  EXPECT_EQ(must(commit(session, "ours")).rebase_attempts, 1U);
  EXPECT_EQ(messages(plain),
            (std::vector<std::string>{"ours", "theirs", "Repository initialized"}));
}

// kill -9 at every call

/// Everything that a killed process was in the middle of.
void work(const Store& store) {
  auto repository = Repository::open(store);
  if (!repository) repository = Repository::create(store, split_by(4));
  if (!repository) return;
  auto session = must(repository->writable_session("main"));
  if (!session.node("/a")) put_array(session, "/a", {8});
  put_chunk(session, "/a", {1}, "one");
  put_chunk(session, "/a", {5}, std::string(600, 'x'));
  must(commit(session, "one"));
  must(create_branch(*repository, "side", must(repository->tip("main"))));
  auto again = must(repository->writable_session("side"));
  put_chunk(again, "/a", {1}, "two");
  must(commit(again, "two"));
  const auto before = must(repository->tip("main"));
  must(reset_branch(*repository, "main", must(repository->tip("side")), before));
  must(delete_branch(*repository, "side"));
}

/// Every snapshot of every ref reads in full.
void expect_whole(const Repository& repository) {
  const auto info = must(repository.info());
  for (const auto& [branch, tip] : info->branches) {
    for (const auto& snapshot : must(repository.ancestry(tip))) {
      const auto session = must(repository.readonly_session(snapshot.id));
      must(repository.assets()->transaction_log(snapshot.id));
      for (const NodeView& node : session.nodes()) {
        if (!node.is_array) continue;
        for (std::uint32_t i = 0; i < node.shape[0].num_chunks; ++i) {
          chunk_text(session, node.path, {i});  // aborts on errors
        }
      }
    }
  }
}

/// Ends a process at its call number `at` of work(); false when it was done before that.
bool crash(const std::filesystem::path& folder, std::uint64_t at, bool carried_out) {
  const auto statuses = object_store_testing::run_in_processes(1, [&](std::size_t) {
    FaultPlan plan;
    (carried_out ? plan.after : plan.before) = object_store_testing::crash_at(at);
    const auto inner = local(folder);
    work(faulty(inner, plan));
    return 0;
  });
  EXPECT_TRUE(statuses[0] == 0 || statuses[0] == 256 + SIGKILL) << statuses[0];
  return statuses[0] != 0;
}

TEST(Crashes, leave_a_whole_repository_or_none_at_every_call) {
  for (const bool carried_out : {false, true}) {
    // how many calls there are depends on what the store says about the time: until none is left
    std::uint64_t at = 1;
    for (;; ++at) {
      SCOPED_TRACE(core::text("killed at call ", at, carried_out ? ", carried out" : ""));
      const object_store_testing::ScratchFolder folder;
      const bool crashed = crash(folder.path(), at, carried_out);
      const auto store = local(folder.path());
      const auto survivor = Repository::open(store);
      if (!survivor) {
        EXPECT_EQ(survivor.error().code(), core::ErrorCode::kNotFound);
        new_repository(store);  // takes the place over
        continue;
      }
      expect_whole(*survivor);
      auto session = must(survivor->writable_session("main"));
      put_group(session, "/after");
      must(commit(session, "after the crash"));
      expect_whole(*survivor);
      if (!crashed) break;
    }
    EXPECT_GT(at, 20U);
  }
}

// clocks

TEST(Clocks, of_writers_an_hour_off_follow_the_store) {
  for (const auto error : {std::chrono::hours(1), std::chrono::hours(-1)}) {
    const auto store = memory_store();
    RepositoryOptions options;
    options.clock = [error] { return core::system_now() + error; };
    const auto repository = must(Repository::create(store, {}, options));
    auto session = must(repository.writable_session("main"));
    put_group(session, "/");
    must(commit(session, "x"));
    const auto now = core::system_now();
    const auto info = must(repository.info());
    for (const auto& snapshot : info->snapshots) {
      EXPECT_LE(snapshot.flushed_at, now);
      EXPECT_GT(snapshot.flushed_at, now - std::chrono::minutes(5));
    }
    for (const auto& update : info->updates) {
      EXPECT_LE(update.at, now);
      EXPECT_GT(update.at, now - std::chrono::minutes(5));
    }
  }
}

TEST(Clocks, that_swing_by_seconds_from_call_to_call_do_not_stop_a_commit) {
  std::atomic<std::uint64_t> calls = 0;
  RepositoryOptions options;
  options.clock = [&calls] {
    std::uint64_t state = calls++;
    return core::system_now() + std::chrono::milliseconds(core::splitmix64(state) % 3000);
  };
  for (int i = 0; i < 300; ++i) {
    const auto store = memory_store();
    new_repository(store);
    const auto repository = must(Repository::open(store, options));
    auto session = must(repository.writable_session("main"));
    put_group(session, "/");
    const auto committed = commit(session, "x");
    ASSERT_TRUE(committed) << committed.error().message();
  }
}

}  // namespace
}  // namespace icefield::icechunk
