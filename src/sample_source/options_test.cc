#include "sample_source/options.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/time.h"

namespace icefield::sample_source {
namespace {

constexpr const char* kDataset = "noaa-hrrr-forecast-48-hour-virtual";

core::Result<std::variant<Options, HelpText>> parse(const std::vector<const char*>& words) {
  std::vector<const char*> line(words.size() + 1, "icefield-sample-source");
  std::ranges::copy(words, line.begin() + 1);
  return parse_options(static_cast<int>(line.size()), line.data());
}

Options options(const std::vector<const char*>& words) {
  auto parsed = parse(words);
  EXPECT_TRUE(parsed) << parsed.error().message();
  return parsed ? std::get<Options>(*parsed) : Options{};
}

TEST(SampleSourceOptions, have_the_defaults_that_the_help_promises) {
  const auto [request, json] = options({kDataset, "--out", "here"});
  EXPECT_EQ(request.spec->id, kDataset);
  EXPECT_EQ(request.out, "here");
  EXPECT_EQ(core::format_timestamp(request.start), "2025-08-01T00:00:00");
  EXPECT_EQ(request.inits, 2U);
  EXPECT_EQ(request.leads, 3U);
  EXPECT_TRUE(request.file_types.empty());
  EXPECT_TRUE(request.variables.empty());
  EXPECT_EQ(request.late_files, SampleRequest::LateFiles::kWithhold);
  EXPECT_FALSE(json);
}

TEST(SampleSourceOptions, take_lists_with_commas_and_repeated_before_the_dataset) {
  const auto [request, json] =
      options({"--out", "here", "--variables", "a,b", "--variables", "c", "--file-types", "sfc,nat",
               "--fault", "late=f01.grib2", "--fault", "empty=f02.grib2", "--deliver-late",
               "--levels", "all", "--json", "--seed", "7", kDataset});
  EXPECT_THAT(request.variables, testing::ElementsAre("a", "b", "c"));
  EXPECT_THAT(request.file_types, testing::ElementsAre("sfc", "nat"));
  ASSERT_EQ(request.faults.size(), 2U);
  EXPECT_EQ(request.faults[1].kind, FaultKind::kEmpty);
  EXPECT_EQ(request.late_files, SampleRequest::LateFiles::kDeliver);
  EXPECT_EQ(request.levels, std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(request.seed, 7U);
  EXPECT_TRUE(json);
}

TEST(SampleSourceOptions, give_help_with_examples_and_every_fault) {
  const auto parsed = parse({"--help"});
  ASSERT_TRUE(parsed);
  const auto* help = std::get_if<HelpText>(&*parsed);
  ASSERT_NE(help, nullptr);
  for (const char* word : {"--fault KIND=FILE", "late ", "missing-index", "stale-index", "Examples",
                           "--deliver-late"}) {
    EXPECT_THAT(help->text, testing::HasSubstr(word));
  }
}

struct WrongUse {
  std::string name;
  std::vector<const char*> words;
  std::string says;
};

class SampleSourceWrongUse : public testing::TestWithParam<WrongUse> {};

TEST_P(SampleSourceWrongUse, is_one_line_that_names_what_is_wrong) {
  const auto parsed = parse(GetParam().words);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code(), core::ErrorCode::kInvalidArgument);
  EXPECT_THAT(parsed.error().message(), testing::HasSubstr(GetParam().says));
  EXPECT_EQ(parsed.error().message().find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    , SampleSourceWrongUse,
    testing::Values(WrongUse{"no_words", {}, "DATASET"}, WrongUse{"no_folder", {kDataset}, "--out"},
                    WrongUse{"unknown_dataset", {"nope", "--out", "x"}, "nope"},
                    WrongUse{"unknown_option", {kDataset, "--out", "x", "--bad"}, "--bad"},
                    WrongUse{"bad_start", {kDataset, "--out", "x", "--start", "now"}, "--start"},
                    WrongUse{"bad_number", {kDataset, "--out", "x", "--inits", "two"}, "--inits"},
                    WrongUse{"bad_levels", {kDataset, "--out", "x", "--levels", "0"}, "--levels"},
                    WrongUse{"bad_fault", {kDataset, "--out", "x", "--fault", "lost=f"}, "lost"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace icefield::sample_source
