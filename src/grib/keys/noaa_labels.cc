#include "grib/keys/noaa_labels.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <tuple>

#include "core/text.h"
#include "grib/keys/grib1_surface.h"
#include "grib/keys/noaa_levels.h"
#include "grib/keys/parameter.h"

namespace icefield::grib {
namespace {

constexpr std::uint16_t kNcep = 7;
constexpr std::uint8_t kFirstLocal = 192;

/// Parameters whose name in the inventories the packaged code tables lack or spell differently.
struct InventoryName {
  std::uint16_t centre;  // 0: the WMO's own numbers
  std::uint8_t discipline;
  std::uint8_t category;
  std::uint8_t number;
  std::string_view name;
};
constexpr std::array kInventoryNames = {
    InventoryName{0, 0, 1, 22, "CLMR"},        InventoryName{0, 2, 4, 2, "HINDEX"},
    InventoryName{0, 10, 2, 8, "ICETMP"},      InventoryName{kNcep, 0, 7, 201, "BNEGELAY"},
    InventoryName{kNcep, 0, 7, 203, "DCAPE"},  InventoryName{kNcep, 0, 7, 204, "EFHL"},
    InventoryName{kNcep, 0, 7, 205, "ESP"},    InventoryName{kNcep, 0, 7, 206, "CANGLE"},
    InventoryName{kNcep, 0, 7, 212, "MLFC"},   InventoryName{kNcep, 2, 0, 231, "VEGMIN"},
    InventoryName{kNcep, 2, 0, 232, "VEGMAX"},
};

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  const auto count = std::snprintf(buffer.data(), buffer.size(), "%g", value);  // NOLINT: %g
  return {buffer.data(), static_cast<std::size_t>(count)};
}

std::string member_text(const EnsembleMember& member, std::uint16_t centre) {
  const int number = member.number;
  switch (member.type) {
    case 0:
      return "ENS=hi-res ctl";
    case 1:
      return "ENS=low-res ctl";
    case 2:
      return core::text("ENS=-", number);
    case 3:
      return core::text("ENS=+", number);
    case 4:
      return core::text("MM-ENS=", number);
    default:
      break;
  }
  if (member.type == kFirstLocal && centre == kNcep) return core::text("ENS=", number);
  return core::text("ENS=? table4.6=", int{member.type}, " pert=", number);
}

/// Code table 4.7.
std::string derived_text(const Product& product) {
  const bool all_members = product.template_number == 2 || product.template_number == 12;
  switch (product.derived->type) {
    case 0:
      return "ens mean";
    case 1:
      return "wt ens mean";
    case 2:
      return all_members ? "ens std dev" : "cluster std dev";
    case 3:
      return all_members ? "normalized ens std dev" : "normalized cluster std dev";
    case 4:
      return "ens spread";
    case 5:
      return "ens large anom index";
    case 6:
      return "unweighted cluster mean";
    case 7:
      return "25%-75% range";
    case 8:
      return "min all members";
    case 9:
      return "max all members";
    default:
      return "unknown derived fcst";
  }
}

std::string probability_text(const Probability& probability) {
  const auto lower = number_text(probability.lower.value().value_or(0));
  const auto upper = number_text(probability.upper.value().value_or(0));
  std::string event;
  switch (probability.type) {
    case 0:
      event = core::text("prob <", lower);
      break;
    case 1:
      event = core::text("prob >", upper);
      break;
    case 2:
      event =
          lower == upper ? core::text("prob =", lower) : core::text("prob >=", lower, " <", upper);
      break;
    case 3:
      event = core::text("prob >", lower);
      break;
    case 4:
      event = core::text("prob <", upper);
      break;
    case 5:
      event = core::text("prob =", lower);
      break;
    case 6:
      event = "prob above normal";
      break;
    case 7:
      event = "prob near normal";
      break;
    case 8:
      event = "prob below normal";
      break;
    default:
      event = core::text("prob ?? (code table 4.9=", int{probability.type}, ")");
      break;
  }
  return core::text(event, ":prob fcst ", int{probability.number}, "/", int{probability.count});
}

/// Code table 4.3, where the process makes a field another quantity.
std::string process_text(std::uint8_t process, std::uint16_t centre) {
  switch (process) {
    case 5:
      return "probability forecast";
    case 6:
    case 7:
      return "analysis/forecast error";
    case 9:
      return "climatological";
    default:
      break;
  }
  if (centre == kNcep && process == 192) return "Confidence Indicator";
  if (centre == kNcep && process == 194) return "Neighborhood Probability";
  if (process >= kFirstLocal && process != 255) return core::text("process=", int{process});
  return {};
}

std::string_view unit_word(std::uint8_t unit) {
  constexpr std::array<std::string_view, 14> kWords = {
      "min",     "hour", "day", "month",   "year",    "decade",   "normal",
      "century", "",     "",    "3-hours", "6-hours", "12-hours", "sec"};
  return unit < kWords.size() ? kWords[unit] : std::string_view("?");
}

/// What moves from one value of a statistic to the next: code table 4.11.
enum class Increments { kForecastTime, kReferenceTime, kSeveral };

Increments increments_of(const Product& product) {
  if (product.time_ranges.empty()) return Increments::kForecastTime;
  if (product.time_ranges.size() > 1) return Increments::kSeveral;
  const auto& range = product.time_ranges.front();
  constexpr std::uint8_t kReference = 1;
  constexpr std::uint8_t kSameValidTime = 3;
  constexpr std::uint8_t kSameValidTimeBack = 4;
  switch (range.increment_type) {
    case kReference:
      return range.increment.count == 0 ? Increments::kReferenceTime : Increments::kSeveral;
    case kSameValidTime:
    case kSameValidTimeBack:
      return Increments::kSeveral;
    default:
      return Increments::kForecastTime;
  }
}

}  // namespace

std::string noaa_element(const Field& field) {
  const auto& product = field.product;
  const bool local = field.discipline >= kFirstLocal || product.category >= kFirstLocal ||
                     product.number >= kFirstLocal;
  const auto centre = field.identification.centre;
  for (const auto& known : kInventoryNames) {
    if (std::tuple(known.centre, known.discipline, known.category, known.number) ==
        std::tuple(local ? centre : std::uint16_t{0}, field.discipline, product.category,
                   product.number)) {
      return std::string(known.name);
    }
  }
  const auto name = parameter_name(field);
  if (name && !name->short_name.empty()) return std::string(name->short_name);
  const auto& id = field.identification;
  const auto whose = local ? core::text(" center=", centre, " local_table=", int{id.local_tables})
                           : core::text(" master_table=", int{id.master_tables});
  return core::text("var discipline=", int{field.discipline}, whose,
                    " parmcat=", int{product.category}, " parm=", int{product.number});
}

std::string noaa_level(const Field& field) {
  auto first = field.product.first_surface;
  auto second = field.product.second_surface;
  if (field.edition == 1) {
    first = edition_2_surface(first);
    second = edition_2_surface(second);
  }
  return noaa_level_text(first, second, field.identification.centre);
}

std::string noaa_window(const Field& field) {
  const auto& product = field.product;
  const auto window = window_of(product);
  const auto kind = increments_of(product);
  if (window && kind == Increments::kForecastTime) {
    const bool minutes = product.forecast_time.unit == 0;
    return format_window(*window, minutes ? LabelUnit::kMinute : LabelUnit::kHour);
  }
  if (window && kind == Increments::kReferenceTime && window->start_minutes == 0) {
    auto label = format_window(*window);
    const std::string_view forecast = "fcst";
    return label.replace(label.size() - forecast.size(), forecast.size(), "anl");
  }
  const auto start = product.forecast_time.count;
  const auto word = unit_word(product.forecast_time.unit);
  if (product.time_ranges.empty()) return core::text(start, " ", word, " fcst");
  const auto& range = product.time_ranges.front();
  const auto statistic = statistic_word(statistic_of(range.statistic));
  return core::text(start, " ", word, "-(", start, " ", word, "+", range.length.count, " ",
                    unit_word(range.length.unit), ") ", statistic, statistic.empty() ? "" : " ",
                    "fcst");
}

std::string noaa_extra(const Field& field) {
  const auto& product = field.product;
  const auto centre = field.identification.centre;
  std::vector<std::string> parts;
  if (product.member && field.edition == 2) parts.push_back(member_text(*product.member, centre));
  if (product.derived) parts.push_back(derived_text(product));
  if (product.probability) parts.push_back(probability_text(*product.probability));
  if (auto process = process_text(product.generating_process, centre);
      field.edition == 2 && !process.empty()) {
    parts.push_back(std::move(process));
  }
  if (product.template_number == 7) parts.emplace_back("analysis/forecast error");
  if (product.percentile) parts.push_back(core::text(int{*product.percentile}, "% level"));
  return core::join(parts, ":");
}

NoaaInventory::NoaaInventory(const Scan& scan) {
  labels_.reserve(scan.fields.size());
  entries_.reserve(scan.fields.size());
  for (std::size_t i = 0; i < scan.fields.size(); ++i) {
    const auto& field = scan.fields[i];
    std::string init = "0000000000";
    if (const auto time = field.identification.reference_time) {
      const auto iso = core::format_timestamp(*time);  // 2025-08-01T00:00:00
      init = iso.substr(0, 4) + iso.substr(5, 2) + iso.substr(8, 2) + iso.substr(11, 2);
    }
    const auto& labels =
        labels_.emplace_back(Labels{std::move(init), noaa_element(field), noaa_level(field),
                                    noaa_window(field), noaa_extra(field)});
    const bool shared = field.submessage > 0 ||
                        (i + 1 < scan.fields.size() && scan.fields[i + 1].message == field.message);
    NoaaIdxEntry entry;
    entry.range = field.range;
    entry.line = static_cast<std::uint32_t>(i + 1);
    entry.message = field.message + 1;
    entry.submessage = shared ? field.submessage + 1 : 0;
    entry.field = field.submessage;
    entry.init = labels.init;
    entry.element = labels.element;
    entry.level = labels.level;
    entry.window = labels.window;
    entry.extra = labels.extra;
    entries_.push_back(entry);
  }
}

}  // namespace icefield::grib
