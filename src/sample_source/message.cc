#include "sample_source/message.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "sample_source/spatial_differencing.h"

namespace icefield::sample_source {
namespace {

/// The waves of a record: the same at all leads of an initialization, different in all else.
SyntheticField field_of(const Record& record, core::Timestamp initialized, std::uint64_t seed) {
  std::string kind;
  if (record.interval) {
    const bool since_start = record.interval->from_hour == 0 && record.interval->to_hour != 1;
    kind = core::text(static_cast<int>(record.interval->statistic), since_start ? "run" : "");
  }
  const std::string text = core::text(record.element, "|", record.level, "|", kind, "|",
                                      core::format_timestamp(initialized));
  return {seed_from(seed, text), static_cast<std::uint32_t>(record.lead_hour)};
}

/// Turns the waves in `packed`, over [0, span], into the shape of the quantity. `lift` is added to
/// what is not a flag.
void shape_field(const Quantity& quantity, std::int32_t lift, std::span<std::int32_t> packed) {
  const std::int32_t span = quantity.span;
  switch (quantity.shape) {
    case Shape::kSmooth:
      break;
    case Shape::kClipped:
      for (std::int32_t& x : packed) x = std::max(0, x - span * 5 / 8);
      break;
    case Shape::kBinary:
      for (std::int32_t& x : packed) x = 2 * x > span ? span : 0;
      break;
    case Shape::kFlagged:
      for (std::int32_t& x : packed) x = x < span / 4 ? 0 : x + lift;
      break;
    case Shape::kHoles:
      for (std::int32_t& x : packed) x = x > span * 5 / 8 ? kMissingPoint : x;
      break;
  }
}

/// Section 6: which points have a value, one bit each.
core::Bytes bitmap_section(std::span<const std::int32_t> packed) {
  core::Bytes section;
  const std::size_t octets = (packed.size() + 7) / 8;
  section.reserve(octets + 6);
  core::append_big_endian(section, static_cast<std::uint32_t>(octets + 6));
  core::append_big_endian<std::uint8_t>(section, 6);
  core::append_big_endian<std::uint8_t>(section, 0);
  for (std::size_t at = 0; at < packed.size(); at += 8) {
    unsigned octet = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(8, packed.size() - at); ++i) {
      if (packed[at + i] != kMissingPoint) octet |= 0x80U >> i;
    }
    section.push_back(static_cast<std::byte>(octet));
  }
  return section;
}

SpatialDifferencing method_of(const Quantity& quantity, double reference) {
  SpatialDifferencing how{
      .scale = {static_cast<float>(reference), quantity.binary_scale, quantity.decimal_scale}};
  if (quantity.packing == Packing::kOrder1 || quantity.packing == Packing::kManaged1) {
    how.order = 1;
  }
  if (quantity.packing == Packing::kManaged2 || quantity.packing == Packing::kManaged1) {
    how.missing = SpatialDifferencing::MissingValues::kPrimary;
  }
  return how;
}

}  // namespace

core::Result<MessageWriter> MessageWriter::create() {
  TRY_ASSIGN(auto grib, GribWriter::create());
  return MessageWriter(std::move(grib));
}

core::Result<core::Bytes> MessageWriter::write_with_eccodes(const Product& product,
                                                            const Quantity& quantity,
                                                            double reference) {
  std::vector<double> values;
  values.reserve(packed_.size());
  const double divisor = std::pow(10.0, quantity.decimal_scale);
  for (const std::int32_t x : packed_) {
    values.push_back(x == kMissingPoint
                         ? kNoValue
                         : (reference + std::ldexp(x, quantity.binary_scale)) / divisor);
  }
  const auto method = quantity.packing == Packing::kComplex ? EccodesPacking::Method::kComplex
                                                            : EccodesPacking::Method::kSimple;
  return grib_.write_values(product, values,
                            {.method = method, .decimal_scale = quantity.decimal_scale});
}

core::Result<core::Bytes> MessageWriter::write_differenced(const Product& product,
                                                           const Quantity& quantity,
                                                           double reference) const {
  const auto how = method_of(quantity, reference);
  if (quantity.packing != Packing::kBitmap) {
    const auto no_bitmap = core::to_bytes({"\0\0\0\6\6\xFF", 6});
    TRY_ASSIGN(const auto data, encode_spatial_differencing(packed_, how));
    return grib_.write_sections(product, data.section5, no_bitmap, data.section7);
  }
  std::vector<std::int32_t> present;
  present.reserve(packed_.size());
  std::ranges::copy_if(packed_, std::back_inserter(present),
                       [](std::int32_t x) { return x != kMissingPoint; });
  TRY_ASSIGN(const auto data, encode_spatial_differencing(present, how));
  return grib_.write_sections(product, data.section5, bitmap_section(packed_), data.section7);
}

core::Result<core::Bytes> MessageWriter::write(const Record& record, core::Timestamp initialized,
                                               std::uint64_t seed) {
  TRY_ASSIGN(const auto quantity, find_quantity(record.element, record.level));
  TRY_ASSIGN(const auto level, parse_level(record.level));
  const Product product{.discipline = quantity.discipline,
                        .category = quantity.category,
                        .number = quantity.number,
                        .level = level,
                        .initialized = initialized,
                        .lead_hour = record.lead_hour,
                        .interval = record.interval};
  if (record.nothing_yet) return grib_.write_zeros(product);

  packed_.resize(kHrrrGrid.points());
  field_of(record, initialized, seed).fill(kHrrrGrid, quantity.span, packed_);
  const std::int32_t lift = quantity.base + record.level_number * quantity.step_per_level;
  shape_field(quantity, lift, packed_);
  const bool flagged = quantity.shape == Shape::kFlagged;
  const double reference =
      quantity.reference + (flagged ? 0 : std::ldexp(lift, quantity.binary_scale));
  switch (quantity.packing) {
    case Packing::kSimple:
    case Packing::kComplex:
    case Packing::kSimpleBitmap:
      return write_with_eccodes(product, quantity, reference);
    case Packing::kOrder1:
    case Packing::kOrder2:
    case Packing::kManaged2:
    case Packing::kManaged1:
    case Packing::kBitmap:
      return write_differenced(product, quantity, reference);
  }
  return core::Error(core::ErrorCode::kUnsupported, "no such packing");
}

}  // namespace icefield::sample_source
