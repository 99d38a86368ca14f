#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "coordination/local_backfill.h"
#include "core/text.h"
#include "icechunk/commit/repository.h"
#include "object_store/open.h"
#include "object_store/testing/faulty_store.h"
#include "object_store/testing/processes.h"
#include "object_store/testing/scratch_folder.h"
#include "walk_dataset.h"

// Invariant: whenever the process dies, main shows the state before the whole backfill or after it,
// and the same command run again ends in the state of an undisturbed run.
namespace icefield::walks {
namespace {

constexpr std::uint64_t kPositions = 2;
constexpr int kSurvived = 7;

std::shared_ptr<object_store::ObjectStore> open(const std::filesystem::path& folder) {
  return *object_store::open_store(folder.string());
}

core::Result<coordination::BackfillResult> run(const coordination::LocalBackfill& backfill) {
  core::Progress silent;
  return coordination::run_local_backfill(backfill, silent);
}

/// Runs the job in a process of its own that dies at the n-th call of the store.
/// Gives its exit status: kSurvived when it needed fewer calls.
int run_and_die_at(const std::filesystem::path& folder, const SourceTree& tree, std::uint64_t n,
                   bool after, const std::function<void(coordination::LocalBackfill&)>& change) {
  const auto work = [&](std::size_t /*index*/) {
    const auto inner = open(folder);
    object_store_testing::FaultPlan plan;
    (after ? plan.after : plan.before) = object_store_testing::crash_at(n);
    const std::shared_ptr<object_store::ObjectStore> store =
        object_store_testing::make_faulty_store(*inner, plan);
    auto backfill = backfill_of(store, tree, kPositions);
    change(backfill);
    return run(backfill) ? kSurvived : 1;
  };
  return object_store_testing::run_in_processes(1, work).front();
}

struct CrashCase {
  std::string name;
  bool after = false;
  bool overwrite = false;
};

class Crash : public testing::TestWithParam<CrashCase> {};

TEST_P(Crash, at_any_call_leaves_the_old_or_the_new_state_and_a_rerun_completes) {
  const object_store_testing::ScratchFolder scratch;
  const SourceTree tree(scratch.path() / "source");
  tree.publish(0, kPositions);
  const auto change = [](coordination::LocalBackfill& backfill) {
    backfill.job.overwrite_chunks = GetParam().overwrite;
  };
  const auto base = scratch.path() / "base";  // what each attempt begins with
  if (GetParam().overwrite) {
    ASSERT_TRUE(run(backfill_of(open(base), tree, kPositions)));
    tree.publish(0, kPositions, 2);
  }
  const auto copy_base = [&](const std::filesystem::path& to) {
    if (std::filesystem::exists(base)) {
      std::filesystem::copy(base, to, std::filesystem::copy_options::recursive);
    }
  };
  const auto undisturbed = scratch.path() / "undisturbed";
  copy_base(undisturbed);
  auto whole = backfill_of(open(undisturbed), tree, kPositions);
  change(whole);
  ASSERT_TRUE(run(whole));
  const auto before = content_of(open(base));
  const auto wanted = content_of(open(undisturbed));
  ASSERT_NE(before, wanted);

  bool survived = false;
  for (std::uint64_t n = 1; !survived; ++n) {
    ASSERT_LT(n, 2000U) << "the job never ends";
    const auto folder = scratch.path() / core::text("store", n);
    copy_base(folder);
    const int status = run_and_die_at(folder, tree, n, GetParam().after, change);
    survived = status == kSurvived;
    const bool exists = *icechunk::Repository::exists(*open(folder));
    const auto seen = content_of(open(folder));
    if (exists) {
      EXPECT_TRUE(seen == wanted || seen.empty() || seen == before) << "at call " << n;
    }
    auto again = backfill_of(open(folder), tree, kPositions);
    change(again);
    const auto result = run(again);
    const bool was_done = seen == wanted && !GetParam().overwrite;
    EXPECT_TRUE(result || was_done) << "at call " << n << ": " << result.error().message();
    EXPECT_EQ(content_of(open(folder)), wanted) << "at call " << n;
    std::filesystem::remove_all(folder);
  }
}

INSTANTIATE_TEST_SUITE_P(Backfill, Crash,
                         testing::Values(CrashCase{"before_create", false, false},
                                         CrashCase{"after_create", true, false},
                                         CrashCase{"before_overwrite", false, true},
                                         CrashCase{"after_overwrite", true, true}),
                         [](const auto& tested) { return tested.param.name; });

TEST(BackfillFaults, lost_answers_change_nothing_in_the_result) {
  const object_store_testing::ScratchFolder scratch;
  const SourceTree tree(scratch.path() / "source");
  tree.publish(0, kPositions);
  ASSERT_TRUE(run(backfill_of(open(scratch.path() / "calm"), tree, kPositions)));
  const auto wanted = content_of(open(scratch.path() / "calm"));
  for (int skip = 0; skip < 30; ++skip) {
    const auto folder = scratch.path() / core::text("lost", skip);
    const auto inner = open(folder);
    object_store_testing::FaultPlan plan;
    plan.rules = {{.fault = object_store_testing::Fault::kLostAnswer,
                   .operation = object_store_testing::Operation::kPut,
                   .key_part = "repo",
                   .skip = skip,
                   .count = 1}};
    const std::shared_ptr<object_store::ObjectStore> store =
        object_store_testing::make_faulty_store(*inner, plan);
    const auto result = run(backfill_of(store, tree, kPositions));
    ASSERT_TRUE(result) << "lost answer " << skip << ": " << result.error().message();
    EXPECT_EQ(content_of(inner), wanted) << "lost answer " << skip;
  }
}

}  // namespace
}  // namespace icefield::walks
