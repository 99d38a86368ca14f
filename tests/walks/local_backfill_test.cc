#include "coordination/local_backfill.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "core/text.h"
#include "dataset/time_axis.h"
#include "icechunk/commit/commit.h"
#include "icechunk/commit/refs.h"
#include "object_store/open.h"
#include "object_store/testing/scratch_folder.h"
#include "walk_dataset.h"

namespace icefield::walks {
namespace {

using core::ErrorCode;
using testing::HasSubstr;

/// Files per position: six leads of two types.
constexpr std::uint64_t kFiles = 12;

class LocalBackfill : public testing::Test {
 protected:
  LocalBackfill() : tree_(scratch_.path() / "source") {
    std::filesystem::create_directories(scratch_.path() / "source");
    store_ = *object_store::open_store("memory://");
  }

  core::Result<coordination::BackfillResult> run(const coordination::LocalBackfill& backfill) {
    core::Progress silent;
    return coordination::run_local_backfill(backfill, silent);
  }
  coordination::LocalBackfill backfill(std::uint64_t positions) const {
    return backfill_of(store_, tree_, positions);
  }
  icechunk::Repository repository() const { return *icechunk::Repository::open(store_); }

  object_store_testing::ScratchFolder scratch_;
  SourceTree tree_;
  std::shared_ptr<object_store::ObjectStore> store_;
};

TEST_F(LocalBackfill, publishes_every_message_of_every_file_once) {
  tree_.publish(0, 2);
  const auto result = run(backfill(2));
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->files.expected, 2 * kFiles);
  EXPECT_EQ(result->files.used, 2 * kFiles);
  EXPECT_EQ(result->files.commits, 1U);
  // per position: six winds, five rains (none at hour 0), six leads of two levels
  EXPECT_EQ(result->files.references, 2 * (6 + 5 + 12));
  EXPECT_EQ(result->files.unmapped_messages, 2U * 6);
  const auto content = content_of(store_);
  EXPECT_EQ(content.at("/wind_2m/c/1/0/0/0"), "vcc://bucket/2020-01-01T06:00:00/sfc.f0.grib2 0+60");
  EXPECT_EQ(content.at("/wind_2m/c/0/5/0/0"),
            "vcc://bucket/2020-01-01T00:00:00/sfc.f9.grib2 40+60");
  EXPECT_EQ(content.at("/pressure_level/temperature/c/0/1/0/0/1"),
            "vcc://bucket/2020-01-01T00:00:00/prs.f1.grib2 0+50");
  EXPECT_FALSE(content.contains("/rain_surface/c/0/0/0/0"));
  EXPECT_EQ((*repository().info())->branches.size(), 1U) << "the job's branch is gone";
}

TEST_F(LocalBackfill, refuses_a_store_that_exists_and_leaves_it_as_it_is) {
  tree_.publish(0, 1);
  ASSERT_TRUE(run(backfill(1)));
  const auto before = store_->get(object_store::Key("repo"));
  const auto again = run(backfill(1));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(again.error().message(), HasSubstr("--overwrite-chunks"));
  EXPECT_EQ(store_->get(object_store::Key("repo"))->bytes, before->bytes);
}

TEST_F(LocalBackfill, makes_nothing_when_the_source_holds_nothing) {
  const auto result = run(backfill(1));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("none of the 12 expected source files"));
  EXPECT_FALSE(*icechunk::Repository::exists(*store_));
}

TEST_F(LocalBackfill, skips_unusable_files_with_a_reason_and_uses_the_others) {
  tree_.publish(0, 1);
  const auto truncated = tree_.path_of(file_at(0, 1, 0));
  std::filesystem::resize_file(truncated, std::filesystem::file_size(truncated) - 10);
  std::filesystem::resize_file(tree_.path_of(file_at(0, 2, 0)), 0);
  std::filesystem::remove(tree_.path_of(file_at(0, 3, 0)).string() + ".idx");
  std::filesystem::remove(tree_.path_of(file_at(0, 6, 0)));
  auto stale = messages_of(file_at(0, 9, 0));
  stale.front().length += 7;  // the index of a longer first message, over the old data
  tree_.write(file_at(0, 9, 1), messages_of(file_at(0, 9, 1)));
  const auto data = core::read_file(tree_.path_of(file_at(0, 9, 0)));
  tree_.write(file_at(0, 9, 0), stale);
  ASSERT_TRUE(core::write_file(tree_.path_of(file_at(0, 9, 0)), *data));

  const auto result = run(backfill(1));
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->files.absent, 1U);
  EXPECT_EQ(result->files.used, kFiles - 5);
  std::map<std::string, std::string> reasons;
  for (const auto& one : result->files.skipped) reasons[one.url] = one.reason;
  ASSERT_EQ(reasons.size(), 4U);
  const std::string day = "s3://bucket/2020-01-01T00:00:00/";
  EXPECT_THAT(reasons[day + "sfc.f1.grib2"], HasSubstr("ends inside the message"));
  EXPECT_THAT(reasons[day + "sfc.f2.grib2"], HasSubstr("empty"));
  EXPECT_THAT(reasons[day + "sfc.f3.grib2"], HasSubstr("no index"));
  EXPECT_THAT(reasons[day + "sfc.f9.grib2"], HasSubstr("declared"));
  EXPECT_FALSE(result->files.complete());
}

// The whole index was read, however long, and its octets went into the report as they were.
TEST_F(LocalBackfill, skips_indexes_that_are_none_with_a_readable_reason) {
  tree_.publish(0, 1);
  const auto index_of = [&](int lead) {
    return tree_.path_of(file_at(0, lead, 0)).string() + ".idx";
  };
  ASSERT_TRUE(core::write_file(index_of(1), core::as_bytes("1:\xFF\x1B[31m\r\n")));
  std::filesystem::resize_file(index_of(2), 65U << 20U);
  const auto result = run(backfill(1));
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->files.used, kFiles - 2);
  ASSERT_EQ(result->files.skipped.size(), 2U);
  std::map<std::string, std::string> reasons;
  for (const auto& one : result->files.skipped) reasons[one.url] = one.reason;
  const std::string day = "s3://bucket/2020-01-01T00:00:00/";
  EXPECT_THAT(reasons[day + "sfc.f1.grib2"], HasSubstr("\\xFF\\x1B[31m"));
  EXPECT_THAT(reasons[day + "sfc.f2.grib2"], HasSubstr("larger than any index"));
}

TEST_F(LocalBackfill, rewrites_the_selected_positions_and_leaves_the_extent) {
  tree_.publish(0, 3);
  ASSERT_TRUE(run(backfill(3)));
  const auto before = content_of(store_);
  tree_.publish(0, 3, 2);  // every message twice as long
  auto again = backfill(3);
  again.job.overwrite_chunks = true;
  again.job.filters.contains = {{dataset::label_at(kWalkDataset, 1)}};
  const auto result = run(again);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->files.used, kFiles);
  const auto after = content_of(store_);
  EXPECT_EQ(after.size(), before.size());
  for (const auto& [key, value] : after) {
    const bool position_1 = key.find("/c/1/") != std::string::npos;
    EXPECT_EQ(value != before.at(key), position_1) << key;
  }
}

TEST_F(LocalBackfill, overwrites_only_a_store_that_exists) {
  tree_.publish(0, 1);
  auto job = backfill(1);
  job.job.overwrite_chunks = true;
  const auto result = run(job);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("no store to overwrite"));
  EXPECT_FALSE(*icechunk::Repository::exists(*store_));
}

TEST_F(LocalBackfill, never_trims_a_store_by_overwriting) {
  tree_.publish(0, 3);
  ASSERT_TRUE(run(backfill(3)));
  const auto before = content_of(store_);
  auto job = backfill(2);
  job.job.overwrite_chunks = true;
  const auto result = run(job);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("trimming"));
  EXPECT_EQ(content_of(store_), before);
}

TEST_F(LocalBackfill, refreshes_metadata_without_a_commit_when_it_is_in_sync) {
  tree_.publish(0, 2);
  ASSERT_TRUE(run(backfill(2)));
  const auto tip = *repository().tip("main");
  auto job = backfill(2);
  job.job.overwrite_metadata = true;
  const auto result = run(job);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(*repository().tip("main"), tip);
}

TEST_F(LocalBackfill, recreates_from_nothing) {
  tree_.publish(0, 2);
  ASSERT_TRUE(run(backfill(2)));
  auto job = backfill(1);
  job.recreate = true;
  ASSERT_TRUE(run(job));
  EXPECT_FALSE(content_of(store_).contains("/wind_2m/c/1/0/0/0"));
  EXPECT_EQ(repository().ancestry(*repository().tip("main"))->size(), 3U);
}

// A broken store stood in the way of its own removal.
TEST_F(LocalBackfill, recreates_a_store_that_cannot_be_read) {
  tree_.publish(0, 1);
  ASSERT_TRUE(store_->put(object_store::Key("repo"), core::as_bytes("no repository"), {}));
  const auto refused = run(backfill(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(refused.error().message(), HasSubstr("store memory://"));
  auto job = backfill(1);
  job.recreate = true;
  const auto result = run(job);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->files.used, kFiles);
}

/// Lets another run of the same job come in between, once the first one is at work.
class Rival : public core::Progress {
 public:
  explicit Rival(const coordination::LocalBackfill& job) : job_(job) {}
  void begin(std::string_view /*stage*/, std::uint64_t /*total*/) override {
    core::Progress silent;
    succeeded = coordination::run_local_backfill(job_, silent).has_value();
  }
  bool succeeded = false;

 private:
  const coordination::LocalBackfill& job_;
};

// The loser said "no branch _job_local".
TEST_F(LocalBackfill, tells_the_loser_of_two_runs_at_once_why) {
  tree_.publish(0, 2);
  const auto job = backfill(2);
  Rival rival(job);
  const auto loser = coordination::run_local_backfill(job, rival);
  EXPECT_TRUE(rival.succeeded);
  ASSERT_FALSE(loser);
  EXPECT_THAT(loser.error().message(), HasSubstr("another process"));
  const auto content = content_of(store_);
  store_ = *object_store::open_store("memory://");
  ASSERT_TRUE(run(backfill(2)));
  EXPECT_EQ(content, content_of(store_));
}

TEST_F(LocalBackfill, ends_at_the_newest_position_with_data) {
  tree_.publish(0, 2);
  const auto result = run(backfill(5));
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->append_size, 2U);
  EXPECT_THAT(content_of(store_).at("/wind_2m/zarr.json"), HasSubstr("\"shape\": [\n    2,"));
}

TEST_F(LocalBackfill, keeps_positions_that_the_filters_left_out) {
  tree_.publish(0, 2);
  auto job = backfill(5);
  job.job.filters.contains = {{dataset::label_at(kWalkDataset, 0)}};
  const auto result = run(job);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->append_size, 5U);
}

TEST_F(LocalBackfill, fails_loudly_when_a_file_lacks_its_own_probe) {
  tree_.publish(0, 1);
  tree_.write(file_at(0, 3, 1), {{"TMP:500 mb:3 hour fcst", 50}});  // the probe is 1000 mb
  const auto result = run(backfill(1));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("prs.f3.grib2"));
  EXPECT_THAT(result.error().message(), HasSubstr("pressure_level/temperature/c/0/3/0/0/0"));
  EXPECT_TRUE(content_of(store_).empty()) << "main shows the state before";
}

TEST_F(LocalBackfill, goes_on_with_an_unfinished_run_of_the_same_job_only) {
  tree_.publish(0, 1);
  tree_.write(file_at(0, 3, 1), {{"TMP:500 mb:3 hour fcst", 50}});
  ASSERT_FALSE(run(backfill(1)));  // stops after setup
  tree_.publish(0, 3);
  const auto other = run(backfill(3));
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message(), HasSubstr("2020-01-01T06:00:00"));
  const auto same = run(backfill(1));
  ASSERT_TRUE(same) << same.error().message();
  EXPECT_TRUE(same->resumed);
  EXPECT_EQ(same->files.used, kFiles);
}

TEST_F(LocalBackfill, reads_sources_where_the_store_points_when_it_goes_on) {
  tree_.publish(0, 1);
  tree_.write(file_at(0, 3, 1), {{"TMP:500 mb:3 hour fcst", 50}});
  ASSERT_FALSE(run(backfill(1)));
  tree_.publish(0, 1);
  auto job = backfill(1);
  job.sources.clear();
  const auto result = run(job);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->files.used, kFiles);
}

TEST_F(LocalBackfill, leaves_both_branches_when_main_moved_meanwhile) {
  tree_.publish(0, 1);
  tree_.write(file_at(0, 3, 1), {{"TMP:500 mb:3 hour fcst", 50}});
  ASSERT_FALSE(run(backfill(1)));
  tree_.publish(0, 1);
  auto session = repository().writable_session("main");
  ASSERT_TRUE(session);
  ASSERT_TRUE(
      session->set_metadata("/", core::as_bytes(R"({"zarr_format":3,"node_type":"group"})")));
  const auto moved = icechunk::commit(*session, "someone else");
  ASSERT_TRUE(moved);
  const auto result = run(backfill(1));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(result.error().message(), HasSubstr("main moved"));
  EXPECT_EQ(*repository().tip("main"), moved->snapshot);
  EXPECT_TRUE(repository().tip("_job_local"));
}

TEST_F(LocalBackfill, commits_large_work_in_parts_of_whole_files) {
  tree_.publish(0, 3);
  auto job = backfill(3);
  job.options.references_per_commit = 20;
  const auto in_parts = run(job);
  ASSERT_TRUE(in_parts) << in_parts.error().message();
  EXPECT_GT(in_parts->files.commits, 2U);
  const auto content = content_of(store_);
  store_ = *object_store::open_store("memory://");
  ASSERT_TRUE(run(backfill(3)));
  EXPECT_EQ(content, content_of(store_));
}

// IDX-7: the serializer reads the first field of a message, so the second one is refused by name.
TEST_F(LocalBackfill, refuses_a_variable_in_the_second_field_of_a_message) {
  tree_.publish(0, 1);
  const auto file = file_at(0, 1, 0);
  tree_.write(file, {{"WIND:2 m above ground:1 hour fcst", 60}, {"HGT:surface:1 hour fcst", 50}});
  const auto index = tree_.path_of(file).string() + ".idx";
  ASSERT_TRUE(
      core::write_file(index, core::as_bytes("1:0:d=2020010100:WIND:2 m above ground:1 hour "
                                             "fcst:\n"
                                             "2.1:60:d=2020010100:HGT:surface:1 hour fcst:\n"
                                             "2.2:60:d=2020010100:APCP:surface:0-1 hour acc "
                                             "fcst:\n")));
  const auto result = run(backfill(1));
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->files.used, kFiles);
  ASSERT_EQ(result->files.refused.size(), 1U);
  EXPECT_EQ(result->files.refused[0].variable, "rain_surface");
  EXPECT_THAT(result->files.refused[0].reason, HasSubstr("field 2 of the message at byte 60"));
  EXPECT_FALSE(result->files.complete());
  EXPECT_FALSE(content_of(store_).contains("/rain_surface/c/0/1/0/0"));
}

TEST_F(LocalBackfill, names_what_is_wrong_with_its_arguments) {
  tree_.publish(0, 1);
  auto off_grid = backfill(1);
  off_grid.job.append_dim_end += std::chrono::hours(1);
  EXPECT_THAT(run(off_grid).error().message(), HasSubstr("2020-01-01T07:00:00"));
  auto unknown_variable = backfill(1);
  unknown_variable.job.filters.variable_names = {"wind_2m", "no_such"};
  EXPECT_THAT(run(unknown_variable).error().message(), HasSubstr("no_such"));
  auto outside = backfill(1);
  outside.job.filters.contains = {{dataset::label_at(kWalkDataset, 7)}};
  EXPECT_THAT(run(outside).error().message(), HasSubstr("2020-01-02T18:00:00"));
  auto other_source = backfill(1);
  other_source.sources = {{.prefix = "s3://other/", .url = "file:///tmp/"}};
  EXPECT_THAT(run(other_source).error().message(), HasSubstr("s3://other/"));
  auto two_sources = backfill(1);
  two_sources.sources.push_back({.prefix = "s3://bucket/", .url = "file:///tmp/"});
  EXPECT_THAT(run(two_sources).error().message(), HasSubstr("given twice"));
  auto no_folder = backfill(1);
  const auto loop = scratch_.path() / "loop";
  std::filesystem::create_symlink(loop, loop);
  no_folder.sources = {{.prefix = "s3://bucket/", .url = "file://" + loop.string() + "/"}};
  EXPECT_THAT(run(no_folder).error().message(), HasSubstr("cannot be read"));
  auto mistyped_year = backfill(1);
  mistyped_year.job.append_dim_end += std::chrono::hours(6 * 1'500'000);
  EXPECT_THAT(run(mistyped_year).error().message(), HasSubstr("1500001 positions"));
  EXPECT_FALSE(*icechunk::Repository::exists(*store_));
}

}  // namespace
}  // namespace icefield::walks
