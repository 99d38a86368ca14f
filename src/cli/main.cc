// The door: one executable, `icefield <command>` or `icefield <dataset-id> <command>`.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "core/large_memory.h"
#include "core/printable.h"
#include "core/text.h"
#include "datasets/all_datasets.h"

namespace icefield::cli {
namespace {

/// Everything written so far is whole or invisible, so ending at once leaves nothing broken.
void end_on_signal(int number) {
  const char* const line = number == SIGTERM ? "icefield: Received SIGTERM, exiting\n"
                                             : "icefield: interrupted; run again to go on\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line, std::strlen(line));
  ::_exit(128 + number);
}

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = end_on_signal;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, nullptr);
}

std::string dataset_list() {
  std::string list = "Datasets (icefield <dataset-id> --help for their commands):\n";
  for (const auto* spec : datasets::all_datasets()) list += core::text("  ", spec->id, "\n");
  return list + R"(
Examples:
  icefield sample-source noaa-hrrr-forecast-48-hour-virtual --out sample
  icefield noaa-hrrr-forecast-48-hour-virtual backfill-local 2025-08-01T12:00:00 \
      --source s3://noaa-hrrr-bdp-pds/=file://$PWD/sample/noaa-hrrr-bdp-pds)";
}

void add_dataset(CLI::App& app, Run& run, const dataset::DatasetSpec& spec) {
  auto* const group = app.add_subcommand(std::string(spec.id), std::string(spec.attributes.name));
  group->require_subcommand(1);
  add_update_template_command(*group, run, spec);
  add_backfill_local_command(*group, run, spec);
}

bool is_command(const CLI::App& app, std::string_view word) {
  const auto commands = app.get_subcommands([](const CLI::App* /*command*/) { return true; });
  return std::ranges::any_of(commands, [word](const auto* one) { return one->get_name() == word; });
}

int unknown(std::string_view word) {
  std::string line = core::text("icefield: '", core::printable(word),
                                "' is neither a command nor a dataset; see 'icefield --help' and "
                                "'icefield datasets'\n");
  std::fputs(line.c_str(), stderr);
  return kWrongUse;
}

int run_main(int argc, char** argv) {
  CLI::App app("Turns weather-model archives into live, versioned Zarr datasets", "icefield");
  app.set_version_flag("--version", ICEFIELD_VERSION);
  app.require_subcommand(1);
  app.footer(dataset_list());
  Run run;
  add_datasets_command(app, run);
  add_sample_source_command(app, run);
  add_grib_commands(app, run);
  add_store_commands(app, run);

  const std::string_view first = argc > 1 ? argv[1] : "";  // NOLINT: argv
  if (const auto spec = datasets::find_dataset(first)) {
    add_dataset(app, run, **spec);
  } else if (!first.empty() && !first.starts_with('-') && !is_command(app, first)) {
    return unknown(first);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::fputs(core::text("icefield: ", core::printable(error.what()), "; see --help\n").c_str(),
               stderr);
    return kWrongUse;
  }
  return run ? run() : kWrongUse;
}

}  // namespace
}  // namespace icefield::cli

int main(int argc, char** argv) {
  icefield::core::keep_freed_memory();
  icefield::cli::install_signal_handlers();
  return icefield::cli::run_main(argc, argv);
}
