#include <algorithm>
#include <charconv>

#include <gtest/gtest.h>

#include "core/text.h"
#include "object_store/open.h"
#include "object_store/testing/expectations.h"
#include "object_store/testing/faulty_store.h"
#include "object_store/testing/processes.h"
#include "object_store/testing/scratch_folder.h"

namespace icefield::object_store_testing {
namespace {

using object_store::Key;
using object_store::ObjectStore;
using object_store::PutCondition;

constexpr std::size_t kProcesses = 32;
constexpr int kRounds = 20;

std::unique_ptr<ObjectStore> open_at(const ScratchFolder& folder) {
  auto store = object_store::open_store((folder.path() / "root").string());
  EXPECT_TRUE(store);
  return *std::move(store);
}

int won(ObjectStore& store, const Key& key, std::size_t process, const PutCondition& condition) {
  const auto body = core::text("process ", process);
  const auto put = store.put(key, core::as_bytes(body), condition);
  if (put) return 1;
  return put.error().code() == core::ErrorCode::kConflict ? 0 : 9;
}

TEST(LocalProcesses, exactly_one_of_32_creates) {
  const ScratchFolder folder;
  const auto store = open_at(folder);
  for (int round = 0; round < kRounds; ++round) {
    const Key key(core::text("refs/", round, "/ref"));
    const auto statuses = run_in_processes(
        kProcesses, [&](std::size_t i) { return won(*store, key, i, PutCondition::absent()); });
    EXPECT_EQ(std::ranges::count(statuses, 1), 1) << "round " << round;
    EXPECT_EQ(std::ranges::count(statuses, 0), kProcesses - 1) << "round " << round;
    const auto winner = std::ranges::find(statuses, 1) - statuses.begin();
    EXPECT_EQ(text_of(*store, key.value()), core::text("process ", winner));
  }
}

TEST(LocalProcesses, exactly_one_of_32_replaces) {
  const ScratchFolder folder;
  const auto store = open_at(folder);
  must_put(*store, "repo", "start");
  for (int round = 0; round < kRounds; ++round) {
    const auto head = store->head(Key("repo"));
    ASSERT_TRUE(head);
    const auto statuses = run_in_processes(kProcesses, [&](std::size_t i) {
      return won(*store, Key("repo"), i, PutCondition::unchanged_since(head->version));
    });
    EXPECT_EQ(std::ranges::count(statuses, 1), 1) << "round " << round;
    EXPECT_EQ(std::ranges::count(statuses, 0), kProcesses - 1) << "round " << round;
    const auto winner = std::ranges::find(statuses, 1) - statuses.begin();
    EXPECT_EQ(text_of(*store, "repo"), core::text("process ", winner));
  }
  EXPECT_EQ(listed(*store, {}), std::vector<std::string>{"repo"});
}

// Exit status 0 when `times` additions were carried out.
int add(ObjectStore& store, int times) {
  for (int done = 0; done < times;) {
    const auto object = store.get(Key("counter"));
    if (!object) return 1;
    const auto text = core::as_text(object->bytes);
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    const auto next = core::text(value + 1);
    const auto put = store.put(Key("counter"), core::as_bytes(next),
                               PutCondition::unchanged_since(object->info.version));
    if (put) ++done;
    if (!put && put.error().code() != core::ErrorCode::kConflict) return 2;
  }
  return 0;
}

TEST(LocalProcesses, counting_by_replacement_loses_nothing) {
  const ScratchFolder folder;
  const auto store = open_at(folder);
  must_put(*store, "counter", "0");
  const auto statuses =
      run_in_processes(16, [&store](std::size_t /*i*/) { return add(*store, 50); });
  EXPECT_EQ(std::ranges::count(statuses, 0), 16);
  EXPECT_EQ(text_of(*store, "counter"), "800");
}

TEST(LocalProcesses, writers_and_removers_of_one_folder_never_fail) {
  const ScratchFolder folder;
  const auto store = open_at(folder);
  const auto statuses = run_in_processes(8, [&store](std::size_t i) {
    for (int n = 0; n < 200; ++n) {
      const Key key(core::text("deep/er/folder/", i));
      if (!store->put(key, core::as_bytes("x"), PutCondition::absent())) return 1;
      if (!store->remove(std::vector{key}).front()) return 2;
    }
    return 0;
  });
  EXPECT_EQ(std::ranges::count(statuses, 0), 8);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "root"));
}

TEST(LocalProcesses, a_crash_leaves_the_old_or_the_new_object_and_no_lock) {
  const ScratchFolder folder;
  const auto store = open_at(folder);
  const auto before = must_put(*store, "repo", "old");
  for (const bool carried_out : {false, true}) {
    const auto statuses = run_in_processes(1, [&](std::size_t /*i*/) {
      FaultPlan plan;
      (carried_out ? plan.after : plan.before) = crash_at(2);
      const auto faulty = make_faulty_store(*store, plan);
      if (!faulty->head(Key("repo"))) return 1;
      return won(*faulty, Key("repo"), 0, PutCondition::unchanged_since(before.version));
    });
    EXPECT_EQ(statuses.front(), 256 + 9);
    EXPECT_EQ(text_of(*store, "repo"), carried_out ? "process 0" : "old");
  }
  EXPECT_EQ(won(*store, Key("repo"), 1, PutCondition::none()), 1);
}

}  // namespace
}  // namespace icefield::object_store_testing
