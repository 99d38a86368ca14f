// `icefield store dump|manifests|stats|containers`: what is there.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/store_command.h"
#include "core/text.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/maintenance/describe.h"
#include "icechunk/maintenance/statistics.h"

namespace icefield::cli {
namespace {

core::Result<Printed> show_dump(const icechunk::Repository& repository) {
  TRY_ASSIGN(auto everything, icechunk::describe(repository));
  Printed printed;
  constexpr int kIndent = 1;
  printed.lines = core::split(everything.dump({.indent = kIndent, .nan_tokens = true}), '\n');
  printed.json = std::move(everything);
  return printed;
}

std::string per_reference(std::uint64_t bytes, std::uint64_t references) {
  if (references == 0) return "-";
  const std::uint64_t tenths = (bytes * 10 + references / 2) / references;
  return core::text(tenths / 10, ".", tenths % 10);
}

/// "2 of 5 windows over the budget: split at 40 chunks", or how far the split sizes may grow.
std::string judged(const icechunk::ArrayManifests& array, std::uint64_t budget) {
  if (budget == 0 || array.windows.empty()) return {};
  const auto over = array.windows_over(budget);
  const std::string kept = core::text(array.split_for(budget), " chunks of the first dimension");
  if (array.split_size == 0) return over > 0 ? ": over the budget" : ": within the budget";
  if (over == 0) return core::text(": within the budget, which holds ", kept);
  return core::text(": ", over, " of ", array.windows.size(),
                    " windows over the budget, which holds ", kept);
}

core::Json row_of(const icechunk::ArrayManifests& array, std::uint64_t budget) {
  const double references = static_cast<double>(array.references);
  core::Json row = core::Json::object(
      {{"path", array.path},
       {"manifests", array.manifests},
       {"windows", std::uint64_t{array.windows.size()}},
       {"references", array.references},
       {"bytes", array.bytes},
       {"bytes_per_reference", array.references == 0
                                   ? core::Json()
                                   : core::Json(static_cast<double>(array.bytes) / references)},
       {"largest_window_bytes", array.largest_window_bytes()},
       {"split_size", array.split_size}});
  if (budget == 0) return row;
  row.set("windows_over_budget", std::uint64_t{array.windows_over(budget)});
  row.set("suggested_split_size", array.split_for(budget));
  return row;
}

core::Result<Printed> show_manifests(const icechunk::Repository& repository,
                                     const std::string& version, std::uint64_t budget) {
  TRY_ASSIGN(const auto at, resolve_version(repository, version));
  TRY_ASSIGN(const auto arrays, icechunk::manifest_statistics(repository, at));
  Printed printed;
  core::Json::Array rows;
  for (const auto& array : arrays) {
    printed.lines.push_back(
        core::text(array.path, "  ", array.manifests, " manifests in ", array.windows.size(),
                   " windows, ", array.references, " references, ", array.bytes, " bytes, ",
                   per_reference(array.bytes, array.references), " per reference, largest window ",
                   array.largest_window_bytes(), judged(array, budget)));
    rows.push_back(row_of(array, budget));
  }
  printed.json = std::move(rows);
  return printed;
}

core::Result<Printed> show_statistics(const icechunk::Repository& repository) {
  TRY_ASSIGN(const auto kinds, icechunk::object_statistics(repository));
  Printed printed;
  core::Json::Object members;
  for (const auto& kind : kinds) {
    printed.lines.push_back(
        core::text(kind.name, ": ", kind.objects, " objects, ", kind.bytes, " bytes"));
    members.emplace_back(kind.name,
                         core::Json::object({{"objects", kind.objects}, {"bytes", kind.bytes}}));
  }
  printed.json = std::move(members);
  return printed;
}

core::Result<Printed> show_containers(const icechunk::Repository& repository) {
  TRY_ASSIGN(const auto needs, repository.containers());
  Printed printed;
  core::Json::Array rows;
  for (const auto& need : needs) {
    const std::string name = need.container.name.value_or("");
    printed.lines.push_back(
        core::text(name.empty() ? "(no name)" : name, "  ", need.container.url_prefix,
                   need.needs_credentials ? "  needs credentials" : "  needs no credentials"));
    rows.push_back(core::Json::object({{"name", name.empty() ? core::Json() : core::Json(name)},
                                       {"url_prefix", need.container.url_prefix},
                                       {"anonymous", !need.needs_credentials}}));
  }
  printed.json = std::move(rows);
  return printed;
}

void add_manifests(CLI::App& store, Run& run) {
  struct Arguments {
    std::string version = "main";
    std::uint64_t budget = 0;
  };
  const auto arguments = std::make_shared<Arguments>();
  auto& command =
      add_store_command(store, run,
                        {.name = "manifests",
                         .help = "Show sizes of manifests and windows, array by array",
                         .example = "manifests /data/store.icechunk --budget 2000000"},
                        [arguments](const icechunk::Repository& repository) {
                          return show_manifests(repository, arguments->version, arguments->budget);
                        });
  command.add_option("VERSION", arguments->version, std::string(kVersionHelp))
      ->capture_default_str();
  command.add_option("--budget", arguments->budget,
                     "Bytes that a window may have: tells which have more, and the split size "
                     "along the first dimension that keeps to it");
}

}  // namespace

void add_store_content_commands(CLI::App& store, Run& run) {
  add_store_command(store, run,
                    {.name = "dump",
                     .help = "Show everything a reader should find",
                     .example = "dump /data/store.icechunk --json"},
                    show_dump);
  add_manifests(store, run);
  add_store_command(store, run,
                    {.name = "stats",
                     .help = "Count objects and bytes by kind",
                     .example = "stats s3://bucket/store.icechunk"},
                    show_statistics);
  add_store_command(store, run,
                    {.name = "containers",
                     .help = "List where virtual chunks come from",
                     .example = "containers /data/store.icechunk"},
                    show_containers);
  add_store_verify_command(store, run);
}

}  // namespace icefield::cli
