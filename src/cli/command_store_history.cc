// `icefield store log|branches|tags|diff`: what happened.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/store_command.h"
#include "core/text.h"
#include "icechunk/format/metadata.h"
#include "icechunk/maintenance/diff.h"

namespace icefield::cli {
namespace {

core::Result<core::Json> row_of(const icechunk::SnapshotInfo& snapshot) {
  TRY_ASSIGN(auto metadata, icechunk::decode_metadata(snapshot.metadata));
  return core::Json::object(
      {{"snapshot", snapshot.id.text()},
       {"parent", snapshot.parent ? core::Json(snapshot.parent->text()) : core::Json()},
       {"flushed_at", core::format_instant(snapshot.flushed_at)},
       {"message", snapshot.message},
       {"metadata", std::move(metadata)}});
}

/// "  rebases 2, flush 12 ms, wait 30 ms", as far as the commit tells.
std::string timings(const core::Json& metadata) {
  std::string text;
  const auto add = [&](std::string_view group, std::string_view name, std::string_view shown,
                       std::string_view unit) {
    const core::Json* members = metadata.find(group);
    const core::Json* value = members == nullptr ? nullptr : members->find(name);
    if (value == nullptr || !value->is_integer()) return;
    text += core::text(text.empty() ? "  " : ", ", shown, " ", value->as_int64(), unit);
  };
  add("__icechunk", "rebase_attempts", "rebases", "");
  add("icefield", "flush_ms", "flush", " ms");
  add("icefield", "wait_ms", "wait", " ms");
  return text;
}

core::Result<Printed> show_log(const icechunk::Repository& repository, const std::string& version,
                               std::size_t most) {
  TRY_ASSIGN(const auto from, resolve_version(repository, version));
  TRY_ASSIGN(const auto ancestry, repository.ancestry(from));
  Printed printed;
  core::Json::Array rows;
  for (const auto& snapshot : ancestry) {
    if (rows.size() == most) break;
    TRY_ASSIGN(auto row, row_of(snapshot));
    printed.lines.push_back(core::text(snapshot.id.text(), "  ",
                                       row.find("flushed_at")->as_string(), "  ", snapshot.message,
                                       timings(*row.find("metadata"))));
    rows.push_back(std::move(row));
  }
  printed.json = std::move(rows);
  return printed;
}

Printed show_refs(const std::map<std::string, icechunk::SnapshotId, std::less<>>& refs) {
  Printed printed;
  core::Json::Object members;
  for (const auto& [name, target] : refs) {
    members.emplace_back(name, target.text());
    printed.lines.push_back(target.text() + "  " + name);
  }
  printed.json = std::move(members);
  return printed;
}

core::Json list_of(const std::vector<std::string>& texts) {
  core::Json::Array list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}

core::Result<Printed> show_diff(const icechunk::Repository& repository, const std::string& from,
                                const std::string& to) {
  TRY_ASSIGN(const auto first, resolve_version(repository, from));
  TRY_ASSIGN(const auto last, resolve_version(repository, to));
  TRY_ASSIGN(const auto diff, icechunk::diff(repository, first, last));
  Printed printed;
  core::Json::Object chunks;
  core::Json::Array moved;
  for (const auto& path : diff.created) printed.lines.push_back("created  " + path);
  for (const auto& path : diff.deleted) printed.lines.push_back("deleted  " + path);
  for (const auto& path : diff.updated) printed.lines.push_back("updated  " + path);
  for (const auto& [before, after] : diff.moved) {
    printed.lines.push_back(core::text("moved    ", before, " to ", after));
    moved.push_back(core::Json::array({before, after}));
  }
  for (const auto& [path, positions] : diff.chunks) {
    printed.lines.push_back(core::text("chunks   ", path, ": ", positions.size()));
    core::Json::Array list;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      core::Json::Array index;
      for (const std::uint32_t number : positions[i]) index.emplace_back(number);
      list.emplace_back(std::move(index));
    }
    chunks.emplace_back(path, std::move(list));
  }
  printed.json = core::Json::object({{"created", list_of(diff.created)},
                                     {"deleted", list_of(diff.deleted)},
                                     {"updated", list_of(diff.updated)},
                                     {"moved", std::move(moved)},
                                     {"chunks", std::move(chunks)}});
  return printed;
}

}  // namespace

void add_store_history_commands(CLI::App& store, Run& run) {
  struct LogArguments {
    std::string version = "main";
    std::size_t most = std::numeric_limits<std::size_t>::max();
  };
  const auto asked = std::make_shared<LogArguments>();
  auto& log = add_store_command(
      store, run,
      {.name = "log",
       .help = "Show the history of a branch, tag or snapshot, newest first, with rebases, flush "
               "and wait times where a commit tells them",
       .example = "log /data/store.icechunk main --limit 10"},
      [asked](const icechunk::Repository& repository) {
        return show_log(repository, asked->version, asked->most);
      });
  log.add_option("VERSION", asked->version, std::string(kVersionHelp))->capture_default_str();
  log.add_option("--limit", asked->most, "Show no more than this many");

  add_store_command(store, run,
                    {.name = "branches",
                     .help = "List branches and their tips",
                     .example = "branches /data/store.icechunk --json"},
                    [](const icechunk::Repository& repository) -> core::Result<Printed> {
                      TRY_ASSIGN(const auto info, repository.info());
                      return show_refs(info->branches);
                    });
  add_store_command(store, run,
                    {.name = "tags",
                     .help = "List tags and their snapshots",
                     .example = "tags /data/store.icechunk --json"},
                    [](const icechunk::Repository& repository) -> core::Result<Printed> {
                      TRY_ASSIGN(const auto info, repository.info());
                      return show_refs(info->tags);
                    });

  const auto ends = std::make_shared<std::pair<std::string, std::string>>("", "main");
  auto& diff = add_store_command(store, run,
                                 {.name = "diff",
                                  .help = "Show what changed between two versions",
                                  .example = "diff /data/store.icechunk tag:v1 main"},
                                 [ends](const icechunk::Repository& repository) {
                                   return show_diff(repository, ends->first, ends->second);
                                 });
  diff.add_option("FROM", ends->first, "The older version: " + std::string(kVersionHelp))
      ->required();
  diff.add_option("TO", ends->second, "The newer version")->capture_default_str();
}

}  // namespace icefield::cli
