#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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
using object_store_testing::make_faulty_store;
using object_store_testing::Operation;
using object_store_testing::run_in_processes;
using object_store_testing::ScratchFolder;

using Store = std::shared_ptr<object_store::ObjectStore>;

Store local(const std::filesystem::path& folder) {
  return {must(object_store::make_local_store(folder.string()))};
}

constexpr std::uint32_t kBlock = 8;  // references of one commit, a window of their own

/// One array with a row of kBlock chunks per commit.
void make_base(const Store& store, std::uint32_t rows) {
  const auto repository = must(Repository::create(store, split_by(1)));
  auto session = must(repository.writable_session("main"));
  put_array(session, "/a", {rows, kBlock});
  must(commit(session, "base"));
}

void commit_row(const Repository& repository, std::uint32_t row, const CommitOptions& options) {
  auto session = must(repository.writable_session("main"));
  for (std::uint32_t i = 0; i < kBlock; ++i) put_chunk(session, "/a", {row, i}, "x");
  must(commit(session, std::to_string(row), {}, options));
}

/// What the history and its snapshots say: every row was committed once and is there.
void expect_all(const Store& store, std::uint32_t rows) {
  const auto repository = must(Repository::open(store));
  std::multiset<std::string> messages;
  for (const auto& snapshot : must(repository.ancestry(must(repository.tip("main"))))) {
    messages.insert(snapshot.message);
  }
  EXPECT_EQ(messages.size(), rows + 2);
  for (std::uint32_t row = 0; row < rows; ++row) EXPECT_EQ(messages.count(std::to_string(row)), 1U);
  const auto reader = must(repository.readonly_session(BranchName("main")));
  EXPECT_EQ(chunks_of(reader, "/a").size(), std::size_t{rows} * kBlock);
}

/// rebase_attempts of every commit of a row; fewer when a snapshot does not say it.
std::vector<std::int64_t> attempts(const Store& store) {
  const auto repository = must(Repository::open(store));
  std::vector<std::int64_t> all;
  for (const auto& snapshot : must(repository.ancestry(must(repository.tip("main"))))) {
    for (const auto& [name, value] : must(decode_metadata(snapshot.metadata))) {
      if (name != "__icechunk" || snapshot.message == "base") continue;
      if (const auto* count = value.find("rebase_attempts")) all.push_back(count->as_int64());
    }
  }
  return all;
}

std::uint64_t manifest_bytes(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "manifests")) {
    bytes += entry.file_size();
  }
  return bytes;
}

// COMMIT-2: 40 writers, disjoint contiguous blocks, latency on every request, one commit each

class ManyWriters : public testing::TestWithParam<bool> {};

TEST_P(ManyWriters, land_all_their_commits_and_write_no_manifest_again) {
  constexpr std::uint32_t kWriters = 40;
  const ScratchFolder serial;
  make_base(local(serial.path()), kWriters);
  for (std::uint32_t row = 0; row < kWriters; ++row) {
    commit_row(must(Repository::open(local(serial.path()))), row, {});
  }
  const ScratchFolder folder;
  make_base(local(folder.path()), kWriters);
  const auto statuses = run_in_processes(kWriters, [&](std::size_t writer) {
    const auto inner = local(folder.path());
    const Store store = make_faulty_store(*inner, {.latency = std::chrono::milliseconds(2)});
    CommitOptions options;
    options.queue = GetParam();
    commit_row(must(Repository::open(store)), static_cast<std::uint32_t>(writer), options);
    return 0;
  });
  EXPECT_EQ(statuses, std::vector<int>(kWriters, 0));
  const auto store = local(folder.path());
  expect_all(store, kWriters);
  const auto races = attempts(store);
  EXPECT_EQ(races.size(), kWriters);
  if (GetParam()) {
    EXPECT_LE(*std::ranges::max_element(races), 5);
  }
  EXPECT_LE(manifest_bytes(folder.path()) * 2, manifest_bytes(serial.path()) * 3);
}

INSTANTIATE_TEST_SUITE_P(Commit2, ManyWriters, testing::Bool(),
                         [](const auto& one) { return one.param ? "in_line" : "racing"; });

TEST(ManyProcesses, lose_no_commit) {
  constexpr std::uint32_t kProcesses = 32;
  constexpr std::uint32_t kCommits = 2;
  const ScratchFolder folder;
  make_base(local(folder.path()), kProcesses * kCommits);
  const auto statuses = run_in_processes(kProcesses, [&](std::size_t process) {
    const auto repository = must(Repository::open(local(folder.path())));
    for (std::uint32_t i = 0; i < kCommits; ++i) {
      commit_row(repository, static_cast<std::uint32_t>(process) * kCommits + i, {});
    }
    return 0;
  });
  EXPECT_EQ(statuses, std::vector<int>(kProcesses, 0));
  expect_all(local(folder.path()), kProcesses * kCommits);
}

// COMMIT-1 among rivals: answers get lost, requests arrive twice, late or after others, and no two
// clocks agree

TEST(ManyProcesses, lose_no_commit_when_nothing_goes_right) {
  constexpr std::uint32_t kProcesses = 8;
  constexpr std::uint32_t kCommits = 3;
  const ScratchFolder folder;
  make_base(local(folder.path()), kProcesses * kCommits);
  const auto statuses = run_in_processes(kProcesses, [&](std::size_t process) {
    FaultPlan plan{.seed = process + 1, .latency = std::chrono::microseconds(200)};
    for (const auto operation : {Operation::kPut, Operation::kCopy}) {
      for (const auto fault : {Fault::kLostAnswer, Fault::kTwice, Fault::kTwiceLate}) {
        plan.rules.push_back(FaultRule{.fault = fault, .operation = operation});
        plan.rules.back().chance = 0.15;
        plan.rules.back().count =
            2;  // of one write three answers may get lost before it is given up
      }
      plan.rules.push_back(FaultRule{.fault = Fault::kDelay, .operation = operation});
      plan.rules.back().chance = 0.2;
      plan.rules.back().delay = std::chrono::milliseconds(3);
    }
    const auto inner = local(folder.path());
    const Store store = make_faulty_store(*inner, plan);
    RepositoryOptions options;
    const auto error = std::chrono::hours(process % 2 == 0 ? 1 : -1);
    options.clock = [error] { return core::system_now() + error; };
    const auto repository = must(Repository::open(store, options));
    CommitOptions racing;
    racing.queue = process % 4 == 0;
    for (std::uint32_t i = 0; i < kCommits; ++i) {
      commit_row(repository, static_cast<std::uint32_t>(process) * kCommits + i, racing);
    }
    return 0;
  });
  EXPECT_EQ(statuses, std::vector<int>(kProcesses, 0));
  const auto store = local(folder.path());
  expect_all(store, kProcesses * kCommits);
  const auto now = core::system_now();
  const auto info = must(must(Repository::open(store)).info());
  for (const auto& snapshot : info->snapshots) {
    EXPECT_LE(snapshot.flushed_at, now + std::chrono::seconds(1));
    EXPECT_GT(snapshot.flushed_at, now - std::chrono::minutes(10));
  }
}

}  // namespace
}  // namespace icefield::icechunk
