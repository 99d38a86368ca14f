// `icefield store dump|manifests|stats|containers|verify`: what is there, and whether it is sound.
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
#include "icechunk/maintenance/verify.h"

namespace icefield::cli {
namespace {

core::Result<Printed> show_dump(const icechunk::Repository& repository) {
  TRY_ASSIGN(auto everything, icechunk::describe(repository));
  Printed printed;
  constexpr int kIndent = 1;
  printed.lines.push_back(everything.dump({.indent = kIndent}));
  printed.json = std::move(everything);
  return printed;
}

std::string per_reference(std::uint64_t bytes, std::uint64_t references) {
  if (references == 0) return "-";
  const std::uint64_t tenths = (bytes * 10 + references / 2) / references;
  return core::text(tenths / 10, ".", tenths % 10);
}

core::Result<Printed> show_manifests(const icechunk::Repository& repository,
                                     const std::string& version, std::uint64_t budget) {
  TRY_ASSIGN(const auto at, resolve_version(repository, version));
  TRY_ASSIGN(const auto arrays, icechunk::manifest_statistics(repository, at));
  Printed printed;
  core::Json::Array rows;
  for (const auto& array : arrays) {
    const auto split = array.split_for(budget);
    printed.lines.push_back(
        core::text(array.path, "  ", array.manifests, " manifests in ", array.windows, " windows, ",
                   array.references, " references, ", array.bytes, " bytes, ",
                   per_reference(array.bytes, array.references), " per reference, largest window ",
                   array.largest_window_bytes,
                   budget > 0 && array.largest_window_bytes > budget
                       ? core::text(": over the budget; split at ", split, " chunks")
                       : std::string()));
    core::Json row = core::Json::object({{"path", array.path},
                                         {"manifests", array.manifests},
                                         {"windows", array.windows},
                                         {"references", array.references},
                                         {"bytes", array.bytes},
                                         {"largest_window_bytes", array.largest_window_bytes},
                                         {"split_size", array.split_size}});
    if (budget > 0) row.set("suggested_split_size", split);
    rows.push_back(std::move(row));
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

core::Result<Printed> show_verification(const icechunk::Repository& repository) {
  TRY_ASSIGN(const auto report, icechunk::verify(repository));
  Printed printed;
  core::Json::Array findings;
  for (const auto& finding : report.findings) {
    const std::string severity =
        finding.severity == icechunk::Severity::kDamage ? "damage" : "unusual";
    printed.lines.push_back(core::text(severity, "  ", finding.object, ": ", finding.what));
    findings.push_back(core::Json::object(
        {{"severity", severity}, {"object", finding.object}, {"what", finding.what}}));
  }
  printed.lines.push_back(core::text(
      report.sound() ? "sound: " : "DAMAGED: ", report.snapshots, " snapshots, ", report.manifests,
      " manifests, ", report.references, " references, ", report.findings.size(), " findings"));
  printed.json = core::Json::object({{"sound", report.sound()},
                                     {"snapshots", report.snapshots},
                                     {"manifests", report.manifests},
                                     {"references", report.references},
                                     {"findings", std::move(findings)}});
  printed.status = report.sound() ? kDone : kFailed;
  return printed;
}

}  // namespace

void add_store_content_commands(CLI::App& store, Run& run) {
  add_store_command(store, run, "dump", "Show everything a reader should find", show_dump);
  struct ManifestArguments {
    std::string version = "main";
    std::uint64_t budget = 0;
  };
  const auto arguments = std::make_shared<ManifestArguments>();
  auto& manifests = add_store_command(
      store, run, "manifests", "Show sizes of manifests and windows, array by array",
      [arguments](const icechunk::Repository& repository) {
        return show_manifests(repository, arguments->version, arguments->budget);
      });
  manifests.add_option("VERSION", arguments->version, "Branch, tag:NAME or snapshot id")
      ->capture_default_str();
  manifests.add_option("--budget", arguments->budget,
                       "Bytes that a window may have; suggests split sizes");
  add_store_command(store, run, "stats", "Count objects and bytes by kind", show_statistics);
  add_store_command(store, run, "containers", "List where virtual chunks come from",
                    show_containers);
  add_store_command(store, run, "verify", "Look for damage in every file", show_verification);
}

}  // namespace icefield::cli
