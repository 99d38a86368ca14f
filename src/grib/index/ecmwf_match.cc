#include "grib/index/ecmwf_match.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/json.h"
#include "core/text.h"

namespace icefield::grib {
namespace {

constexpr std::string_view kAnyLevel = "*";

std::string key_of(std::string_view param, std::string_view levtype, std::string_view level) {
  return core::text(param, "\n", levtype, "\n", level);
}

std::string level_text(const std::optional<double>& level) {
  if (!level) return "";
  return std::isnan(*level) ? std::string(kAnyLevel) : core::python_float(*level);
}

bool left_out(const EcmwfIndexRow& row, const EcmwfMatchOptions& options) {
  if (options.step_end_minutes && row.step_end_minutes != *options.step_end_minutes) return true;
  return options.member && row.member != options.member;
}

}  // namespace

EcmwfMatchTable EcmwfMatchTable::compile(std::span<const EcmwfWanted> wanted) {
  EcmwfMatchTable table;
  for (const auto& field : wanted) {
    auto& payloads =
        table.payloads_by_key_[key_of(field.param, field.levtype, level_text(field.level))];
    if (std::ranges::find(payloads, field.payload) == payloads.end()) {
      payloads.push_back(field.payload);
    }
    table.payloads_.push_back(field.payload);
  }
  std::ranges::sort(table.payloads_);
  const auto repeated = std::ranges::unique(table.payloads_);
  table.payloads_.erase(repeated.begin(), repeated.end());
  return table;
}

IndexMatches EcmwfMatchTable::match(std::span<const EcmwfIndexRow> rows,
                                    const EcmwfMatchOptions& options) const {
  using Cell = std::tuple<std::uint32_t, std::optional<std::uint32_t>, std::int32_t, std::int32_t>;
  IndexMatches found;
  std::map<Cell, std::uint32_t> first_row;
  std::map<Cell, std::size_t> duplicate_of;
  std::vector<bool> present(payloads_.size(), false);
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    if (left_out(row, options)) continue;
    bool used = false;
    for (const auto& level : {level_text(row.level), std::string(kAnyLevel)}) {
      const auto match = payloads_by_key_.find(key_of(row.param, row.levtype, level));
      if (match == payloads_by_key_.end()) continue;
      for (const auto payload : match->second) {
        used = true;
        const auto slot = std::ranges::lower_bound(payloads_, payload) - payloads_.begin();
        present[static_cast<std::size_t>(slot)] = true;
        const Cell cell{payload, row.member, row.step_start_minutes, row.step_end_minutes};
        const auto [first, is_first] = first_row.try_emplace(cell, i);
        if (is_first) {
          found.hits.push_back({payload, i});
        } else if (first->second != i) {
          const auto [at, is_new] = duplicate_of.try_emplace(cell, found.duplicates.size());
          if (is_new) found.duplicates.push_back({payload, {first->second}});
          found.duplicates[at->second].entries.push_back(i);
        }
      }
    }
    if (!used) found.unmatched.push_back(i);
  }
  for (std::size_t slot = 0; slot < payloads_.size(); ++slot) {
    if (!present[slot]) found.absent.push_back(payloads_[slot]);
  }
  return found;
}

core::Error ambiguous(const DuplicateHit& duplicate, std::span<const EcmwfIndexRow> rows) {
  const auto& first = rows[duplicate.entries.front()];
  std::string lines;
  for (const auto entry : duplicate.entries) {
    lines += core::text(lines.empty() ? "" : ", ", rows[entry].line);
  }
  return {core::ErrorCode::kCorrupt,
          core::text("ambiguous: ", duplicate.entries.size(), " matches for ", first.param, ":",
                     first.levtype, " (lines ", lines, ")")};
}

}  // namespace icefield::grib
