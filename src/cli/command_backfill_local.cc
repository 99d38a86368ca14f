// `icefield <dataset-id> backfill-local APPEND_DIM_END`: fill a store on this machine.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/backfill_report.h"
#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/exit_status.h"
#include "cli/progress_display.h"
#include "coordination/local_backfill.h"
#include "core/log.h"
#include "core/text.h"
#include "core/time.h"
#include "object_store/open.h"

namespace icefield::cli {
namespace {

using core::Error;
using core::ErrorCode;

/// The command line as it was typed.
struct Arguments {
  std::string append_dim_end;
  std::string filter_start;
  std::string filter_end;
  std::vector<std::string> filter_contains;
  std::vector<std::string> filter_variable_names;
  std::vector<std::string> sources;
  std::string verify_index = "sample";
  bool record_source_identity = false;
  bool overwrite_chunks = false;
  bool overwrite_metadata = false;
  bool recreate = false;
  bool json = false;
};

core::Result<std::optional<core::Timestamp>> optional_time(const std::string& text,
                                                           const char* option) {
  if (text.empty()) return std::optional<core::Timestamp>();
  auto time = core::parse_timestamp(text);
  if (!time) return std::move(time).error().within(option);
  return std::optional(*time);
}

core::Result<coordination::JobRecord> job_of(const Arguments& arguments) {
  coordination::JobRecord job;
  auto end = core::parse_timestamp(arguments.append_dim_end);
  if (!end) return std::move(end).error().within("APPEND_DIM_END");
  job.append_dim_end = *end;
  TRY_ASSIGN(job.filters.start, optional_time(arguments.filter_start, "--filter-start"));
  TRY_ASSIGN(job.filters.end, optional_time(arguments.filter_end, "--filter-end"));
  for (const auto& text : arguments.filter_contains) {
    auto time = core::parse_timestamp(text);
    if (!time) return std::move(time).error().within("--filter-contains");
    if (!job.filters.contains) job.filters.contains.emplace();
    job.filters.contains->push_back(*time);
  }
  job.filters.variable_names = arguments.filter_variable_names;
  job.overwrite_chunks = arguments.overwrite_chunks;
  job.overwrite_metadata = arguments.overwrite_metadata;
  return job;
}

core::Result<std::vector<source::SourceOverride>> sources_of(const Arguments& arguments) {
  std::vector<source::SourceOverride> overrides;
  for (const auto& text : arguments.sources) {
    TRY_ASSIGN(auto one, source::parse_source_override(text));
    overrides.push_back(std::move(one));
  }
  for (const auto& text : words_of_variable("ICEFIELD_SOURCES")) {
    TRY_ASSIGN(auto one, source::parse_source_override(text));
    const bool given = std::any_of(overrides.begin(), overrides.end(),
                                   [&](const auto& other) { return other.prefix == one.prefix; });
    if (!given) overrides.push_back(std::move(one));  // the command line wins
  }
  return overrides;
}

grib::VerifyMode verify_mode(const std::string& word) {
  if (word == "all") return grib::VerifyMode::kAll;
  return word == "none" ? grib::VerifyMode::kNone : grib::VerifyMode::kSample;
}

core::Result<coordination::LocalBackfill> backfill_of(const dataset::DatasetSpec& spec,
                                                      const Arguments& arguments) {
  TRY_ASSIGN(const auto where, environment());
  if (where == Environment::kProd) {
    return Error(ErrorCode::kInvalidArgument,
                 "backfill-local is refused with DYNAMICAL_ENV=prod; use backfill-kubernetes");
  }
  if (arguments.recreate && where != Environment::kDev) {
    return Error(ErrorCode::kInvalidArgument, "--recreate is allowed with DYNAMICAL_ENV=dev only");
  }
  TRY_ASSIGN(auto job, job_of(arguments));
  TRY_ASSIGN(auto sources, sources_of(arguments));
  TRY_ASSIGN(const auto path, local_store_path(spec, where));
  TRY_ASSIGN(auto store, object_store::open_store(path));
  region_job::VirtualOptions options;
  options.verify.mode = verify_mode(arguments.verify_index);
  options.record_source_identity = arguments.record_source_identity;
  return coordination::LocalBackfill{.spec = spec,
                                     .store = std::move(store),
                                     .job = std::move(job),
                                     .recreate = arguments.recreate,
                                     .sources = std::move(sources),
                                     .append_chunks = where == Environment::kTest
                                                          ? dataset::AppendChunks::kIgnored
                                                          : dataset::AppendChunks::kCompared,
                                     .options = std::move(options)};
}

int run_backfill(const dataset::DatasetSpec& spec, const Arguments& arguments) {
  const auto started = std::chrono::steady_clock::now();
  const auto backfill = backfill_of(spec, arguments);
  if (!backfill) return fail(backfill.error());
  const auto progress = make_progress();
  const auto result = coordination::run_local_backfill(*backfill, *progress);
  if (!result) return fail(result.error());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  const auto path = local_store_path(spec, *environment());
  if (!path) return fail(path.error());
  const auto printed = print_report(spec, *path, *result, seconds.count(), arguments.json);
  if (!printed) return fail(printed.error());
  return result->files.complete() ? kDone : kDoneSkipped;
}

constexpr const char* kFooter = R"(Examples:
  icefield DATASET backfill-local 2025-08-02T00:00:00 \
      --source s3://noaa-hrrr-bdp-pds/=file:///data/noaa-hrrr-bdp-pds
  icefield DATASET backfill-local 2025-08-02T00:00:00 --overwrite-chunks \
      --filter-contains 2025-08-01T06:00:00 --filter-variable-names temperature_2m

The store is data/output/DATASET/v<version>.icechunk below the working directory (vdev in the
environment dev). An interrupted run goes on where it stopped when it is started again.
Exit status: 0 done; 3 done, some source files skipped and reported; 2 wrong use; 1 failed.)";

void add_options(CLI::App& command, Arguments& arguments) {
  command
      .add_option("APPEND_DIM_END", arguments.append_dim_end,
                  "End of the append dimension, exclusive (UTC, 2025-08-02T00:00:00)")
      ->required();
  command.add_option("--filter-start", arguments.filter_start, "First position to work on");
  command.add_option("--filter-end", arguments.filter_end, "End of the positions, exclusive");
  command.add_option("--filter-contains", arguments.filter_contains,
                     "A position to work on (repeat for more)");
  command.add_option("--filter-variable-names", arguments.filter_variable_names,
                     "A variable to work on: name or group/name (repeat for more)");
  command.add_option("--source", arguments.sources,
                     "PREFIX=URL: read the sources below PREFIX from URL (repeat for more; also "
                     "ICEFIELD_SOURCES, comma-separated)");
  command
      .add_option("--verify-index", arguments.verify_index,
                  "How many messages of each index are checked against the data: all, sample, none")
      ->check(CLI::IsMember({"all", "sample", "none"}))
      ->capture_default_str();
  command.add_flag("--record-source-identity,!--no-record-source-identity",
                   arguments.record_source_identity,
                   "Store with each reference what its source file was, so that readers refuse a "
                   "changed one");
  command.add_flag("--overwrite-chunks,!--no-overwrite-chunks", arguments.overwrite_chunks,
                   "Write the selected positions again into the store that exists");
  command.add_flag("--overwrite-metadata,!--no-overwrite-metadata", arguments.overwrite_metadata,
                   "Write the template's metadata over the store that exists");
  command.add_flag("--recreate,!--no-recreate", arguments.recreate,
                   "Delete the store and start over (environment dev only)");
  command.add_flag("--json", arguments.json, "Report as one JSON line on standard output");
}

}  // namespace

void add_backfill_local_command(CLI::App& app, Run& run, const dataset::DatasetSpec& spec) {
  auto* const command = app.add_subcommand(
      "backfill-local", "Fill a store on this machine with what the source holds");
  const auto arguments = std::make_shared<Arguments>();
  add_options(*command, *arguments);
  command->footer(kFooter);
  command->callback([&run, &spec, arguments] {
    run = [&spec, arguments] { return run_backfill(spec, *arguments); };
  });
}

}  // namespace icefield::cli
