#include "grib/index/noaa_idx.h"

#include <cstring>
#include <limits>
#include <optional>

#include "core/text.h"

namespace icefield::grib {
namespace {

constexpr std::size_t kReportedLines = 8;

/// Walks the ':'-separated parts of one line.
class Parts {
 public:
  Parts(const char* at, const char* end) : at_(at), end_(end) {}

  /// The part up to the next ':', which is consumed; nothing when the line has no further ':'.
  std::optional<std::string_view> next() {
    const auto left = static_cast<std::size_t>(end_ - at_);
    const auto* colon = static_cast<const char*>(std::memchr(at_, ':', left));
    if (colon == nullptr) return std::nullopt;
    const std::string_view part(at_, static_cast<std::size_t>(colon - at_));
    at_ = colon + 1;
    return part;
  }

  /// An unsigned decimal number of at most `largest`, up to a character that is no digit.
  std::optional<std::uint64_t> number(std::uint64_t largest) {
    const char* const start = at_;
    std::uint64_t value = 0;
    for (; at_ != end_ && *at_ >= '0' && *at_ <= '9'; ++at_) {
      const auto digit = static_cast<std::uint64_t>(*at_ - '0');
      if (value > (largest - digit) / 10) return std::nullopt;
      value = value * 10 + digit;
    }
    if (at_ == start) return std::nullopt;
    return value;
  }

  bool take(char wanted) {
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }

  std::string_view take_rest() {
    const auto part = rest();
    at_ = end_;
    return part;
  }

  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

 private:
  const char* at_;
  const char* end_;
};

bool all_digits(std::string_view text) {
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return !text.empty();
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// Fills all of `entry` but the range's length and the field number; false for a bad line.
/// `ended`: the line has its end, so that a window without the ':' behind it is not cut short.
bool parse_line(Parts parts, bool ended, NoaaIdxEntry& entry) {
  constexpr std::uint64_t kLargest32 = std::numeric_limits<std::uint32_t>::max();
  constexpr std::uint64_t kLargestOffset = std::numeric_limits<std::int64_t>::max();
  const auto message = parts.number(kLargest32);
  if (!message) return false;
  entry.message = static_cast<std::uint32_t>(*message);
  entry.submessage = 0;
  if (parts.take('.')) {
    const auto submessage = parts.number(kLargest32);
    if (!submessage || *submessage == 0) return false;
    entry.submessage = static_cast<std::uint32_t>(*submessage);
  }
  if (!parts.take(':')) return false;
  const auto offset = parts.number(kLargestOffset);
  if (!offset || !parts.take(':')) return false;
  entry.range.offset = *offset;
  if (!(parts.take('d') || parts.take('D')) || !parts.take('=')) return false;
  const auto init = parts.next();
  const auto element = parts.next();
  const auto level = parts.next();
  auto window = parts.next();
  if (!window && level && ended && !parts.rest().empty()) window = parts.take_rest();
  if (!window || !all_digits(*init)) return false;
  entry.init = *init;
  entry.element = *element;
  entry.level = *level;
  entry.window = *window;
  entry.extra = parts.rest();
  return true;
}

core::Error bad_lines(const std::vector<std::uint32_t>& lines, std::size_t count,
                      std::string_view first) {
  constexpr std::size_t kShown = 60;
  std::string names;
  for (const auto line : lines) names += core::text(names.empty() ? "" : ", ", line);
  return {
      core::ErrorCode::kCorrupt,
      core::text("line ", lines.front(), ": not an index line: '", first.substr(0, kShown), "' (",
                 count, " such lines: ", names, lines.size() < count ? ", ..." : "", ")")};
}

/// Gives each entry its message's end and its field number.
core::Status close_ranges(std::vector<NoaaIdxEntry>& entries, std::uint64_t data_size) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto& entry = entries[i];
    if (entry.range.offset >= data_size) {
      return core::Error(core::ErrorCode::kCorrupt,
                         core::text("line ", entry.line, ": offset past end of data file (",
                                    entry.range.offset, " of ", data_size, " bytes)"));
    }
    if (i == 0) continue;
    const auto& before = entries[i - 1];
    if (entry.range.offset < before.range.offset) {
      return core::Error(core::ErrorCode::kCorrupt,
                         core::text("line ", entry.line, ": offset ", entry.range.offset,
                                    " lies before line ", before.line, "'s ", before.range.offset));
    }
    if (entry.range.offset == before.range.offset) entry.field = before.field + 1;
  }
  std::uint64_t end = data_size;
  for (std::size_t i = entries.size(); i-- > 0;) {
    auto& entry = entries[i];
    if (i + 1 < entries.size() && entries[i + 1].range.offset != entry.range.offset) {
      end = entries[i + 1].range.offset;
    }
    entry.range.length = end - entry.range.offset;
    if (entry.submessage > 0) entry.field = entry.submessage - 1;
  }
  return {};
}

}  // namespace

core::Result<std::vector<NoaaIdxEntry>> parse_noaa_idx(std::string_view text,
                                                       std::uint64_t data_size) {
  if (data_size == 0) return core::Error(core::ErrorCode::kUnavailable, "data file is empty");
  std::vector<NoaaIdxEntry> entries;
  entries.reserve(text.size() / 48 + 1);
  std::vector<std::uint32_t> bad;
  std::size_t bad_count = 0;
  std::string_view first_bad;
  std::uint32_t line_number = 0;
  const char* at = text.data();
  const char* const text_end = text.data() + text.size();
  while (at != text_end) {
    const auto* newline =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(text_end - at)));
    const char* line_end = newline == nullptr ? text_end : newline;
    const char* const line = at;
    at = newline == nullptr ? text_end : newline + 1;
    ++line_number;
    if (line_end != line && line_end[-1] == '\r') --line_end;
    if (line == line_end) continue;
    auto& entry = entries.emplace_back();
    if (parse_line(Parts(line, line_end), newline != nullptr, entry)) [[likely]] {
      entry.line = line_number;
      continue;
    }
    entries.pop_back();
    if (is_blank({line, line_end})) continue;
    if (newline == nullptr && bad_count == 0 && *line >= '0' && *line <= '9') {
      return core::Error(core::ErrorCode::kUnavailable,
                         core::text("line ", line_number, " is cut short: index not ready"));
    }
    if (bad_count++ == 0) first_bad = {line, static_cast<std::size_t>(line_end - line)};
    if (bad.size() < kReportedLines) bad.push_back(line_number);
  }
  if (bad_count > 0) return bad_lines(bad, bad_count, first_bad);
  if (entries.empty()) return core::Error(core::ErrorCode::kUnavailable, "index holds no messages");
  TRY(close_ranges(entries, data_size));
  return entries;
}

std::string format_noaa_idx(std::span<const NoaaIdxEntry> entries) {
  std::string out;
  for (const auto& entry : entries) {
    out += std::to_string(entry.message);
    if (entry.submessage > 0) out += core::text(".", entry.submessage);
    // to the hour; more digits are written with a capital letter
    constexpr std::size_t kToTheHour = 10;
    out += core::text(":", entry.range.offset,
                      entry.init.size() > kToTheHour ? ":D=" : ":d=", entry.init, ":",
                      entry.element, ":", entry.level, ":", entry.window, ":", entry.extra, "\n");
  }
  return out;
}

}  // namespace icefield::grib
