// `icefield store ...`: look after an Icechunk repository.
#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace icefield::cli {

void add_store_commands(CLI::App& app, Run& run) {
  auto* const store = app.add_subcommand("store", "Look after an Icechunk repository");
  store->require_subcommand(1);
  add_store_ls_command(*store, run);
  add_store_history_commands(*store, run);
  add_store_refs_command(*store, run);
  add_store_content_commands(*store, run);
  add_store_maintenance_commands(*store, run);
  add_store_selftest_command(*store, run);
}

}  // namespace icefield::cli
