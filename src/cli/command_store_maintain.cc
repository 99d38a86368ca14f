// `icefield store expire|gc|compact`: what makes a repository smaller.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/store_command.h"
#include "core/text.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/commit/compact.h"
#include "icechunk/maintenance/changeable.h"
#include "icechunk/maintenance/collect_garbage.h"
#include "icechunk/maintenance/expire.h"

namespace icefield::cli {
namespace {

constexpr std::chrono::hours kShortestAge{1};
constexpr std::string_view kMomentHelp = "A time, or an age like 30d, 12h, 5m";

template <typename Ids>
core::Json texts(const Ids& ids) {
  core::Json::Array list;
  for (const auto& id : ids) {
    if constexpr (std::is_same_v<std::decay_t<decltype(id)>, std::string>) {
      list.emplace_back(id);
    } else {
      list.emplace_back(id.text());
    }
  }
  return list;
}

void add_expire(CLI::App& store, Run& run) {
  struct Arguments {
    std::string older_than;
    icechunk::ExpireOptions options;
  };
  const auto arguments = std::make_shared<Arguments>();
  auto& command = add_store_command(
      store, run,
      {.name = "expire",
       .help = "Shorten history; deletes no objects (gc does)",
       .example = "expire /data/store.icechunk --older-than 30d --dry-run"},
      [arguments](const icechunk::Repository& repository) -> core::Result<Printed> {
        auto options = arguments->options;
        TRY_ASSIGN(options.older_than,
                   parse_moment(arguments->older_than, repository.assets()->clock().now()));
        TRY_ASSIGN(const auto result, icechunk::expire(repository, options));
        Printed printed;
        printed.lines.push_back(core::text(
            options.dry_run ? "would release " : "released ", result.released.size(),
            " snapshots, ", result.branches.size(), " branches and ", result.tags.size(), " tags"));
        printed.json = core::Json::object({{"dry_run", options.dry_run},
                                           {"released", texts(result.released)},
                                           {"branches", texts(result.branches)},
                                           {"tags", texts(result.tags)}});
        return printed;
      });
  command.add_option("--older-than", arguments->older_than, std::string(kMomentHelp))->required();
  command.add_flag("--delete-branches", arguments->options.delete_branches,
                   "Delete branches (but main) whose tip is older");
  command.add_flag("--delete-tags", arguments->options.delete_tags,
                   "Delete tags of older snapshots; their names can never be used again");
  command.add_flag("--dry-run", arguments->options.dry_run, "Only tell what would be done");
}

core::Json counted(const icechunk::Deleted& deleted) {
  return core::Json::object({{"objects", deleted.objects}, {"bytes", deleted.bytes}});
}

void add_gc(CLI::App& store, Run& run) {
  struct Arguments {
    std::string older_than;
    bool no_writers = false;
    bool dry_run = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  auto& command = add_store_command(
      store, run,
      {.name = "gc",
       .help = "Delete objects that no snapshot needs",
       .example = "gc /data/store.icechunk --older-than 7d --dry-run"},
      [arguments](const icechunk::Repository& repository) -> core::Result<Printed> {
        icechunk::GarbageOptions options;
        options.dry_run = arguments->dry_run;
        const auto now = repository.assets()->clock().now();
        TRY_ASSIGN(options.older_than, parse_moment(arguments->older_than, now));
        if (options.older_than > now - kShortestAge && !arguments->no_writers) {
          return core::Error(core::ErrorCode::kInvalidArgument,
                             "gc: what writers have not committed yet would be lost: collect what "
                             "is older than an hour, or say --no-writers");
        }
        TRY_ASSIGN(const auto result, icechunk::collect_garbage(repository, options));
        Printed printed;
        const auto line = [&](std::string_view what, const icechunk::Deleted& deleted) {
          printed.lines.push_back(core::text(options.dry_run ? "would delete " : "deleted ",
                                             deleted.objects, " ", what, ", ", deleted.bytes,
                                             " bytes"));
        };
        line("snapshots", result.snapshots);
        line("transaction logs", result.transaction_logs);
        line("manifests", result.manifests);
        line("chunks", result.chunks);
        if (result.leftovers > 0) {
          printed.lines.push_back(
              core::text("deleted ", result.leftovers, " leftovers of interrupted writes"));
        }
        printed.json = core::Json::object({{"dry_run", options.dry_run},
                                           {"snapshots_dropped", result.snapshots_dropped},
                                           {"snapshots", counted(result.snapshots)},
                                           {"transaction_logs", counted(result.transaction_logs)},
                                           {"manifests", counted(result.manifests)},
                                           {"chunks", counted(result.chunks)},
                                           {"leftovers", result.leftovers}});
        return printed;
      });
  command
      .add_option("--older-than", arguments->older_than,
                  std::string(kMomentHelp) + ": longer than any writer takes for one commit")
      ->required();
  command.add_flag("--no-writers", arguments->no_writers,
                   "Nobody writes: objects younger than an hour may go, too");
  command.add_flag("--dry-run", arguments->dry_run, "Only count");
}

void add_compact(CLI::App& store, Run& run) {
  struct Arguments {
    std::string branch = "main";
    icechunk::CompactOptions options;
  };
  const auto arguments = std::make_shared<Arguments>();
  auto& command = add_store_command(
      store, run,
      {.name = "compact",
       .help = "Merge small manifests, window by window",
       .example = "compact /data/store.icechunk --branch main --keep 4 --dry-run"},
      [arguments](const icechunk::Repository& repository) -> core::Result<Printed> {
        TRY(icechunk::require_changeable(repository));
        TRY_ASSIGN(const auto result, icechunk::compact(repository, arguments->branch,
                                                        "Compact manifests", arguments->options));
        Printed printed;
        printed.lines.push_back(core::text(
            arguments->options.dry_run ? "would merge " : "merged ", result.windows,
            " windows: ", result.manifests_before, " manifests",
            arguments->options.dry_run ? "" : core::text(" became ", result.manifests_after)));
        printed.json = core::Json::object(
            {{"dry_run", arguments->options.dry_run},
             {"snapshot",
              result.commit ? core::Json(result.commit->snapshot.text()) : core::Json()},
             {"windows", std::uint64_t{result.windows}},
             {"manifests_before", std::uint64_t{result.manifests_before}},
             {"manifests_after", std::uint64_t{result.manifests_after}}});
        return printed;
      });
  command.add_option("--branch", arguments->branch)->capture_default_str();
  command
      .add_option("--keep", arguments->options.keep_manifests,
                  "Leave windows alone that have no more manifests than this")
      ->capture_default_str();
  command.add_flag("--dry-run", arguments->options.dry_run, "Only count");
}

}  // namespace

void add_store_maintenance_commands(CLI::App& store, Run& run) {
  add_expire(store, run);
  add_gc(store, run);
  add_compact(store, run);
  add_store_refresh_command(store, run);
  add_store_move_commands(store, run);
}

}  // namespace icefield::cli
