#include "grib/index/ecmwf_index.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "core/json.h"
#include "core/text.h"

namespace icefield::grib {
namespace {

using core::Error;
using core::ErrorCode;
using core::Json;

/// The first of two spellings that the line has, null counting as absent.
const Json* member_of(const Json& row, std::string_view name, std::string_view other = {}) {
  const auto* value = row.find(name);
  if (value == nullptr && !other.empty()) value = row.find(other);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::optional<std::uint64_t> as_unsigned(const Json& value) {
  if (value.is_integer()) {
    if (!value.is_unsigned()) return std::nullopt;
    return value.as_uint64();
  }
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.as_string();
  std::uint64_t number = 0;
  const auto* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

std::optional<double> as_double(const Json& value) {
  if (value.is_number()) return value.as_double();
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.as_string();
  double number = 0;
  const auto* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stopped != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::string text_of(const Json& row, std::string_view name, std::string_view other = {}) {
  const auto* value = member_of(row, name, other);
  if (value == nullptr) return {};
  return value->is_string() ? value->as_string() : value->dump();
}

/// "6" is hours, "30m" minutes, "2h" hours.
std::optional<std::int32_t> step_minutes(std::string_view text) {
  std::int64_t per_unit = 60;
  if (text.ends_with('m')) per_unit = 1;
  if (text.ends_with('m') || text.ends_with('h')) text.remove_suffix(1);
  std::int32_t number = 0;
  const auto* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  const auto minutes = number * per_unit;
  if (minutes > std::numeric_limits<std::int32_t>::max() || minutes < 0) return std::nullopt;
  return static_cast<std::int32_t>(minutes);
}

/// A step or a range of steps: 6, "6", "0-24".
core::Status read_step(const Json& row, EcmwfIndexRow& out) {
  const auto text = text_of(row, "step", "lead_hours");
  if (text.empty()) return {};
  const auto dash = text.find('-');
  const std::string_view whole = text;
  const auto start = step_minutes(whole.substr(0, dash));
  const auto end = dash == std::string::npos ? start : step_minutes(whole.substr(dash + 1));
  if (!start || !end || *end < *start) {
    return Error(ErrorCode::kCorrupt, core::text("step '", text, "' is not a step"));
  }
  out.step_start_minutes = *start;
  out.step_end_minutes = *end;
  return {};
}

core::Status read_member(const Json& row, EcmwfIndexRow& out) {
  const auto* value = member_of(row, "number", "ensemble_member");
  const bool unperturbed = out.type.empty() || out.type == "cf" || out.type == "fc";
  if (value == nullptr) {
    if (out.type == "pf") return Error(ErrorCode::kCorrupt, "type pf without a member number");
    if (unperturbed) out.member = 0;
    return {};
  }
  const auto number = as_unsigned(*value);
  if (!number || *number > std::numeric_limits<std::uint32_t>::max()) {
    return Error(ErrorCode::kCorrupt, core::text("member '", value->dump(), "' is not a number"));
  }
  if (*number == 0 && !unperturbed) {
    return Error(ErrorCode::kCorrupt, core::text("member 0 in a row of type ", out.type));
  }
  out.member = static_cast<std::uint32_t>(*number);
  return {};
}

/// 500, "500", or "500_hpa" as the form with variable names writes it.
core::Status read_level(const Json& row, EcmwfIndexRow& out) {
  const auto* value = member_of(row, "levelist", "level");
  if (value == nullptr || (value->is_string() && value->as_string().empty())) return {};
  constexpr std::string_view kHectopascals = "_hpa";
  if (value->is_string() && value->as_string().ends_with(kHectopascals)) {
    const auto& text = value->as_string();
    out.level = as_double(Json(text.substr(0, text.size() - kHectopascals.size())));
    if (out.levtype.empty()) out.levtype = "pl";
  } else {
    out.level = as_double(*value);
  }
  if (out.level) return {};
  return Error(ErrorCode::kCorrupt, core::text("level '", value->dump(), "' is not a number"));
}

core::Status read_range(const Json& row, std::optional<std::uint64_t> data_size,
                        EcmwfIndexRow& out) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto* first = member_of(row, "_offset", "offset");
  const auto* count = member_of(row, "_length", "length");
  if (first == nullptr || count == nullptr || !as_unsigned(*first) || !as_unsigned(*count)) {
    return Error(ErrorCode::kCorrupt, "no offset and length");
  }
  const auto offset = as_unsigned(*first).value_or(0);
  const auto length = as_unsigned(*count).value_or(0);
  if (length == 0) return Error(ErrorCode::kCorrupt, "message of length 0");
  if (offset > kLargest || length > kLargest - offset) {
    return Error(ErrorCode::kCorrupt, "offset and length do not fit 63 bits");
  }
  out.range = {offset, length};
  if (data_size && out.range.end() > *data_size) {
    return Error(ErrorCode::kCorrupt,
                 core::text(offset >= *data_size ? "offset past" : "message ends past",
                            " end of data file (", out.range.end(), " of ", *data_size, " bytes)"));
  }
  return {};
}

/// "date" YYYYMMDD and "time" HHMM; both optional.
std::optional<core::Timestamp> read_init(const Json& row) {
  const auto* date = member_of(row, "date");
  const auto* time = member_of(row, "time");
  if (date == nullptr) return std::nullopt;
  const auto day = as_unsigned(*date);
  const auto clock = time == nullptr ? std::optional<std::uint64_t>(0) : as_unsigned(*time);
  if (!day || *day > 99999999 || !clock || *clock > 2359 || *clock % 100 > 59) return std::nullopt;
  const std::chrono::year_month_day calendar{
      std::chrono::year(static_cast<int>(*day / 10000)),
      std::chrono::month(static_cast<unsigned>(*day / 100 % 100)),
      std::chrono::day(static_cast<unsigned>(*day % 100))};
  if (!calendar.ok()) return std::nullopt;
  return std::chrono::sys_days(calendar) + std::chrono::hours(*clock / 100) +
         std::chrono::minutes(*clock % 100);
}

core::Result<EcmwfIndexRow> read_row(const Json& row, std::optional<std::uint64_t> data_size) {
  EcmwfIndexRow out;
  out.param = text_of(row, "param", "variable");
  out.levtype = text_of(row, "levtype");
  out.type = text_of(row, "type");
  out.stream = text_of(row, "stream");
  if (out.param.empty()) return Error(ErrorCode::kCorrupt, "no param");
  TRY(read_range(row, data_size, out));
  TRY(read_level(row, out));
  TRY(read_member(row, out));
  TRY(read_step(row, out));
  out.init = read_init(row);
  return out;
}

constexpr std::string_view kBlanks = " \t\r\n";

/// An index that is still being written ends inside an object; then no line of it counts.
/// `text`: without the blanks at its end; `ended`: there were line ends among those.
core::Status check_last_line(std::string_view text, bool ended) {
  const auto newline = text.rfind('\n');
  const auto last = newline == std::string_view::npos ? text : text.substr(newline + 1);
  const bool begun = last[last.find_first_not_of(kBlanks)] == '{';
  if (ended && !begun) return {};  // a line like any other
  const auto json = Json::parse(last);
  if (json && json->is_object()) return {};
  const auto lines = std::ranges::count(text, '\n') + 1;
  return Error(ErrorCode::kUnavailable,
               core::text("line ", lines, " is not a whole JSON object: index not ready"));
}

}  // namespace

core::Result<std::vector<EcmwfIndexRow>> parse_ecmwf_index(std::string_view text,
                                                           std::optional<std::uint64_t> data_size) {
  if (data_size == 0) return Error(ErrorCode::kUnavailable, "data file is empty");
  const auto end = text.find_last_not_of(kBlanks);
  if (end == std::string_view::npos) {
    return Error(ErrorCode::kUnavailable, "index holds no messages");
  }
  const bool ended = text.substr(end + 1).find('\n') != std::string_view::npos;
  text = text.substr(0, end + 1);
  TRY(check_last_line(text, ended));
  std::vector<EcmwfIndexRow> rows;
  std::uint32_t line_number = 0;
  while (!text.empty()) {
    const auto newline = text.find('\n');
    const auto line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    ++line_number;
    if (line.find_first_not_of(kBlanks) == std::string_view::npos) continue;
    const auto doing = core::text("line ", line_number);
    auto json = Json::parse(line);
    if (!json) return std::move(json).error().within(doing);
    if (!json->is_object()) {
      return Error(ErrorCode::kCorrupt, core::text(doing, ": not a JSON object"));
    }
    auto row = read_row(*json, data_size);
    if (!row) return std::move(row).error().within(doing);
    row->line = line_number;
    row->keys = *std::move(json);
    rows.push_back(*std::move(row));
  }
  return rows;
}

std::string format_ecmwf_index(std::span<const EcmwfIndexRow> rows) {
  std::string out;
  for (const auto& row : rows) {
    auto keys = row.keys;
    const bool open_data = keys.find("_offset") != nullptr;
    keys.set(open_data ? "_offset" : "offset", row.range.offset);
    keys.set(keys.find("_length") != nullptr ? "_length" : "length", row.range.length);
    out += keys.dump({.spaced = true}) + "\n";
  }
  return out;
}

std::vector<std::uint32_t> members(std::span<const EcmwfIndexRow> rows) {
  std::vector<std::uint32_t> found;
  for (const auto& row : rows) {
    if (row.member) found.push_back(*row.member);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace icefield::grib
