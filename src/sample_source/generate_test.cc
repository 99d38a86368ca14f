#include "sample_source/generate.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "core/text.h"
#include "sample_source/testing/eccodes_decode.h"
#include "sample_source/testing/small_dataset.h"

namespace icefield::sample_source {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDay = "noaa-hrrr-bdp-pds/hrrr.20250801/conus/";
constexpr const char* kSurfaceFile =
    "noaa-hrrr-bdp-pds/hrrr.20250801/conus/hrrr.t00z.wrfsfcf01.grib2";

class Generate : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    out_ = fs::path(testing::TempDir()) / "icefield_generate_test" / test->name();
    fs::remove_all(out_);
  }
  void TearDown() override { fs::remove_all(out_); }

  SampleRequest request() const {
    return {.spec = &small_dataset(),
            .out = out_,
            .start = *core::parse_timestamp("2025-08-01"),
            .inits = 1,
            .leads = 2,
            .variables = {"temperature", "wind", "rain", "rain_run_total", "updraft", "ceiling"}};
  }

  /// Two files with few messages.
  SampleRequest small_request() const {
    auto small = request();
    small.file_types = {"sfc"};
    small.variables = {"updraft"};
    return small;
  }

  SampleReport run(const SampleRequest& request) {
    core::Progress nobody;
    auto report = generate(request, nobody);
    EXPECT_TRUE(report) << report.error().message();
    return report ? *std::move(report) : SampleReport{};
  }

  core::Error fail(const SampleRequest& request) {
    core::Progress nobody;
    const auto report = generate(request, nobody);
    EXPECT_FALSE(report);
    EXPECT_FALSE(fs::exists(out_));
    return report ? core::Error(core::ErrorCode::kCancelled, "") : report.error();
  }

  core::Bytes read(const std::string& key) const {
    auto bytes = core::read_file(out_ / key);
    EXPECT_TRUE(bytes) << key;
    return bytes ? *std::move(bytes) : core::Bytes{};
  }

  /// Keys of all files under the tree, sorted.
  std::vector<std::string> keys() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(out_)) {
      if (entry.is_regular_file()) {
        found.push_back(fs::relative(entry.path(), out_).string());
      }
    }
    std::ranges::sort(found);
    return found;
  }

  fs::path out_;
};

/// The messages that fill a file, one after the other, by their own lengths.
std::vector<std::span<const std::byte>> messages_of(std::span<const std::byte> data) {
  std::vector<std::span<const std::byte>> messages;
  while (data.size() > 16) {
    const auto length = core::load_big_endian<std::uint64_t>(data, 8);
    if (length > data.size()) break;
    messages.push_back(data.first(length));
    data = data.subspan(length);
  }
  EXPECT_TRUE(data.empty());
  return messages;
}

std::vector<std::string> lines_of(const core::Bytes& index) {
  auto lines = core::split(core::as_text(index), '\n');
  EXPECT_EQ(lines.back(), "");
  lines.pop_back();
  return lines;
}

TEST_F(Generate, lays_the_tree_out_like_the_provider) {
  const auto report = run(request());
  std::vector<std::string> expected;
  for (const char* name : {"prsf00", "prsf01", "sfcf00", "sfcf01"}) {
    expected.push_back(core::text(kDay, "hrrr.t00z.wrf", name, ".grib2"));
    expected.push_back(expected.back() + ".idx");
  }
  EXPECT_EQ(keys(), expected);
  EXPECT_EQ(report.files, 4U);
  EXPECT_EQ(core::format_timestamp(report.append_dim_end), "2025-08-01T06:00:00");
  EXPECT_THAT(report.sources,
              testing::ElementsAre(core::text("s3://noaa-hrrr-bdp-pds/=file://", out_.string(),
                                              "/noaa-hrrr-bdp-pds/")));
}

TEST_F(Generate, gives_the_folder_as_a_url_that_any_path_survives) {
  out_ /= "a b,c%";
  const auto report = run(small_request());
  EXPECT_THAT(report.sources,
              testing::ElementsAre(testing::EndsWith("/a%20b%2Cc%25/noaa-hrrr-bdp-pds/")));
}

TEST_F(Generate, writes_an_index_that_tells_what_ecCodes_finds) {
  run(request());
  const auto data = read(kSurfaceFile);
  const auto messages = messages_of(data);
  const auto lines = lines_of(read(std::string(kSurfaceFile) + ".idx"));
  ASSERT_EQ(lines.size(), messages.size());
  std::size_t offset = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_TRUE(lines[i].starts_with(core::text(i + 1, ":", offset, ":d=2025080100:"))) << lines[i];
    offset += messages[i].size();
    const auto key = [&](const char* name) { return *key_with_eccodes(messages[i], name); };
    EXPECT_EQ(key("dataDate"), "20250801");
    const bool statistic = lines[i].find("-1 hour") != std::string::npos;
    EXPECT_EQ(key("productDefinitionTemplateNumber"), statistic ? "8" : "0") << lines[i];
    EXPECT_EQ(key("stepRange"), statistic ? "0-1" : "1") << lines[i];
    if (lines[i].find(":TMP:2 m above ground:") != std::string::npos) {
      EXPECT_EQ(key("shortName"), "2t");
      EXPECT_EQ(key("gridType"), "lambert");
      EXPECT_EQ(key("packingType"), "grid_complex_spatial_differencing");
    }
    if (lines[i].find(":APCP:") != std::string::npos) {
      EXPECT_EQ(key("stepType"), "accum");
    }
    if (lines[i].find(":MAXUVV:") != std::string::npos) {
      EXPECT_EQ(key("stepType"), "max");
    }
    if (lines[i].find(":UGRD:10 m") != std::string::npos) {
      EXPECT_EQ(key("level"), "10");
    }
  }
  EXPECT_EQ(offset, data.size());
}

TEST_F(Generate, gives_the_same_bytes_again_and_others_for_another_seed) {
  auto wanted = small_request();
  EXPECT_EQ(run(wanted).changed, 2U);
  const auto first = read(kSurfaceFile);
  EXPECT_EQ(run(wanted).changed, 0U);
  EXPECT_EQ(read(kSurfaceFile), first);
  wanted.seed = 2;
  EXPECT_EQ(run(wanted).changed, 2U);
  EXPECT_NE(read(kSurfaceFile), first);
}

struct FaultCase {
  std::string kind;
  bool has_data;
  bool has_index;
};

class GenerateFaults : public Generate, public testing::WithParamInterface<FaultCase> {};

TEST_P(GenerateFaults, do_to_the_file_what_they_say_and_go_away_again) {
  run(small_request());
  const auto whole_data = read(kSurfaceFile);
  const auto whole_index = read(std::string(kSurfaceFile) + ".idx");

  auto faulty = small_request();
  faulty.faults = {*parse_fault(GetParam().kind + "=t00z.wrfsfcf01.grib2")};
  const auto report = run(faulty);
  EXPECT_EQ(report.files, GetParam().has_data ? 2U : 1U);
  EXPECT_EQ(report.changed, 1U);
  ASSERT_EQ(report.faults.size(), 1U);
  EXPECT_EQ("noaa-hrrr-bdp-pds/" + report.faults[0].key, kSurfaceFile);
  EXPECT_EQ(name_of(report.faults[0].kind), GetParam().kind);
  ASSERT_EQ(fs::exists(out_ / kSurfaceFile), GetParam().has_data);
  ASSERT_EQ(fs::exists(out_ / (std::string(kSurfaceFile) + ".idx")), GetParam().has_index);

  EXPECT_EQ(run(small_request()).changed, 1U);
  EXPECT_EQ(read(kSurfaceFile), whole_data);
  EXPECT_EQ(read(std::string(kSurfaceFile) + ".idx"), whole_index);
}

INSTANTIATE_TEST_SUITE_P(
    , GenerateFaults,
    testing::Values(FaultCase{"late", false, false}, FaultCase{"missing", false, true},
                    FaultCase{"missing-index", true, false}, FaultCase{"truncated", true, true},
                    FaultCase{"stale-index", true, true}, FaultCase{"empty", true, true},
                    FaultCase{"empty-index", true, true}),
    [](const auto& tested) {
      auto name = tested.param.kind;
      std::ranges::replace(name, '-', '_');
      return name;
    });

TEST_F(Generate, cuts_truncated_data_inside_a_message_and_leaves_the_index_whole) {
  run(small_request());
  const auto whole = read(kSurfaceFile);
  auto faulty = small_request();
  faulty.faults = {*parse_fault("truncated=*sfcf01*")};
  run(faulty);
  const auto cut = read(kSurfaceFile);
  ASSERT_LT(cut.size(), whole.size());
  EXPECT_TRUE(std::equal(cut.begin(), cut.end(), whole.begin()));
  std::size_t border = 0;
  for (const auto& message : messages_of(whole)) {
    EXPECT_NE(cut.size(), border);
    border += message.size();
  }
}

TEST_F(Generate, leaves_stale_offsets_in_the_index_that_begin_no_message) {
  auto faulty = small_request();
  faulty.faults = {*parse_fault("stale-index=*sfcf01*")};
  run(faulty);
  const auto data = read(kSurfaceFile);
  const auto lines = lines_of(read(std::string(kSurfaceFile) + ".idx"));
  std::size_t wrong = 0;
  for (const auto& line : lines) {
    const auto offset = std::stoull(core::split(line, ':')[1]);
    ASSERT_LT(offset + 4, data.size());
    wrong += core::as_text(std::span(data).subspan(offset, 4)) == "GRIB" ? 0U : 1U;
  }
  EXPECT_EQ(wrong, lines.size() - 1);
}

TEST_F(Generate, delivers_late_files_when_asked_and_keeps_other_faults) {
  auto faulty = small_request();
  faulty.faults = {*parse_fault("late=*sfcf01*"), *parse_fault("empty=*sfcf00*")};
  EXPECT_EQ(run(faulty).files, 1U);
  faulty.late_files = SampleRequest::LateFiles::kDeliver;
  const auto report = run(faulty);
  EXPECT_EQ(report.files, 2U);
  EXPECT_EQ(report.changed, 1U);
  ASSERT_EQ(report.faults.size(), 1U);
  EXPECT_EQ(report.faults[0].kind, FaultKind::kEmpty);
}

struct RefusedCase {
  std::string name;
  void (*change)(SampleRequest&);
  std::string says;
};

class GenerateRefuses : public Generate, public testing::WithParamInterface<RefusedCase> {};

TEST_P(GenerateRefuses, in_one_line_and_writes_nothing) {
  auto wanted = request();
  GetParam().change(wanted);
  const auto error = fail(wanted);
  EXPECT_EQ(error.code(), core::ErrorCode::kInvalidArgument);
  EXPECT_THAT(error.message(), testing::HasSubstr(GetParam().says));
  EXPECT_EQ(error.message().find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    , GenerateRefuses,
    testing::Values(
        RefusedCase{"unknown_variable", [](SampleRequest& r) { r.variables = {"nope"}; }, "nope"},
        RefusedCase{"unknown_file_type", [](SampleRequest& r) { r.file_types = {"xyz"}; }, "xyz"},
        RefusedCase{"no_inits", [](SampleRequest& r) { r.inits = 0; }, "at least 1"},
        RefusedCase{"no_leads", [](SampleRequest& r) { r.leads = 0; }, "at least 1"},
        RefusedCase{"start_off_the_grid", [](SampleRequest& r) { r.start += core::Seconds{3600}; },
                    "2025-08-01T01:00:00"},
        RefusedCase{"start_before_the_archive",
                    [](SampleRequest& r) { r.start = *core::parse_timestamp("2014-01-01"); },
                    "2018-07-13T12:00:00"},
        RefusedCase{"fault_without_a_file",
                    [](SampleRequest& r) { r.faults = {*parse_fault("late=f99.grib2")}; },
                    "f99.grib2"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace icefield::sample_source
