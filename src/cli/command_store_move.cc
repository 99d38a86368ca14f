// `icefield store reset|create-branch|delete-branch|create-tag|delete-tag|set-status|repoint`: what
// names lead to, and where chunks lie.
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/store_command.h"
#include "core/text.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/commit/refs.h"
#include "icechunk/maintenance/changeable.h"
#include "icechunk/maintenance/repoint.h"

namespace icefield::cli {
namespace {

constexpr const char* kDryRunHelp = "Only check, and tell what would be done";
constexpr const char* kExpectHelp = "Fail when the branch's tip is another than this version";

using icechunk::Repository;
using icechunk::SnapshotId;

/// What the commands of this file take; each uses some of it.
struct Arguments {
  std::string name;
  std::string at = "main";
  std::string expect;
  bool dry_run = false;
};

core::Error refuse(core::ErrorCode code, std::string why) {
  return core::Error(code, std::move(why));
}

/// The tip that a change of a branch is conditional on: the one asked for, else the present one.
/// Errors: kConflict when they differ.
core::Result<SnapshotId> expected_tip(const Repository& repository, const Arguments& arguments) {
  TRY_ASSIGN(const auto tip, repository.tip(arguments.name));
  if (arguments.expect.empty()) return tip;
  TRY_ASSIGN(const auto expected, resolve_version(repository, arguments.expect));
  if (expected == tip) return tip;
  return refuse(core::ErrorCode::kConflict,
                core::text(arguments.name, " is at ", tip.text(), ", not at ", expected.text()));
}

Printed told(const std::string& kind, const Arguments& arguments,
             const std::optional<SnapshotId>& before, const std::optional<SnapshotId>& now) {
  const std::string would = arguments.dry_run ? " would be " : " is now ";
  Printed printed;
  printed.lines.push_back(core::text(
      kind, " ", arguments.name, before ? ": " + before->text() : std::string(":"), would,
      now ? (before ? now->text() : "at " + now->text()) : std::string("deleted")));
  printed.json = core::Json::object({{kind, arguments.name},
                                     {"before", before ? core::Json(before->text()) : core::Json()},
                                     {"now", now ? core::Json(now->text()) : core::Json()},
                                     {"dry_run", arguments.dry_run}});
  return printed;
}

core::Result<Printed> reset(const Repository& repository, const Arguments& arguments) {
  TRY(icechunk::require_changeable(repository));
  TRY_ASSIGN(const auto before, expected_tip(repository, arguments));
  TRY_ASSIGN(const auto to, resolve_version(repository, arguments.at));
  if (!arguments.dry_run) {
    TRY(icechunk::reset_branch(repository, arguments.name, to, before));
  }
  return told("branch", arguments, before, to);
}

core::Result<Printed> make_branch(const Repository& repository, const Arguments& arguments) {
  TRY(icechunk::require_changeable(repository));
  TRY_ASSIGN(const auto at, resolve_version(repository, arguments.at));
  TRY_ASSIGN(const auto info, repository.info());
  if (info->branches.contains(arguments.name)) {
    return refuse(core::ErrorCode::kConflict, "there is a branch " + arguments.name);
  }
  if (!arguments.dry_run) TRY(icechunk::create_branch(repository, arguments.name, at));
  return told("branch", arguments, std::nullopt, at);
}

core::Result<Printed> remove_branch(const Repository& repository, const Arguments& arguments) {
  TRY(icechunk::require_changeable(repository));
  if (arguments.name == icechunk::kMainBranch) {
    return refuse(core::ErrorCode::kInvalidArgument, "main cannot be deleted");
  }
  TRY_ASSIGN(const auto before, expected_tip(repository, arguments));
  if (!arguments.dry_run) TRY(icechunk::delete_branch(repository, arguments.name));
  return told("branch", arguments, before, std::nullopt);
}

core::Result<Printed> make_tag(const Repository& repository, const Arguments& arguments) {
  TRY(icechunk::require_changeable(repository));
  TRY_ASSIGN(const auto at, resolve_version(repository, arguments.at));
  TRY_ASSIGN(const auto info, repository.info());
  if (info->tags.contains(arguments.name) || info->deleted_tags.contains(arguments.name)) {
    return refuse(core::ErrorCode::kConflict,
                  arguments.name + " is a tag, or was one: tags stay what they are");
  }
  if (!arguments.dry_run) TRY(icechunk::create_tag(repository, arguments.name, at));
  return told("tag", arguments, std::nullopt, at);
}

core::Result<Printed> remove_tag(const Repository& repository, const Arguments& arguments) {
  TRY(icechunk::require_changeable(repository));
  TRY_ASSIGN(const auto before, repository.resolve(icechunk::TagName(arguments.name)));
  if (!arguments.dry_run) TRY(icechunk::delete_tag(repository, arguments.name));
  return told("tag", arguments, before, std::nullopt);
}

using Change = core::Result<Printed> (*)(const Repository&, const Arguments&);

/// Adds a command that changes one ref; gives it with its arguments for more options.
std::pair<CLI::App*, std::shared_ptr<Arguments>> add_change(CLI::App& store, Run& run,
                                                            const StoreCommand& described,
                                                            Change change) {
  const auto arguments = std::make_shared<Arguments>();
  auto& command = add_store_command(
      store, run, described,
      [arguments, change](const Repository& repository) { return change(repository, *arguments); });
  command.add_option("NAME", arguments->name)->required();
  command.add_flag("--dry-run", arguments->dry_run, kDryRunHelp);
  return {&command, arguments};
}

void add_branches(CLI::App& store, Run& run) {
  const auto [to_reset, where] = add_change(store, run,
                                            {.name = "reset",
                                             .help = "Move a branch to another snapshot",
                                             .example = "reset /data/store.icechunk main tag:v1 "
                                                        "--expect 1CECHNKREP0F1RSTCMT0"},
                                            reset);
  to_reset->add_option("TO", where->at, std::string(kVersionHelp))->required();
  to_reset->add_option("--expect", where->expect, kExpectHelp);

  const auto [to_make, made] =
      add_change(store, run,
                 {.name = "create-branch",
                  .help = "Name a snapshot as a branch, which later commits move",
                  .example = "create-branch /data/store.icechunk dev main"},
                 make_branch);
  to_make->add_option("AT", made->at, std::string(kVersionHelp))->capture_default_str();

  const auto [to_remove, removed] =
      add_change(store, run,
                 {.name = "delete-branch",
                  .help = "Delete a branch; its snapshots stay until they are collected",
                  .example = "delete-branch /data/store.icechunk dev --dry-run"},
                 remove_branch);
  to_remove->add_option("--expect", removed->expect, kExpectHelp);
}

void add_tags(CLI::App& store, Run& run) {
  const auto [to_make, made] = add_change(store, run,
                                          {.name = "create-tag",
                                           .help = "Name a snapshot for good",
                                           .example = "create-tag /data/store.icechunk v1 main"},
                                          make_tag);
  to_make->add_option("AT", made->at, std::string(kVersionHelp))->capture_default_str();
  add_change(store, run,
             {.name = "delete-tag",
              .help = "Delete a tag; its name can never be used again",
              .example = "delete-tag /data/store.icechunk v1 --dry-run"},
             remove_tag);
}

void add_status(CLI::App& store, Run& run) {
  struct Wanted {
    std::string status;
    std::optional<std::string> reason;
  };
  const auto wanted = std::make_shared<Wanted>();
  auto& command = add_store_command(
      store, run,
      {.name = "set-status",
       .help = "Make a repository read only for every writer, or writable again",
       .example = "set-status /data/store.icechunk read-only --reason 'moved to s3://new/'"},
      [wanted](const Repository& repository) -> core::Result<Printed> {
        const bool online = wanted->status == "online";
        TRY(icechunk::set_status(
            repository,
            online ? icechunk::Availability::kOnline : icechunk::Availability::kReadOnly,
            wanted->reason));
        Printed printed;
        printed.lines.push_back("the repository is now " + wanted->status);
        printed.json = core::Json::object({{"status", wanted->status}});
        return printed;
      });
  command.add_option("STATUS", wanted->status, "online or read-only")
      ->required()
      ->check(CLI::IsMember({"online", "read-only"}));
  command.add_option("--reason", wanted->reason, "Told to writers that are refused");
}

void add_repoint(CLI::App& store, Run& run) {
  struct Wanted {
    std::string name;
    std::string url;
    icechunk::RepointOptions options;
  };
  const auto wanted = std::make_shared<Wanted>();
  auto& command = add_store_command(
      store, run,
      {.name = "repoint",
       .help = "Change where a virtual chunk container lies",
       .example = "repoint /data/store.icechunk noaa-hrrr-bdp-pds file:///mirror/hrrr/"},
      [wanted](const Repository& repository) -> core::Result<Printed> {
        TRY_ASSIGN(const auto before,
                   icechunk::repoint(repository, wanted->name, wanted->url, wanted->options));
        const bool dry = wanted->options.dry_run;
        Printed printed;
        printed.lines.push_back(
            core::text(wanted->name, ": ", before, dry ? " would be " : " is now ", wanted->url));
        printed.json = core::Json::object(
            {{"name", wanted->name}, {"before", before}, {"now", wanted->url}, {"dry_run", dry}});
        return printed;
      });
  command.add_option("NAME", wanted->name, "Name of the container")->required();
  command.add_option("URL", wanted->url, "New url prefix, like s3://mirror/ or file:///data/")
      ->required();
  command.add_option("--region", wanted->options.region, "For s3://");
  command.add_option("--endpoint", wanted->options.endpoint_url, "For s3://");
  command.add_flag("--anonymous,!--signed", wanted->options.anonymous, "For s3://")
      ->capture_default_str();
  command.add_flag("--dry-run", wanted->options.dry_run, kDryRunHelp);
}

}  // namespace

void add_store_move_commands(CLI::App& store, Run& run) {
  add_branches(store, run);
  add_tags(store, run);
  add_status(store, run);
  add_repoint(store, run);
}

}  // namespace icefield::cli
