#include "object_store/http/http_message.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "core/text.h"

namespace icefield::object_store {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

}  // namespace

std::string_view HttpResponse::header(std::string_view name) const {
  const auto at = std::ranges::find(headers, name, &Header::name);
  return at == headers.end() ? std::string_view() : std::string_view(at->value);
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

core::Result<core::Timestamp> parse_http_date(std::string_view text) {
  // "Sun, 06 Nov 1994 08:49:37 GMT"
  const auto bad = core::Error(core::ErrorCode::kCorrupt, "'" + std::string(text) + "' is no date");
  if (text.size() != 29 || !text.ends_with(" GMT")) return bad;
  const auto month = std::ranges::find(kMonths, text.substr(8, 3));
  const auto day = parse_number(text.substr(5, 2));
  const auto year = parse_number(text.substr(12, 4));
  const auto hours = parse_number(text.substr(17, 2));
  const auto minutes = parse_number(text.substr(20, 2));
  const auto seconds = parse_number(text.substr(23, 2));
  if (month == kMonths.end() || !day || !year || !hours || !minutes || !seconds) return bad;
  const std::chrono::year_month_day date(
      std::chrono::year(static_cast<int>(*year)),
      std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
      std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok() || *hours > 23 || *minutes > 59 || *seconds > 60) return bad;
  return core::Timestamp(std::chrono::sys_days(date)) + std::chrono::hours(*hours) +
         std::chrono::minutes(*minutes) + std::chrono::seconds(*seconds);
}

std::string format_http_date(core::Timestamp at) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(at - day);
  const auto two = [](auto number) {
    auto digits = std::to_string(number);
    return digits.size() < 2 ? "0" + digits : digits;
  };
  return core::text(kDays[std::chrono::weekday(day).c_encoding()], ", ",
                    two(static_cast<unsigned>(date.day())), " ",
                    kMonths[static_cast<unsigned>(date.month()) - 1], " ",
                    static_cast<int>(date.year()), " ", two(time.hours().count()), ":",
                    two(time.minutes().count()), ":", two(time.seconds().count()), " GMT");
}

std::optional<std::uint64_t> content_range_total(std::string_view value) {
  const auto slash = value.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  return parse_number(value.substr(slash + 1));
}

}  // namespace icefield::object_store
