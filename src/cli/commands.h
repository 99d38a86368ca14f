#pragma once

#include <functional>

namespace CLI {
class App;
}  // namespace CLI

namespace icefield::dataset {
struct DatasetSpec;
}  // namespace icefield::dataset

namespace icefield::cli {

/// The work of the command that the command line names; main runs it once parsing succeeded.
/// It returns an exit status (exit_status.h) and has printed its own error.
using Run = std::function<int()>;

// Each function adds the commands of one file to `app` and stores the chosen one's work in `run`.
// `app` and `run` outlive the parse.

void add_datasets_command(CLI::App& app, Run& run);
void add_sample_source_command(CLI::App& app, Run& run);
void add_grib_commands(CLI::App& app, Run& run);
void add_store_commands(CLI::App& app, Run& run);
void add_store_ls_command(CLI::App& store, Run& run);  // below `store`, and the next five
void add_store_history_commands(CLI::App& store, Run& run);
void add_store_refs_command(CLI::App& store, Run& run);
void add_store_content_commands(CLI::App& store, Run& run);
void add_store_maintenance_commands(CLI::App& store, Run& run);
void add_store_selftest_command(CLI::App& store, Run& run);

void add_update_template_command(CLI::App& app, Run& run, const dataset::DatasetSpec& spec);
void add_backfill_local_command(CLI::App& app, Run& run, const dataset::DatasetSpec& spec);

}  // namespace icefield::cli
