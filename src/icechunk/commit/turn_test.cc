#include "icechunk/commit/internal/turn.h"

#include <chrono>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/random.h"
#include "core/text.h"
#include "object_store/testing/processes.h"

namespace icefield::icechunk {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::string new_location() {
  return core::text("file:///nowhere/", core::random_u64(), "/");
}

TEST(Turn, comes_at_once_when_nobody_waits) {
  const std::string location = new_location();
  for (int i = 0; i < 3; ++i) {
    const Turn turn = Turn::take(location, "main");
    EXPECT_TRUE(turn.in_line());
  }
  EXPECT_FALSE(Turn::take("s3://bucket/", "main").in_line());
}

TEST(Turn, belongs_to_one_writer_of_a_branch_at_a_time) {
  const std::string location = new_location();
  const Turn other_branch = Turn::take(location, "side");
  constexpr int kRounds = 20;
  // a writer that finds the line's own mark set by another has met one inside its turn
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  const char token = 'x';
  ASSERT_EQ(::write(pipe_ends[1], &token, 1), 1);
  const auto statuses = object_store_testing::run_in_processes(8, [&](std::size_t) {
    for (int i = 0; i < kRounds; ++i) {
      const Turn turn = Turn::take(location, "main");
      if (!turn.in_line()) return 2;
      char held = 0;
      // whoever is alone finds the token at once
      const auto start = SteadyClock::now();
      if (::read(pipe_ends[0], &held, 1) != 1) return 3;
      const bool alone = SteadyClock::now() - start < std::chrono::milliseconds(500);
      if (::write(pipe_ends[1], &token, 1) != 1 || !alone) return 4;
    }
    return 0;
  });
  EXPECT_EQ(statuses, std::vector<int>(8, 0));
}

TEST(Turn, goes_on_without_a_writer_that_died) {
  const std::string location = new_location();
  const auto statuses = object_store_testing::run_in_processes(1, [&](std::size_t) {
    Turn turn = Turn::take(location, "main");
    ::_exit(turn.in_line() ? 0 : 1);  // without giving it back
    return 0;
  });
  ASSERT_EQ(statuses, std::vector<int>{0});
  const auto start = SteadyClock::now();
  EXPECT_TRUE(Turn::take(location, "main").in_line());
  EXPECT_LT(SteadyClock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace icefield::icechunk
