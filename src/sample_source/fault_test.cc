#include "sample_source/fault.h"

#include <gtest/gtest.h>

namespace icefield::sample_source {
namespace {

constexpr const char* kKey = "hrrr.20250801/conus/hrrr.t00z.wrfsfcf01.grib2";

TEST(Fault, is_read_from_kind_and_file) {
  const auto fault = parse_fault("stale-index=wrfsfcf01.grib2");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::kStaleIndex);
  EXPECT_EQ(fault->pattern, "wrfsfcf01.grib2");
}

class NoFaults : public testing::TestWithParam<const char*> {};

TEST_P(NoFaults, are_refused_and_the_kinds_are_named) {
  const auto fault = parse_fault(GetParam());
  ASSERT_FALSE(fault);
  EXPECT_EQ(fault.error().code(), core::ErrorCode::kInvalidArgument);
  EXPECT_NE(fault.error().message().find("late, missing, missing-index, truncated"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(, NoFaults,
                         testing::Values("", "late", "late=", "=x", "lost=x", "LATE=x"));

struct PatternCase {
  const char* pattern;
  bool expected;
};

class FaultPatterns : public testing::TestWithParam<PatternCase> {};

TEST_P(FaultPatterns, name_files_by_the_end_of_the_key_or_by_wildcards) {
  EXPECT_EQ(names({.kind = FaultKind::kLate, .pattern = GetParam().pattern}, kKey),
            GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(, FaultPatterns,
                         testing::Values(PatternCase{"wrfsfcf01.grib2", true},
                                         PatternCase{kKey, true}, PatternCase{"wrfsfcf01", false},
                                         PatternCase{"*f01*", true},
                                         PatternCase{"hrrr.t??z.wrf*f01.grib2", true},
                                         PatternCase{"*t06z*", false},
                                         PatternCase{"hrrr.20250801/*/*sfcf0[12].grib2", true}));

TEST(Faults, of_a_file_are_decided_by_the_last_one_that_names_it) {
  const std::vector<Fault> faults = {{FaultKind::kLate, "*"}, {FaultKind::kEmpty, "*sfc*"}};
  EXPECT_EQ(fault_of(faults, kKey), FaultKind::kEmpty);
  EXPECT_EQ(fault_of(faults, "hrrr.t00z.wrfnatf01.grib2"), FaultKind::kLate);
  EXPECT_EQ(fault_of({}, kKey), std::nullopt);
}

}  // namespace
}  // namespace icefield::sample_source
