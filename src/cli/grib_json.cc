#include "cli/grib_json.h"

#include <chrono>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/json.h"
#include "core/text.h"
#include "grib/keys/noaa_labels.h"
#include "grib/keys/parameter.h"

namespace icefield::cli {
namespace {

constexpr std::uint8_t kNoBitmap = 255;
constexpr std::uint8_t kMinute = 0;  // code table 4.4
constexpr std::uint8_t kSecond = 13;

/// Appends members to one JSON object.
class ObjectText {
 public:
  explicit ObjectText(std::string& out) : out_(out) { out_ += '{'; }
  void close() { out_ += '}'; }

  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void add(std::string_view name, Number value) {
    key(name);
    if constexpr (std::is_floating_point_v<Number>) {
      out_ += core::python_float(value);
    } else if constexpr (std::is_same_v<Number, bool>) {
      out_ += value ? "true" : "false";
    } else {
      out_ += std::to_string(value);
    }
  }
  void add(std::string_view name, std::string_view value) {
    key(name);
    out_ += core::Json(value).dump();
  }
  template <typename Value>
  void add(std::string_view name, const std::optional<Value>& value) {
    if (value) {
      add(name, *value);
    } else {
      add_null(name);
    }
  }
  void add_null(std::string_view name) {
    key(name);
    out_ += "null";
  }
  /// `value` is JSON already.
  void add_raw(std::string_view name, std::string_view value) {
    key(name);
    out_ += value;
  }

 private:
  void key(std::string_view name) {
    if (out_.back() != '{') out_ += ',';
    out_ += '"';
    out_ += name;
    out_ += "\":";
  }
  std::string& out_;
};

void add_grid(ObjectText& object, const grib::GridDefinition& grid) {
  if (grid.rectangular()) {
    object.add_raw("shape", core::text("[", grid.nj, ",", grid.ni, "]"));
  } else {
    object.add_null("shape");
  }
  object.add("n_points", grid.n_points);
  if (grid.scan_mode) {
    object.add("scan_mode", int{grid.scan_mode->flags});
  } else {
    object.add_null("scan_mode");
  }
}

void add_times(ObjectText& object, const grib::Field& field) {
  using namespace std::chrono;  // NOLINT: calendar words
  const auto reference = field.identification.reference_time;
  if (!reference) return;
  const auto add_time = [&](std::string_view date_name, std::string_view time_name, auto time) {
    const auto day_start = floor<days>(time);
    const year_month_day date(day_start);
    const hh_mm_ss clock(time - day_start);
    object.add(date_name, int{date.year()} * 10000 +
                              static_cast<int>(static_cast<unsigned>(date.month())) * 100 +
                              static_cast<int>(static_cast<unsigned>(date.day())));
    object.add(time_name, clock.hours().count() * 100 + clock.minutes().count());
  };
  add_time("dataDate", "dataTime", *reference);
  auto steps = step_range(field.product);
  if (field.edition == 1 && steps.starts_with('0') && steps.size() == 2) steps = "0";  // no unit
  if (!steps.empty()) object.add("stepRange", steps);
  if (const auto window = grib::window_of(field.product)) {
    add_time("validityDate", "validityTime", *reference + minutes(window->end_minutes));
  }
}

/// The value as its octets stand, without a sign: how ecCodes gives it.
std::optional<std::uint32_t> octets_of(const std::optional<std::int64_t>& value) {
  if (!value) return std::nullopt;
  const auto magnitude = static_cast<std::uint32_t>(std::abs(*value));
  return *value < 0 ? magnitude | 0x80000000U : magnitude;
}

void add_surface(ObjectText& object, std::string_view which, const grib::FixedSurface& surface) {
  object.add(core::text("typeOf", which, "FixedSurface"), int{surface.type});
  object.add(core::text("scaleFactorOf", which, "FixedSurface"), surface.scale_factor);
  object.add(core::text("scaledValueOf", which, "FixedSurface"), octets_of(surface.scaled_value));
}

void add_names(ObjectText& object, const grib::Field& field) {
  if (const auto name = grib::parameter_name(field)) {
    object.add("shortName", name->short_name);
    object.add("name", name->name);
    object.add("units", name->unit);
  }
  object.add("element", grib::noaa_element(field));
  object.add("levelText", grib::noaa_level(field));
  object.add("window", grib::noaa_window(field));
  const auto extra = grib::noaa_extra(field);
  if (!extra.empty()) object.add("extra", extra);
}

void add_product_parts(ObjectText& object, const grib::Product& product) {
  if (product.member) {
    object.add("perturbationNumber", int{product.member->number});
    object.add("numberOfForecastsInEnsemble", int{product.member->count});
    object.add("typeOfEnsembleForecast", int{product.member->type});
  }
  if (product.derived) object.add("derivedForecast", int{product.derived->type});
  if (product.percentile) object.add("percentileValue", int{*product.percentile});
  if (product.probability) {
    object.add("probabilityType", int{product.probability->type});
    object.add("lowerLimit", product.probability->lower.value());
    object.add("upperLimit", product.probability->upper.value());
  }
  if (!product.time_ranges.empty()) {
    object.add("typeOfStatisticalProcessing", int{product.time_ranges.front().statistic});
  }
}

}  // namespace

std::string step_range(const grib::Product& product) {
  constexpr std::int64_t kHour = 3600;
  constexpr std::int64_t kMissingLength = 0xFFFFFFFF;
  const auto start = product.forecast_time.seconds();
  if (!start) return {};
  auto end = *start;
  if (!product.time_ranges.empty()) {
    const auto& length = product.time_ranges.front().length;
    const auto seconds = length.seconds();
    if (!seconds || length.count == kMissingLength) return {};
    end += *seconds;
  }
  std::int64_t unit = 1;
  const char* letter = "s";
  const auto divides = [&](std::int64_t by) { return *start % by == 0 && end % by == 0; };
  const bool zero = *start == 0 && end == 0;  // in the longest unit that the message gives
  const auto& ranges = product.time_ranges;
  const auto first = product.forecast_time.unit;
  const auto second = ranges.empty() ? first : ranges.front().length.unit;
  const auto below_hours = [](std::uint8_t code) { return code == kMinute || code == kSecond; };
  if (zero ? !below_hours(first) || !below_hours(second) : divides(kHour)) {
    unit = kHour;
    letter = "";
  } else if (zero ? first == kMinute || second == kMinute : divides(60)) {
    unit = 60;
    letter = "m";
  }
  if (end == *start) return core::text(end / unit, letter);
  return core::text(*start / unit, letter, "-", end / unit, letter);
}

std::string field_json(const grib::Scan& scan, std::size_t index) {
  const auto& field = scan.fields[index];
  const auto& product = field.product;
  const auto& grid = scan.grids[field.grid];
  std::string out;
  out.reserve(1024);
  ObjectText object(out);
  object.add("index", index);
  object.add("message", field.message);
  object.add("submessage", field.submessage);
  object.add("offset", field.range.offset);
  object.add("length", field.range.length);
  object.add("edition", int{field.edition});
  if (field.edition == 2) {
    object.add("discipline", int{field.discipline});
    object.add("category", int{product.category});
    object.add("number", int{product.number});
    object.add("product_template", product.template_number);
    object.add("grid_template", grid.template_number);
    object.add("packing_template", field.packing_template);
  } else {
    object.add("table2Version", int{product.category});
    object.add("indicatorOfParameter", int{product.number});
    object.add("indicatorOfTypeOfLevel", int{product.first_surface.type});
  }
  add_grid(object, grid);
  object.add("bitmap", field.bitmap_indicator != kNoBitmap);
  object.add("centre", field.identification.centre);
  add_times(object, field);
  if (field.edition == 2) {
    add_surface(object, "First", product.first_surface);
    add_surface(object, "Second", product.second_surface);
  }
  add_product_parts(object, product);
  add_names(object, field);
  if (field.reported) object.add("reported", scan.reported[*field.reported].reason);
  object.close();
  return out;
}

std::string reported_json(const grib::Reported& reported) {
  std::string out;
  ObjectText object(out);
  object.add("offset", reported.offset);
  object.add("length", reported.length);
  object.add("message", reported.message);
  object.add("submessage", reported.submessage);
  object.add("section", int{reported.section});
  object.add("template", reported.template_number);
  object.add("reason", reported.reason);
  object.close();
  return out;
}

}  // namespace icefield::cli
