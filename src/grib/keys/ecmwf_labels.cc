#include "grib/keys/ecmwf_labels.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/json.h"
#include "core/text.h"
#include "core/time.h"
#include "grib/internal/parameter_tables.h"
#include "grib/keys/grib1_surface.h"
#include "grib/keys/parameter.h"

namespace icefield::grib {
namespace {

constexpr int kAny = -1;
constexpr int kMissing = -2;

/// Counts the conditions of one short name that a field fulfils, and whether it fulfils all.
class Conditions {
 public:
  void ask(std::int64_t wanted, std::int64_t given) {
    if (wanted == kAny) return;
    ++asked_;
    holds_ = holds_ && wanted == given;
  }
  /// Absent numbers are "missing".
  template <typename Number>
  void ask(std::int64_t wanted, const std::optional<Number>& given) {
    ask(wanted, given ? std::int64_t{*given} : std::int64_t{kMissing});
  }
  int asked() const { return asked_; }
  bool hold() const { return holds_; }

 private:
  int asked_ = 0;
  bool holds_ = true;
};

/// How many conditions `row` asks for, or -1 when one does not hold.
int fulfilled(const tables::ConceptRow& row, const Product& product) {
  Conditions conditions;
  conditions.ask(row.first_type, product.first_surface.type);
  conditions.ask(row.first_factor, product.first_surface.scale_factor);
  conditions.ask(row.first_value, product.first_surface.scaled_value);
  conditions.ask(row.second_type, product.second_surface.type);
  conditions.ask(row.second_factor, product.second_surface.scale_factor);
  conditions.ask(row.second_value, product.second_surface.scaled_value);
  const bool interval = !product.time_ranges.empty();
  const auto range = interval ? product.time_ranges.front() : TimeRange{};
  // a point in time has no such keys: what asks for them does not hold
  constexpr std::int64_t kNoKey = -3;
  conditions.ask(row.statistic, interval ? range.statistic : kNoKey);
  conditions.ask(row.length_unit, interval ? range.length.unit : kNoKey);
  conditions.ask(row.length, interval ? range.length.count : kNoKey);
  return conditions.hold() ? conditions.asked() : -1;
}

struct Level {
  std::string_view levtype = "sfc";
  std::optional<double> value;
};

/// Code table 4.5 in the words of ECMWF's archive.
Level level_of(const Field& field) {
  const auto surface = field.edition == 1 ? edition_2_surface(field.product.first_surface)
                                          : field.product.first_surface;
  const auto value = surface.value();
  switch (surface.type) {
    case 100:
      return {"pl", value ? std::optional(*value / 100) : value};
    case 105:
      return {"ml", value};
    case 106:
    case 151:
      return {"sol", value};
    case 107:
      return {"pt", value};
    case 109:
      return {"pv", value ? std::optional(*value * 1e9) : value};
    default:
      return {};
  }
}

std::string_view type_of(const Field& field) {
  constexpr std::uint8_t kAnalysis = 0;
  const auto& product = field.product;
  if (product.derived) return product.derived->type == 0 ? "em" : "es";
  if (product.member) {
    const bool control = field.edition == 1
                             ? product.member->number == 0
                             : product.member->type <= 1 || product.member->number == 0;
    return control ? "cf" : "pf";
  }
  return field.identification.data_type == kAnalysis ? "an" : "fc";
}

std::string step_of(const Product& product) {
  const auto window = window_of(product);
  if (!window) return {};
  const auto step = [](std::int32_t minutes) {
    return minutes % 60 == 0 ? std::to_string(minutes / 60) : core::text(minutes, "m");
  };
  return step(window->end_minutes);
}

core::Json row_of(const Field& field) {
  core::Json row{core::Json::Object{}};
  if (const auto time = field.identification.reference_time) {
    const auto iso = core::format_timestamp(*time);  // 2025-08-01T00:00:00
    row.set("date", iso.substr(0, 4) + iso.substr(5, 2) + iso.substr(8, 2));
    row.set("time", iso.substr(11, 2) + iso.substr(14, 2));
  }
  const auto type = type_of(field);
  row.set("type", type);
  row.set("stream", field.product.member || field.product.derived ? "enfo" : "oper");
  if (auto step = step_of(field.product); !step.empty()) row.set("step", std::move(step));
  const auto level = level_of(field);
  if (level.value) {
    const auto rounded = std::llround(*level.value);
    const bool whole = static_cast<double>(rounded) == *level.value;
    row.set("levelist", whole ? std::to_string(rounded) : core::python_float(*level.value));
  }
  row.set("levtype", level.levtype);
  if (type == "pf") row.set("number", std::to_string(field.product.member->number));
  const auto param = ecmwf_param(field);
  row.set("param", param.empty()
                       ? core::text(int{field.discipline}, ".", int{field.product.category}, ".",
                                    int{field.product.number})
                       : std::string(param));
  row.set("_offset", field.range.offset);
  row.set("_length", field.range.length);
  return row;
}

}  // namespace

std::string_view ecmwf_param(const Field& field) {
  if (field.edition == 1) {
    const auto name = parameter_name(field);
    return name ? name->short_name : std::string_view();
  }
  // waves by period interval: the interval is part of the quantity, and no condition can ask for it
  constexpr std::uint16_t kFirstWave = 99;
  constexpr std::uint16_t kLastWave = 104;
  const auto product_template = field.product.template_number;
  if (product_template >= kFirstWave && product_template <= kLastWave) return {};
  const auto key = [](const tables::ConceptRow& row) {
    return std::tuple<int, int, int>(row.discipline, row.category, row.number);
  };
  const std::tuple<int, int, int> wanted(field.discipline, field.product.category,
                                         field.product.number);
  std::string_view best;
  int most = -1;
  for (auto row = std::ranges::lower_bound(tables::kConcepts, wanted, {}, key);
       row != tables::kConcepts.end() && key(*row) == wanted; ++row) {
    const int count = fulfilled(*row, field.product);
    if (count <= most) continue;
    most = count;
    best = row->short_name;
  }
  return best;
}

std::string ecmwf_index_text(const Scan& scan) {
  std::string out;
  for (const auto& field : scan.fields) out += row_of(field).dump({.spaced = true}) + "\n";
  return out;
}

}  // namespace icefield::grib
