#include <algorithm>
#include <atomic>
#include <barrier>
#include <charconv>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

#include "core/text.h"
#include "object_store/testing/expectations.h"

namespace icefield::object_store_testing {
namespace {

using object_store::Key;
using object_store::ObjectStore;
using object_store::PutCondition;

constexpr int kWriters = 32;
constexpr int kRounds = 5;

/// Runs `work(i)` on 32 threads that start together; gives how many said true.
template <typename Work>
int count_true(const Work& work) {
  std::barrier together(kWriters);
  std::atomic<int> yes{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kWriters; ++i) {
      threads.emplace_back([&, i] {
        together.arrive_and_wait();
        if (work(i)) ++yes;
      });
    }
  }
  return yes;
}

void one_of_32_creators_wins(ObjectStore& store, const StoreTraits& /*traits*/) {
  for (int round = 0; round < kRounds; ++round) {
    const auto key = core::text("race/", round);
    std::atomic<int> winner{-1};
    std::atomic<int> strange{0};
    const int winners = count_true([&](int i) {
      const auto body = core::text("writer ", i);
      const auto put = store.put(Key(key), core::as_bytes(body), PutCondition::absent());
      if (put) winner = i;
      if (!put && put.error().code() != core::ErrorCode::kConflict) ++strange;
      return put.has_value();
    });
    EXPECT_EQ(winners, 1) << "round " << round;
    EXPECT_EQ(strange, 0) << "round " << round;
    EXPECT_EQ(text_of(store, key), core::text("writer ", winner.load()));
  }
}

void one_of_32_replacers_wins(ObjectStore& store, const StoreTraits& /*traits*/) {
  auto version = must_put(store, "repo", "start").version;
  for (int round = 0; round < kRounds; ++round) {
    const auto condition = PutCondition::unchanged_since(version);
    std::atomic<int> winner{-1};
    const int winners = count_true([&](int i) {
      const auto body = core::text("round ", round, " writer ", i);
      const auto put = store.put(Key("repo"), core::as_bytes(body), condition);
      if (put) winner = i;
      return put.has_value();
    });
    EXPECT_EQ(winners, 1) << "round " << round;
    EXPECT_EQ(text_of(store, "repo"), core::text("round ", round, " writer ", winner.load()));
    const auto head = store.head(Key("repo"));
    ASSERT_TRUE(head);
    version = head->version;
  }
}

/// Adds one to the number in `key` by compare-and-swap; how many attempts it took, 0 on an error.
int add_one(ObjectStore& store, const Key& key) {
  for (int attempt = 1;; ++attempt) {
    const auto object = store.get(key);
    if (!object) return 0;
    const auto text = core::as_text(object->bytes);
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    const auto next = std::to_string(value + 1);
    const auto put =
        store.put(key, core::as_bytes(next), PutCondition::unchanged_since(object->info.version));
    if (put) return attempt;
    if (put.error().code() != core::ErrorCode::kConflict) return 0;
  }
}

void counting_loses_nothing(ObjectStore& store, const StoreTraits& /*traits*/) {
  must_put(store, "counter", "0");
  std::atomic<bool> failed{false};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 10; ++n) {
          if (add_one(store, Key("counter")) == 0) failed = true;
        }
      });
    }
  }
  EXPECT_FALSE(failed);
  EXPECT_EQ(text_of(store, "counter"), "40");
}

void reads_are_whole_while_replaced(ObjectStore& store, const StoreTraits& /*traits*/) {
  const auto body = [](char c, std::size_t length) { return std::string(length, c); };
  must_put(store, "hot", body('a', 100'000));
  std::atomic<bool> done{false};
  std::atomic<int> reads{0};
  std::jthread writer([&] {
    for (int i = 0; i < 40 || reads == 0; ++i) {  // until somebody has read beside it
      must_put(store, "hot",
               body(static_cast<char>('a' + i % 26), 100'000 + std::size_t(i % 40) * 7));
    }
    done = true;
  });
  while (!done) {
    ++reads;  // also of one that fails, so that the writer ends
    const auto object = store.get(Key("hot"));
    ASSERT_TRUE(object) << object.error().message();
    const auto text = core::as_text(object->bytes);
    ASSERT_EQ(object->info.size, text.size());
    ASSERT_EQ(text.find_first_not_of(text.front()), std::string_view::npos);
    ASSERT_EQ((text.size() - 100'000) % 7, 0U);
  }
  EXPECT_GT(reads, 0);
}

constexpr ConformanceCheck kRaces[] = {
    {"one_of_32_creators_wins", one_of_32_creators_wins},
    {"one_of_32_replacers_wins", one_of_32_replacers_wins},
    {"counting_loses_nothing", counting_loses_nothing},
    {"reads_are_whole_while_replaced", reads_are_whole_while_replaced},
};

}  // namespace

std::vector<ConformanceCheck> races() {
  return {std::begin(kRaces), std::end(kRaces)};
}

}  // namespace icefield::object_store_testing
