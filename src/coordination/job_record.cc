#include "coordination/job_record.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text.h"

namespace icefield::coordination {
namespace {

using core::Error;
using core::ErrorCode;
using core::Json;

constexpr std::string_view kMember = "icefield_job";

Json time_or_null(const std::optional<core::Timestamp>& time) {
  return time ? Json(core::format_timestamp(*time)) : Json();
}

Json to_json(const JobRecord& record) {
  Json::Array contains;
  if (record.filters.contains) {
    for (const auto time : *record.filters.contains) {
      contains.emplace_back(core::format_timestamp(time));
    }
  }
  Json::Array variables;
  for (const auto& name : record.filters.variable_names) variables.emplace_back(name);
  return Json::object({{"append_dim_end", core::format_timestamp(record.append_dim_end)},
                       {"filter_contains", std::move(contains)},
                       {"filter_end", time_or_null(record.filters.end)},
                       {"filter_start", time_or_null(record.filters.start)},
                       {"filter_variable_names", std::move(variables)},
                       {"overwrite_chunks", record.overwrite_chunks},
                       {"overwrite_metadata", record.overwrite_metadata}});
}

/// Members that say something, as "name value" pairs in the words of the command line.
std::string in_words(const Json& record) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : record.as_object()) {
    std::string option = name;
    std::ranges::replace(option, '_', '-');
    if (value.is_string()) parts.push_back(core::text("--", option, " ", value.as_string()));
    if (value.is_bool() && value.as_bool()) parts.push_back("--" + option);
    if (!value.is_array()) continue;
    for (const auto& item : value.as_array()) {
      parts.push_back(core::text("--", option, " ", item.is_string() ? item.as_string() : ""));
    }
  }
  return core::join(parts, " ");
}

}  // namespace

icechunk::Metadata to_metadata(const JobRecord& record) {
  return {{std::string(kMember), to_json(record)}};
}

core::Result<BranchState> branch_state(const icechunk::Repository& repository,
                                       const std::string& branch) {
  TRY_ASSIGN(const auto tip, repository.tip(branch));
  TRY_ASSIGN(const auto main_tip, repository.tip("main"));
  TRY_ASSIGN(const auto main_history, repository.ancestry(main_tip));
  TRY_ASSIGN(const auto history, repository.ancestry(tip));
  BranchState state{.original = tip, .tip = tip, .record = std::nullopt};
  std::set<icechunk::SnapshotId> on_main;
  for (const auto& snapshot : main_history) on_main.insert(snapshot.id);
  for (const auto& snapshot : history) {
    state.original = snapshot.id;
    if (on_main.contains(snapshot.id)) break;  // its record, if any, is of an earlier job
    if (state.record) continue;
    TRY_ASSIGN(const auto metadata, icechunk::decode_metadata(snapshot.metadata));
    const auto found = std::ranges::find(metadata, kMember, &core::Json::Member::first);
    if (found != metadata.end()) state.record = found->second;
  }
  return state;
}

core::Status check_same_job(const BranchState& state, const JobRecord& wanted,
                            const std::string& store) {
  if (!state.record || *state.record == to_json(wanted)) return {};
  return Error(ErrorCode::kConflict,
               core::text("an unfinished backfill with other arguments (",
                          state.record->is_object() ? in_words(*state.record) : "",
                          ") is on branch _job_local of ", store,
                          "; finish it by running it again with those arguments, or start over "
                          "with --recreate"));
}

}  // namespace icefield::coordination
