#include "grib/scan/product.h"

#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/text.h"
#include "grib/internal/octets.h"
#include "grib/internal/times.h"
#include "grib/scan/product_layout.h"

namespace icefield::grib {
namespace {

constexpr std::size_t kSurfaceOctets = 6;
constexpr std::size_t kTimeRangeOctets = 12;

FixedSurface read_limit(Octets& section, std::size_t octet) {
  FixedSurface limit;
  const auto factor = section.u8(octet);
  if (factor != 255) limit.scale_factor = section.s8(octet);
  if (section.present_u32(octet + 1)) limit.scaled_value = section.s32(octet + 1);
  return limit;
}

FixedSurface read_surface(Octets& section, std::size_t octet) {
  auto surface = read_limit(section, octet + 1);
  surface.type = section.u8(octet);
  return surface;
}

Probability read_probability(Octets& section, std::size_t octet) {
  return {section.u8(octet), section.u8(octet + 1), section.u8(octet + 2),
          read_limit(section, octet + 3), read_limit(section, octet + 8)};
}

Interval read_limits(Octets& section, std::size_t octet) {
  return {.type = section.u8(octet),
          .first_factor = section.u8(octet + 1),
          .second_factor = section.u8(octet + 6),
          .first_value = section.u32(octet + 2),
          .second_value = section.u32(octet + 7)};
}

std::optional<Constituent> read_constituent(Octets& section, std::uint16_t template_number) {
  constexpr std::size_t kType = 12;
  const auto* const layout = find_constituent_layout(template_number);
  if (layout == nullptr) return std::nullopt;
  Constituent constituent;
  constituent.type = section.u16(kType);
  if (layout->source_sink != 0) constituent.source_sink = section.u8(layout->source_sink);
  if (layout->size != 0) constituent.size = read_limits(section, layout->size);
  if (layout->wavelength != 0) constituent.wavelength = read_limits(section, layout->wavelength);
  return constituent;
}

/// Templates of waves by period have the interval before everything else.
std::optional<Interval> read_wave_period(Octets& section, std::uint16_t template_number) {
  constexpr std::size_t kPeriod = 12;
  if (template_number != 103 && template_number != 104) return std::nullopt;
  return read_limits(section, kPeriod);
}

void read_interval(Octets& section, std::size_t octet, Product& product) {
  product.end_of_interval = read_time(section, octet);
  const std::size_t count = section.u8(octet + 7);
  for (std::size_t i = 0; i < count && section.whole(); ++i) {
    const auto at = octet + 12 + i * kTimeRangeOctets;
    TimeRange range;
    range.statistic = section.u8(at);
    range.increment_type = section.u8(at + 1);
    range.length = {section.u8(at + 2), section.u32(at + 3)};
    range.increment = {section.u8(at + 7), section.u32(at + 8)};
    product.time_ranges.push_back(range);
  }
}

EnsembleMember read_member(Octets& section, std::size_t octet) {
  return {section.u8(octet), section.u8(octet + 1), section.u8(octet + 2)};
}

/// Templates of a reference period have what the ensemble says behind the time ranges.
void read_behind_interval(Octets& section, std::size_t octet, Product& product) {
  switch (product.template_number) {
    case 106:
      product.member = read_member(section, octet);
      break;
    case 107:
      product.derived = DerivedForecast{section.u8(octet), section.u8(octet + 1)};
      break;
    case 112:
      product.probability = read_probability(section, octet);
      break;
    default:
      break;
  }
}

/// Where the interval begins: behind the list of categories in template 4.91.
std::size_t interval_of(Octets& section, const ProductLayout& layout) {
  constexpr std::size_t kCount = 35;
  constexpr std::size_t kCategoryOctets = 12;
  const bool categories = layout.template_number == 91;
  return layout.interval + (categories ? kCategoryOctets * section.u8(kCount) : 0);
}

}  // namespace

std::optional<double> FixedSurface::value() const {
  if (!scaled_value) return std::nullopt;
  // division by an exact power of ten: 25 with factor 1 is the double nearest to 2.5
  const auto factor = scale_factor.value_or(0);
  const auto number = static_cast<double>(*scaled_value);
  return factor >= 0 ? number / std::pow(10.0, factor) : number * std::pow(10.0, -factor);
}

std::optional<std::int64_t> TimeSpan::seconds() const {
  constexpr std::int64_t kHour = 3600;
  std::int64_t per_unit = 0;
  switch (unit) {
    case 0:
      per_unit = 60;
      break;
    case 1:
      per_unit = kHour;
      break;
    case 2:
      per_unit = 24 * kHour;
      break;
    case 10:
      per_unit = 3 * kHour;
      break;
    case 11:
      per_unit = 6 * kHour;
      break;
    case 12:
      per_unit = 12 * kHour;
      break;
    case 13:
      per_unit = 1;
      break;
    default:
      return std::nullopt;
  }
  return count * per_unit;  // |count| < 2^32: no overflow
}

core::Result<Product> parse_product(std::span<const std::byte> section4) {
  Octets section(section4);
  Product product;
  product.template_number = section.u16(8);
  product.category = section.u8(10);
  product.number = section.u8(11);
  if (!section.whole()) return core::Error(core::ErrorCode::kCorrupt, "section 4 is too short");
  const auto* layout = find_product_layout(product.template_number);
  if (layout == nullptr) {
    return core::Error(
        core::ErrorCode::kUnsupported,
        core::text("product template 4.", product.template_number, " is not supported"));
  }
  if (layout->process != 0) product.generating_process = section.u8(layout->process);
  std::size_t surfaces = layout->surfaces;
  if (layout->time_unit != 0) {
    product.forecast_time.unit = section.u8(layout->time_unit);
    // 4.44 was published with a forecast time of two octets: section of 45 octets and a list
    const std::size_t list = 4 * std::size_t{section.u16(6)};
    if (layout->template_number == 44 && section.size() == 45 + list) {
      product.forecast_time.count = section.s16(layout->time_unit + std::size_t{1});
      surfaces -= 2;
    } else {
      product.forecast_time.count = section.s32(layout->time_unit + std::size_t{1});
    }
  }
  if (surfaces != 0) {
    product.first_surface = read_surface(section, surfaces);
    product.second_surface = read_surface(section, surfaces + kSurfaceOctets);
  }
  if (const std::size_t at = layout->member; at != 0) {
    product.member = read_member(section, at);
  }
  if (const std::size_t at = layout->derived; at != 0) {
    product.derived = DerivedForecast{section.u8(at), section.u8(at + 1)};
  }
  if (layout->probability != 0)
    product.probability = read_probability(section, layout->probability);
  if (layout->percentile != 0) product.percentile = section.u8(layout->percentile);
  if (layout->interval != 0) {
    constexpr std::size_t kFixedOctets = 12;
    const auto at = interval_of(section, *layout);
    read_interval(section, at, product);
    read_behind_interval(section, at + kFixedOctets + kTimeRangeOctets * section.u8(at + 7),
                         product);
  }
  product.constituent = read_constituent(section, product.template_number);
  product.wave_period = read_wave_period(section, product.template_number);
  if (!section.whole() || section.size() < layout->octets) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("section 4 ends inside template 4.", product.template_number));
  }
  return product;
}

Statistic statistic_of(std::uint8_t code) {
  using enum Statistic;
  constexpr std::array kByCode = {kAverage,
                                  kAccumulation,
                                  kMaximum,
                                  kMinimum,
                                  kDifference,
                                  kRootMeanSquare,
                                  kStandardDeviation,
                                  kCovariance,
                                  kReversedDifference,
                                  kRatio};
  return code < kByCode.size() ? kByCode[code] : kUnspecified;
}

std::optional<Window> window_of(const Product& product) {
  const auto start = product.forecast_time.seconds();
  if (!start) return std::nullopt;
  auto end = *start;
  auto statistic = Statistic::kInstant;
  if (!product.time_ranges.empty()) {
    const auto& range = product.time_ranges.front();
    constexpr std::int64_t kMissing = 0xFFFFFFFF;
    const auto length = range.length.seconds();
    if (!length || range.length.count == kMissing) return std::nullopt;
    end += *length;
    statistic = statistic_of(range.statistic);
  }
  constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
  if (*start % 60 != 0 || end % 60 != 0 || std::abs(*start / 60) > kLargest ||
      std::abs(end / 60) > kLargest) {
    return std::nullopt;
  }
  return Window{static_cast<std::int32_t>(*start / 60), static_cast<std::int32_t>(end / 60),
                statistic};
}

}  // namespace icefield::grib
