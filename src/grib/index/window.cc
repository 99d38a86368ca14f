#include "grib/index/window.h"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "core/text.h"

namespace icefield::grib {
namespace {

constexpr std::int64_t kMinutesPerHour = 60;
constexpr std::int64_t kMinutesPerDay = 24 * kMinutesPerHour;

using StatisticWord = std::pair<std::string_view, Statistic>;

constexpr std::array kStatisticWords = {
    StatisticWord{"ave", Statistic::kAverage},
    StatisticWord{"acc", Statistic::kAccumulation},
    StatisticWord{"max", Statistic::kMaximum},
    StatisticWord{"min", Statistic::kMinimum},
    StatisticWord{"last-first", Statistic::kDifference},
    StatisticWord{"RMS", Statistic::kRootMeanSquare},
    StatisticWord{"StdDev", Statistic::kStandardDeviation},
    StatisticWord{"covar", Statistic::kCovariance},
    StatisticWord{"first-last", Statistic::kReversedDifference},
    StatisticWord{"ratio", Statistic::kRatio},
};

struct Unit {
  std::string_view word;
  std::int64_t minutes;  // 0: not a fixed number of minutes
  std::int64_t seconds = 0;
};

constexpr std::array kUnits = {
    Unit{"hour", kMinutesPerHour},
    Unit{"day", kMinutesPerDay},
    Unit{"min", 1},
    Unit{"sec", 0, 1},
    Unit{"month", 0},
    Unit{"year", 0},
    Unit{"decade", 0},
    Unit{"normal", 0},
    Unit{"century", 0},
};

/// Takes one word and the blanks after it off the front of `rest`.
std::string_view take_word(std::string_view& rest) {
  const auto word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(word.size());
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  return word;
}

std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

core::Error bad_label(std::string_view label) {
  return {core::ErrorCode::kCorrupt, core::text("window label '", label, "' is not understood")};
}

core::Error unsupported_label(std::string_view label) {
  return {core::ErrorCode::kUnsupported,
          core::text("window label '", label, "' has no length in whole minutes")};
}

std::optional<std::int32_t> to_minutes(std::int64_t value, const Unit& unit) {
  if (unit.minutes == 0 && (unit.seconds == 0 || value % 60 != 0)) return std::nullopt;
  const auto minutes = unit.minutes == 0 ? value / 60 : value * unit.minutes;
  if (minutes > std::numeric_limits<std::int32_t>::max() ||
      minutes < std::numeric_limits<std::int32_t>::min()) {
    return std::nullopt;
  }
  return static_cast<std::int32_t>(minutes);
}

const Unit* find_unit(std::string_view word) {
  for (const auto& unit : kUnits) {
    if (unit.word == word) return &unit;
  }
  return nullptr;
}

std::optional<Statistic> find_statistic(std::string_view word) {
  for (const auto& [text, statistic] : kStatisticWords) {
    if (text == word) return statistic;
  }
  return std::nullopt;
}

}  // namespace

Window window_since_reset(std::int32_t lead_hours, std::optional<std::int32_t> reset_hours,
                          Statistic statistic) {
  std::int32_t start = 0;
  if (reset_hours && lead_hours > 0) {
    const auto past = lead_hours % *reset_hours;
    start = past == 0 ? lead_hours - *reset_hours : lead_hours - past;
  }
  return {start * 60, lead_hours * 60, statistic};
}

core::Result<Window> parse_window(std::string_view label) {
  if (label == "anl") return instant_window(0);
  auto rest = label;
  auto numbers = take_word(rest);
  const auto first = take_number(numbers);
  if (!first) return bad_label(label);
  auto last = first;
  const bool range = numbers.starts_with('-');
  if (range) {
    numbers.remove_prefix(1);
    last = take_number(numbers);
  }
  // "124@6 hour ave(anl)": a statistic over several forecasts, which is no one window
  if (numbers.starts_with('@')) return unsupported_label(label);
  if (!last || !numbers.empty()) return bad_label(label);
  const auto* unit = find_unit(take_word(rest));
  if (unit == nullptr) return bad_label(label);

  const auto start = to_minutes(*first, *unit);
  const auto end = to_minutes(*last, *unit);
  if (!start || !end) return unsupported_label(label);
  Window window{*start, *end, Statistic::kInstant};
  if (range) {
    window.statistic = Statistic::kUnspecified;
    if (rest != "fcst" && rest != "anl") {
      const auto word = take_word(rest);
      const auto statistic = find_statistic(word);
      if (!statistic)
        return word.find('(') == word.npos ? bad_label(label) : unsupported_label(label);
      window.statistic = *statistic;
    }
    if (window.end_minutes < window.start_minutes) return bad_label(label);
  }
  if (rest != "fcst" && rest != "anl" && !(range && rest.empty())) return bad_label(label);
  return window;
}

std::string_view statistic_word(Statistic statistic) {
  for (const auto& [text, known] : kStatisticWords) {
    if (known == statistic) return text;
  }
  return {};
}

std::string format_window(const Window& window, LabelUnit unit) {
  const std::int64_t start = window.start_minutes;
  const std::int64_t end = window.end_minutes;
  if (window.statistic == Statistic::kInstant) {
    if (end == 0) return "anl";
    const bool hours = unit == LabelUnit::kHour && end % kMinutesPerHour == 0;
    return core::text(hours ? end / kMinutesPerHour : end, hours ? " hour fcst" : " min fcst");
  }
  std::int64_t divisor = 1;
  std::string_view word = "min";
  if (start % kMinutesPerDay == 0 && end % kMinutesPerDay == 0) {
    divisor = kMinutesPerDay;
    word = "day";
  } else if (start % kMinutesPerHour == 0 && end % kMinutesPerHour == 0) {
    divisor = kMinutesPerHour;
    word = "hour";
  }
  const auto statistic = statistic_word(window.statistic);
  return core::text(start / divisor, "-", end / divisor, " ", word, statistic.empty() ? "" : " ",
                    statistic, " fcst");
}

}  // namespace icefield::grib
