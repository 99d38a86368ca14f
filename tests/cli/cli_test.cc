// The executable as a user meets it: exit status, one line of error, nothing changed.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "core/file.h"
#include "core/json.h"
#include "core/text.h"
#include "object_store/testing/scratch_folder.h"

namespace icefield::cli_tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kDataset = "noaa-hrrr-forecast-48-hour-virtual";

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

std::string text_of(const std::filesystem::path& file) {
  const auto bytes = core::read_file(file);
  return bytes ? std::string(core::as_text(*bytes)) : std::string();
}

class Cli : public testing::Test {
 protected:
  /// Runs the program in the scratch folder; `words` are shell words, `before` sets variables.
  Outcome run(const std::string& words, const std::string& before = "") const {
    const auto here = scratch_.path().string();
    const auto command = core::text("cd '", here, "' && ", before, " '", ICEFIELD_PROGRAM, "' ",
                                    words, " >out.txt 2>err.txt </dev/null");
    const int raw = std::system(command.c_str());  // NOLINT: a test of the command line
    return {WEXITSTATUS(raw), text_of(scratch_.path() / "out.txt"),
            text_of(scratch_.path() / "err.txt")};
  }

  void expect_refusal(const std::string& words, int status, const std::string& says,
                      const std::string& before = "") const {
    const auto outcome = run(words, before);
    EXPECT_EQ(outcome.status, status) << words;
    EXPECT_THAT(outcome.err, StartsWith("icefield: ")) << words;
    EXPECT_THAT(outcome.err, HasSubstr(says)) << words;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "") << words;
    EXPECT_FALSE(std::filesystem::exists(scratch_.path() / "data")) << words;
  }

  object_store_testing::ScratchFolder scratch_;
};

TEST_F(Cli, refuses_what_is_wrong_in_one_line_and_changes_nothing) {
  const std::string backfill = core::text(kDataset, " backfill-local ");
  std::filesystem::create_directories(scratch_.path() / "empty");
  const std::string source = "--source s3://noaa-hrrr-bdp-pds/=file://$PWD/empty";
  expect_refusal("no-such-dataset backfill-local 2025-08-01", 2, "no-such-dataset");
  expect_refusal(core::text(kDataset, " no-such-command"), 2, "--help");
  expect_refusal(backfill, 2, "APPEND_DIM_END");
  expect_refusal(backfill + "2025-13-01 " + source, 2, "2025-13-01");
  expect_refusal(backfill + "yesterday " + source, 2, "yesterday");
  expect_refusal(backfill + "2025-08-01T01:00:00 " + source, 2, "2025-08-01T01:00:00");
  expect_refusal(backfill + "2010-01-01 " + source, 2, "2010-01-01");
  expect_refusal(backfill + "2025-08-02 --filter-variable-names nothing " + source, 2, "nothing");
  expect_refusal(backfill + "2025-08-02 --filter-contains 2025-08-01T03:00:00 " + source, 2,
                 "2025-08-01T03:00:00");
  expect_refusal(backfill + "2025-08-02 --filter-start 2025-08-01T00:00 " + source, 2,
                 "--filter-start");
  expect_refusal(backfill + "2025-08-02 --source nonsense", 2, "nonsense");
  expect_refusal(backfill + "2025-08-02 --source s3://other/=file:///tmp", 2, "s3://other/");
  expect_refusal(backfill + "2025-08-02 --source s3://noaa-hrrr-bdp-pds/=file:///no/such/place", 2,
                 "/no/such/place");
  expect_refusal(backfill + "'2025-08-01\n'", 2, "2025-08-01; ");
  expect_refusal(backfill + "2025-08-02 --source s3://noaa-hrrr-bdp-pds/=/$(printf %0300d 0)", 2,
                 "cannot be read");
  expect_refusal(backfill + "9999-01-01 " + source, 2, "correct its year");
  expect_refusal(backfill + "2025-08-02 --source s3://noaa-hrrr-bdp-pds/=/ " + source, 2,
                 "given twice");
  expect_refusal(backfill + "2025-08-02", 1, "none of the",
                 "ICEFIELD_SOURCES=' s3://noaa-hrrr-bdp-pds/=empty , '");
  expect_refusal(backfill + "2025-08-02 " + source, 1, "none of the");
  expect_refusal(backfill + "2025-08-02 --overwrite-chunks " + source, 1, "no store to overwrite");
  expect_refusal(backfill + "2025-08-02 --verify-index maybe " + source, 2, "maybe");
  expect_refusal(backfill + "2025-08-02 " + source, 2, "prod", "DYNAMICAL_ENV=prod");
  expect_refusal(backfill + "2025-08-02 " + source, 2, "nowhere", "DYNAMICAL_ENV=nowhere");
  expect_refusal(backfill + "2025-08-02 --recreate " + source, 2, "--recreate",
                 "DYNAMICAL_ENV=test");
}

TEST_F(Cli, helps_at_every_level) {
  for (const auto* words : {"--help", "noaa-hrrr-forecast-48-hour-virtual --help",
                            "noaa-hrrr-forecast-48-hour-virtual backfill-local --help"}) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << words;
    EXPECT_THAT(outcome.out, HasSubstr("icefield")) << words;
  }
  EXPECT_EQ(run("--version").status, 0);
}

TEST_F(Cli, lists_its_datasets_for_scripts) {
  const auto listed = core::Json::parse(run("datasets --json").out);
  ASSERT_TRUE(listed);
  ASSERT_FALSE(listed->as_array().empty());
  for (const auto& row : listed->as_array()) EXPECT_NE(row.find("id"), nullptr);
}

TEST_F(Cli, writes_the_template_that_is_checked_in) {
  ASSERT_EQ(run(core::text(kDataset, " update-template --out written")).status, 0);
  const auto checked_in =
      std::filesystem::path(ICEFIELD_SOURCE_DIR) / "src/datasets/noaa/hrrr/templates" / kDataset;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(checked_in)) {
    if (!entry.is_regular_file()) continue;
    const auto name = std::filesystem::relative(entry.path(), checked_in);
    EXPECT_EQ(text_of(entry.path()), text_of(scratch_.path() / "written" / name)) << name;
    ++files;
  }
  EXPECT_GT(files, 200U);
}

TEST_F(Cli, publishes_a_sample_and_reports_it_as_one_json_line) {
  const auto made =
      run(core::text("sample-source ", kDataset, " --out sample --inits 1 --leads 1 --json"));
  ASSERT_EQ(made.status, 0) << made.err;
  const auto sample = core::Json::parse(core::split(made.out, '\n').front());
  ASSERT_TRUE(sample) << made.out;
  std::string words = core::text(kDataset, " backfill-local ",
                                 sample->find("append_dim_end")->as_string(), " --json");
  for (const auto& source : sample->find("sources")->as_array()) {
    words += core::text(" --source '", source.as_string(), "'");
  }
  const auto done = run(words);
  ASSERT_EQ(done.status, 0) << done.err;
  const auto report = core::Json::parse(core::split(done.out, '\n').front());
  ASSERT_TRUE(report) << done.out;
  std::vector<std::string> names;
  for (const auto& member : report->as_object()) names.push_back(member.first);
  EXPECT_THAT(names, testing::ElementsAre("store", "snapshot", "files", "references", "commits",
                                          "seconds", "hosts"));
  EXPECT_TRUE(report->find("hosts")->as_array().empty());  // nothing went over a network
  EXPECT_EQ(report->find("files")->find("found")->as_int64(), 3);
  EXPECT_EQ(report->find("files")->find("used")->as_int64(), 3);
  EXPECT_EQ(report->find("commits")->as_int64(), 1);

  const auto again = run(words);
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.err, HasSubstr("--overwrite-chunks"));
  const auto rewritten = run(words + " --overwrite-chunks --filter-variable-names temperature_2m");
  EXPECT_EQ(rewritten.status, 0) << rewritten.err;
}

TEST_F(Cli, says_which_folder_it_cannot_write) {
  ASSERT_TRUE(core::write_file(scratch_.path() / "data", core::as_bytes("a file in the way")));
  ASSERT_EQ(run(core::text("sample-source ", kDataset, " --out sample --inits 1 --leads 1")).status,
            0);
  const auto outcome =
      run(core::text(kDataset, " backfill-local 2025-08-01T06:00:00 --source ",
                     "s3://noaa-hrrr-bdp-pds/=file://$PWD/sample/noaa-hrrr-bdp-pds"));
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("data"));
  EXPECT_EQ(text_of(scratch_.path() / "data"), "a file in the way");
}

}  // namespace
}  // namespace icefield::cli_tests
