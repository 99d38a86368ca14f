// `icefield datasets`: what this program can build.
#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "core/json.h"
#include "core/text.h"
#include "datasets/all_datasets.h"

namespace icefield::cli {
namespace {

int list_datasets(bool as_json) {
  core::Json::Array rows;
  for (const auto* spec : datasets::all_datasets()) {
    const bool is_virtual = spec->kind == dataset::DatasetKind::kVirtual;
    if (as_json) {
      rows.push_back(
          core::Json::object({{"id", spec->id},
                              {"version", spec->version},
                              {"name", spec->attributes.name},
                              {"kind", is_virtual ? "virtual" : "materialized"},
                              {"variables", static_cast<std::uint64_t>(spec->variables.size())}}));
      continue;
    }
    std::puts(core::text(spec->id, "  v", spec->version, "  ", spec->variables.size(),
                         " variables  ", spec->attributes.name)
                  .c_str());
  }
  if (as_json) std::puts(core::Json(std::move(rows)).dump().c_str());
  return kDone;
}

}  // namespace

void add_datasets_command(CLI::App& app, Run& run) {
  auto* const command = app.add_subcommand("datasets", "List the datasets of this program");
  const auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "One JSON array on standard output");
  command->callback([as_json, &run] { run = [as_json] { return list_datasets(*as_json); }; });
}

}  // namespace icefield::cli
