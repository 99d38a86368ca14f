#include "grib/keys/ecmwf_labels.h"

#include <algorithm>
#include <array>
#include <chrono>
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

using tables::Asked;

/// A product that has no such key: what asks for it does not hold.
constexpr std::int64_t kNoKey = -3;

template <typename Number>
std::int64_t or_missing(const std::optional<Number>& given) {
  return given ? std::int64_t{*given} : tables::kMissing;
}

/// One number of a surface, counted from its type.
std::int64_t number_of(const FixedSurface& surface, unsigned which) {
  if (which == 0) return surface.type;
  return which == 1 ? or_missing(surface.scale_factor) : or_missing(surface.scaled_value);
}

/// One number of an interval, counted from its type.
std::int64_t number_of(const std::optional<Interval>& interval, unsigned which) {
  if (!interval) return kNoKey;
  const auto factor = [](std::uint8_t octet) -> std::int64_t {
    return octet == 0xFF ? tables::kMissing : octet;
  };
  const auto value = [](std::uint32_t octets) -> std::int64_t {
    return octets == 0xFFFFFFFF ? tables::kMissing : octets;
  };
  const std::array<std::int64_t, 5> numbers = {
      interval->type, factor(interval->first_factor), value(interval->first_value),
      factor(interval->second_factor), value(interval->second_value)};
  return numbers[which];
}

/// One number of the first time range: statistic, unit, length.
std::int64_t number_of(const std::vector<TimeRange>& ranges, unsigned which) {
  if (ranges.empty()) return kNoKey;
  const auto& range = ranges.front();
  if (which == 0) return range.statistic;
  return which == 1 ? range.length.unit : range.length.count;
}

std::int64_t number_of(const std::optional<Probability>& probability, unsigned which) {
  if (!probability) return kNoKey;
  return which == 0 ? probability->type : number_of(probability->lower, which);
}

/// 1 for a template between `first` and `last`.
std::int64_t within(const Product& product, std::uint16_t first, std::uint16_t last) {
  return first <= product.template_number && product.template_number <= last ? 1 : 0;
}

/// What a condition asks about, as the product gives it.
std::int64_t given(Asked asked, const Product& product) {
  using enum Asked;
  const auto after = [asked](Asked first) {
    return static_cast<unsigned>(asked) - static_cast<unsigned>(first);
  };
  if (asked <= kFirstValue) return number_of(product.first_surface, after(kFirstType));
  if (asked <= kSecondValue) return number_of(product.second_surface, after(kSecondType));
  if (asked <= kLength) return number_of(product.time_ranges, after(kStatistic));
  const auto& constituent = product.constituent;
  if (asked == kConstituent) return constituent ? constituent->type : kNoKey;
  if (asked <= kWavelengthSecondValue) {
    if (!constituent) return kNoKey;
    if (asked == kSourceSink) {
      return constituent->source_sink ? std::int64_t{*constituent->source_sink} : kNoKey;
    }
    return asked <= kSizeSecondValue ? number_of(constituent->size, after(kSizeType))
                                     : number_of(constituent->wavelength, after(kWavelengthType));
  }
  if (asked <= kPeriodSecondValue) return number_of(product.wave_period, after(kPeriodType));
  if (asked == kTemplate) return product.template_number;
  if (asked == kProcess) return product.generating_process;
  if (asked <= kLowerValue) return number_of(product.probability, after(kProbability));
  if (asked == kChemical) return within(product, 40, 43);
  if (asked == kChemicalSource) return within(product, 76, 79);
  if (asked == kAerosol) return within(product, 44, 47);
  return within(product, 48, 49);
}

/// How many conditions `row` asks for, or -1 when one does not hold. A wave period is part of the
/// quantity: a name that does not ask for it is another quantity's.
int fulfilled(const tables::ConceptRow& row, const Product& product) {
  const auto conditions = tables::kConditions.subspan(row.first_condition, row.n_conditions);
  if (product.wave_period && std::ranges::find(conditions, Asked::kPeriodType,
                                               &tables::Condition::asked) == conditions.end()) {
    return -1;
  }
  const bool hold = std::ranges::all_of(conditions, [&product](const auto& condition) {
    return given(condition.asked, product) == condition.value;
  });
  return hold ? row.n_conditions : -1;
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

std::string step_text(std::int32_t minutes) {
  return minutes % 60 == 0 ? std::to_string(minutes / 60) : core::text(minutes, "m");
}

/// Its member, as a reader of the row takes it from type and number.
std::optional<std::uint32_t> member_of(const Field& field, std::string_view type) {
  if (type == "pf") return field.product.member->number;
  return type == "cf" || type == "fc" ? std::optional<std::uint32_t>(0) : std::nullopt;
}

/// The row's members as the keys of open data, in its order.
core::Json keys_of(const EcmwfIndexRow& row) {
  core::Json keys{core::Json::Object{}};
  if (row.init) {
    const auto iso = core::format_timestamp(*row.init);  // 2025-08-01T00:00:00
    keys.set("date", iso.substr(0, 4) + iso.substr(5, 2) + iso.substr(8, 2));
    keys.set("time", iso.substr(11, 2) + iso.substr(14, 2));
  }
  keys.set("type", row.type);
  keys.set("stream", row.stream);
  keys.set("step", step_text(row.step_end_minutes));
  if (row.level) {
    const auto rounded = std::llround(*row.level);
    const bool whole = static_cast<double>(rounded) == *row.level;
    keys.set("levelist", whole ? std::to_string(rounded) : core::python_float(*row.level));
  }
  keys.set("levtype", row.levtype);
  if (row.type == "pf") keys.set("number", std::to_string(*row.member));
  keys.set("param", row.param);
  keys.set("_offset", row.range.offset);
  keys.set("_length", row.range.length);
  return keys;
}

/// The field's row; nothing when an index cannot say what its step is.
std::optional<EcmwfIndexRow> row_of(const Field& field) {
  const auto window = window_of(field.product);
  if (!window || window->end_minutes < 0) return std::nullopt;
  EcmwfIndexRow row;
  row.range = field.range;
  row.param = ecmwf_param(field);
  if (row.param.empty()) {
    row.param = core::text(int{field.discipline}, ".", int{field.product.category}, ".",
                           int{field.product.number});
  }
  const auto level = level_of(field);
  row.levtype = level.levtype;
  row.level = level.value;
  row.type = type_of(field);
  row.stream = field.product.member || field.product.derived ? "enfo" : "oper";
  row.member = member_of(field, row.type);
  row.step_start_minutes = row.step_end_minutes = window->end_minutes;
  if (const auto time = field.identification.reference_time) {
    row.init = std::chrono::floor<std::chrono::minutes>(*time);
  }
  row.keys = keys_of(row);
  return row;
}

}  // namespace

std::string_view ecmwf_param(const Field& field) {
  if (field.edition == 1) {
    const auto name = parameter_name(field);
    return name ? name->short_name : std::string_view();
  }
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

EcmwfInventory ecmwf_inventory(const Scan& scan) {
  EcmwfInventory found;
  for (const auto& field : scan.fields) {
    if (auto row = row_of(field)) {
      row->line = static_cast<std::uint32_t>(found.rows.size() + 1);
      found.rows.push_back(*std::move(row));
      continue;
    }
    found.reported.push_back({field.range.offset, field.range.length, field.message,
                              field.submessage, 4, field.product.template_number,
                              "no forecast step that an index can give"});
  }
  return found;
}

}  // namespace icefield::grib
