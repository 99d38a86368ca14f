#include "core/time.h"

#include <gtest/gtest.h>

namespace icefield::core {
namespace {

TEST(Timestamp, reads_the_three_spellings) {
  for (const auto* text : {"2024-01-15", "2024-01-15T00:00:00", "2024-01-15 00:00:00"}) {
    const auto read = parse_timestamp(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->time_since_epoch().count(), 1705276800) << text;
    EXPECT_EQ(format_timestamp(*read), "2024-01-15T00:00:00");
  }
}

TEST(Timestamp, refuses_everything_else) {
  for (const auto* text : {"", "2024-1-15", "2024-02-30", "2024-01-15T00:00", "2024-01-15T24:00:00",
                           "2024-01-15T00:00:00Z", "2024-01-15T00:00:00.5", "20240115000000abcde",
                           "yesterday", "2024-01-15x00:00:00", "2024-01-15T00:60:00"}) {
    const auto read = parse_timestamp(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code(), ErrorCode::kInvalidArgument);
  }
}

TEST(Duration, is_written_with_days_and_time) {
  EXPECT_EQ(format_duration(std::chrono::hours(3)), "P0DT3H0M0S");
  EXPECT_EQ(format_duration(std::chrono::hours(51)), "P2DT3H0M0S");
}

TEST(Instant, has_microseconds) {
  EXPECT_EQ(format_instant(Instant(std::chrono::microseconds(1705276800000042))),
            "2024-01-15T00:00:00.000042Z");
}

}  // namespace
}  // namespace icefield::core
