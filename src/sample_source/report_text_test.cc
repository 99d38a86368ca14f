#include "sample_source/report_text.h"

#include <gtest/gtest.h>

#include "core/time.h"

namespace icefield::sample_source {
namespace {

SampleReport report() {
  return {.append_dim_end = *core::parse_timestamp("2025-08-01T06:00:00"),
          .sources = {"s3://bucket/=file:///tmp/x/bucket/"},
          .inits = {*core::parse_timestamp("2025-08-01")},
          .faults = {{.kind = FaultKind::kLate, .key = "a/b.grib2"}},
          .files = 5,
          .bytes = 12'345'678,
          .changed = 2};
}

TEST(SampleReportText, as_json_is_one_line_with_what_a_script_passes_on) {
  EXPECT_EQ(report_json(report()),
            R"({"append_dim_end":"2025-08-01T06:00:00",)"
            R"("sources":["s3://bucket/=file:///tmp/x/bucket/"],"files":5,"bytes":12345678,)"
            R"("inits":["2025-08-01T00:00:00"],"faults":[{"kind":"late","key":"a/b.grib2"}],)"
            R"("changed":2})");
}

TEST(SampleReportText, for_people_ends_with_the_command_that_uses_it) {
  EXPECT_EQ(report_text(report(), "some-dataset"),
            "5 data files, 12 MB, 2 changed\n"
            "late: a/b.grib2\n"
            "\n"
            "icefield some-dataset backfill-local 2025-08-01T06:00:00 --source "
            "s3://bucket/=file:///tmp/x/bucket/\n");
}

}  // namespace
}  // namespace icefield::sample_source
