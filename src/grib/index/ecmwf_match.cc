#include "grib/index/ecmwf_match.h"

#include <algorithm>
#include <cmath>
#include <iterator>
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

/// Gathers hits; a payload may be hit once per member and step.
class Gatherer {
 public:
  explicit Gatherer(IndexMatches& found) : found_(found) {}

  void hit(std::uint32_t payload, const EcmwfIndexRow& row, std::uint32_t entry) {
    const Cell cell{payload, row.member, row.step_start_minutes, row.step_end_minutes};
    const auto [first, is_first] = first_.try_emplace(cell, entry);
    if (is_first) {
      found_.hits.push_back({payload, entry});
      return;
    }
    if (first->second == entry) return;  // wanted at its level and at any level
    const auto [at, is_new] = duplicate_of_.try_emplace(cell, found_.duplicates.size());
    if (is_new) found_.duplicates.push_back({payload, {first->second}});
    found_.duplicates[at->second].entries.push_back(entry);
  }

 private:
  using Cell = std::tuple<std::uint32_t, std::optional<std::uint32_t>, std::int32_t, std::int32_t>;
  IndexMatches& found_;
  std::map<Cell, std::uint32_t> first_;
  std::map<Cell, std::size_t> duplicate_of_;
};

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
  table.payloads_.erase(std::unique(table.payloads_.begin(), table.payloads_.end()),
                        table.payloads_.end());
  return table;
}

IndexMatches EcmwfMatchTable::match(std::span<const EcmwfIndexRow> rows,
                                    const EcmwfMatchOptions& options) const {
  IndexMatches found;
  Gatherer gatherer(found);
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    if (left_out(row, options)) continue;
    bool used = false;
    for (const auto& level : {level_text(row.level), std::string(kAnyLevel)}) {
      const auto match = payloads_by_key_.find(key_of(row.param, row.levtype, level));
      if (match == payloads_by_key_.end()) continue;
      used = true;
      for (const auto payload : match->second) gatherer.hit(payload, row, i);
    }
    if (!used) found.unmatched.push_back(i);
  }
  std::vector<std::uint32_t> present;
  for (const auto& hit : found.hits) present.push_back(hit.payload);
  std::ranges::sort(present);
  std::ranges::set_difference(payloads_, present, std::back_inserter(found.absent));
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
