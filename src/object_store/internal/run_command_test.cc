#include "object_store/internal/run_command.h"

#include <gtest/gtest.h>

namespace icefield::object_store {
namespace {

using namespace std::chrono_literals;

TEST(Commands, are_split_as_a_shell_does) {
  using Words = std::vector<std::string>;
  const auto words = [](const char* line) {
    const auto split = split_command(line);
    return split ? *split : Words{"(error)"};
  };
  EXPECT_EQ(words("  a  bc "), (Words{"a", "bc"}));
  EXPECT_EQ(words(R"("a b" 'c "d' e\ f "g\"h" '' x"y"z)"),
            (Words{"a b", "c \"d", "e f", "g\"h", "", "xyz"}));
  EXPECT_EQ(words("a 'b"), Words{"(error)"});
}

TEST(Commands, are_ended_when_they_take_too_long_or_are_not_wanted_any_more) {
  const auto late = run_command({"sleep", "60"}, 20ms, {});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code(), core::ErrorCode::kUnavailable);
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = run_command({"sleep", "60"}, 60s, stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code(), core::ErrorCode::kCancelled);
  const auto endless = run_command({"yes"}, 60s, {});
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error().code(), core::ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace icefield::object_store
