#include "core/time.h"

#include <array>
#include <cstdio>

#include "core/text.h"

namespace icefield::core {
namespace {

/// The number in text[at, at + digits), or -1 when one of them is no digit.
int digits_at(std::string_view text, std::size_t at, std::size_t digits) {
  int value = 0;
  for (const char c : text.substr(at, digits)) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

template <typename... Args>
std::string printed(const char* format, Args... args) {
  std::array<char, 64> buffer{};
  const int size = std::snprintf(buffer.data(), buffer.size(), format, args...);
  return {buffer.data(), static_cast<std::size_t>(size)};
}

std::string printed_seconds(Timestamp at) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(at - day);
  return printed("%04d-%02u-%02uT%02ld:%02ld:%02ld", static_cast<int>(date.year()),
                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                 static_cast<long>(time.hours().count()), static_cast<long>(time.minutes().count()),
                 static_cast<long>(time.seconds().count()));
}

}  // namespace

Instant system_now() {
  return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
}

Result<Timestamp> parse_timestamp(std::string_view text) {
  const auto wrong = [text] {
    return Error(ErrorCode::kInvalidArgument,
                 core::text("'", text, "' is not a UTC timestamp of the form 2025-08-01T00:00:00"));
  };
  if (text.size() != 10 && text.size() != 19) return wrong();
  if (text[4] != '-' || text[7] != '-') return wrong();
  const int year = digits_at(text, 0, 4);
  const int month = digits_at(text, 5, 2);
  const int day = digits_at(text, 8, 2);
  if (year < 0 || month < 0 || day < 0) return wrong();
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return wrong();
  const Timestamp midnight = std::chrono::sys_days(date);
  if (text.size() == 10) return midnight;
  if ((text[10] != 'T' && text[10] != ' ') || text[13] != ':' || text[16] != ':') return wrong();
  const int hour = digits_at(text, 11, 2);
  const int minute = digits_at(text, 14, 2);
  const int second = digits_at(text, 17, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
    return wrong();
  }
  return midnight + std::chrono::hours(hour) + std::chrono::minutes(minute) + Seconds(second);
}

std::string format_timestamp(Timestamp at) {
  return printed_seconds(at);
}

std::string format_instant(Instant at) {
  const auto whole = std::chrono::floor<Seconds>(at);
  return printed_seconds(whole) + printed(".%06ldZ", static_cast<long>((at - whole).count()));
}

std::string format_duration(Seconds duration) {
  const auto days = std::chrono::floor<std::chrono::days>(duration);
  const std::chrono::hh_mm_ss time(duration - days);
  return printed("P%ldDT%ldH%ldM%ldS", static_cast<long>(days.count()),
                 static_cast<long>(time.hours().count()), static_cast<long>(time.minutes().count()),
                 static_cast<long>(time.seconds().count()));
}

}  // namespace icefield::core
