#include "sample_source/spatial_differencing.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include "core/text.h"
#include "sample_source/bit_writer.h"
#include "sample_source/group_splitting.h"

namespace icefield::sample_source {
namespace {

/// The field after differencing: what the groups hold and what the reader needs to undo it.
struct Differences {
  std::vector<std::int32_t> steps;         // >= 0 above `minimum`; kMissingPoint stays
  std::array<std::int32_t, 2> first = {};  // the first `order` values themselves
  std::int32_t minimum = 0;                // was subtracted from every difference
};

core::Status check(std::span<const std::int32_t> values, const SpatialDifferencing& how) {
  if (how.order != 1 && how.order != 2) {
    return core::Error(core::ErrorCode::kInvalidArgument, "spatial differencing order is 1 or 2");
  }
  const bool may_miss = how.missing == SpatialDifferencing::MissingValues::kPrimary;
  std::size_t present = 0;
  for (const std::int32_t value : values) {
    if (value == kMissingPoint && may_miss) continue;
    if (value < 0 || value >= kPackedLimit) {
      return core::Error(core::ErrorCode::kInvalidArgument,
                         core::text("packed value ", value, " is outside [0, 2^26)"));
    }
    ++present;
  }
  if (present <= how.order) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       "too few points for spatial differencing");
  }
  return {};
}

/// Differences between points that have a value; those without are skipped, as a reader does.
Differences difference(std::span<const std::int32_t> values, unsigned order) {
  Differences made{.steps = std::vector<std::int32_t>(values.size())};
  made.minimum = kPackedLimit * 4 - 1;
  std::int32_t before = 0;       // the previous present value
  std::int32_t before_that = 0;  // the one before it
  unsigned seen = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int32_t value = values[i];
    if (value == kMissingPoint) {
      made.steps[i] = kMissingPoint;
      continue;
    }
    if (seen < order) {
      made.first.at(seen++) = value;
    } else {
      const std::int32_t predicted = order == 1 ? before : 2 * before - before_that;
      made.steps[i] = value - predicted;
      made.minimum = std::min(made.minimum, made.steps[i]);
    }
    before_that = before;
    before = value;
  }
  seen = 0;
  for (std::int32_t& step : made.steps) {
    if (step == kMissingPoint) continue;
    // the first `order` places stay in the stream, but nobody reads them
    step = seen < order ? 0 : step - made.minimum;
    seen = std::min(seen + 1, order);
  }
  return made;
}

/// Bits that hold every reference of a group; with missing values all ones must stay free, and a
/// reader may take 0 bits for a constant field.
unsigned reference_bits(const std::vector<Group>& groups, bool may_miss) {
  std::uint32_t largest = 0;
  for (const Group& group : groups) {
    if (!group.all_missing) largest = std::max(largest, group.low);
  }
  return std::max(1U, static_cast<unsigned>(std::bit_width(largest + (may_miss ? 1U : 0U))));
}

/// Octets for the first values and the minimum, each with a sign bit.
unsigned descriptor_octets(const Differences& differences) {
  std::uint32_t largest = static_cast<std::uint32_t>(std::abs(differences.minimum));
  for (const std::int32_t first : differences.first) {
    largest = std::max(largest, static_cast<std::uint32_t>(first));
  }
  return static_cast<unsigned>(std::bit_width(largest)) / 8 + 1;
}

/// The widths of what section 7 holds before the data, all of them also told in section 5.
struct Layout {
  unsigned reference_bits = 0;
  unsigned width_bits = 0;
  unsigned length_bits = 0;
  unsigned descriptor_octets = 0;
};

Layout lay_out(const Differences& differences, const std::vector<Group>& groups, bool may_miss) {
  Layout layout{.reference_bits = reference_bits(groups, may_miss),
                .descriptor_octets = descriptor_octets(differences)};
  for (const Group& group : groups) {
    layout.width_bits =
        std::max(layout.width_bits,
                 static_cast<unsigned>(std::bit_width(static_cast<unsigned>(group.width))));
    // lengths are counted from 1, as the provider does
    layout.length_bits =
        std::max(layout.length_bits, static_cast<unsigned>(std::bit_width(group.length - 1)));
  }
  return layout;
}

/// Section 5 with template 5.3 (octets 12-49).
core::Bytes write_section5(std::size_t points, const std::vector<Group>& groups,
                           const Layout& layout, const SpatialDifferencing& how) {
  // what older readers put where a value is missing: 9.999e20 as IEEE 32-bit
  constexpr std::uint32_t kSubstitute = 0x6258D19AU;
  const bool may_miss = how.missing == SpatialDifferencing::MissingValues::kPrimary;
  const auto scale_octets = [](std::int16_t scale) {  // sign and magnitude
    return static_cast<std::uint16_t>(scale < 0 ? 0x8000 | -scale : scale);
  };
  core::Bytes out;
  core::append_big_endian<std::uint32_t>(out, 49);
  core::append_big_endian<std::uint8_t>(out, 5);
  core::append_big_endian(out, static_cast<std::uint32_t>(points));
  core::append_big_endian<std::uint16_t>(out, 3);
  core::append_big_endian(out, std::bit_cast<std::uint32_t>(how.scale.reference_value));
  core::append_big_endian(out, scale_octets(how.scale.binary_scale));
  core::append_big_endian(out, scale_octets(how.scale.decimal_scale));
  core::append_big_endian(out, static_cast<std::uint8_t>(layout.reference_bits));
  core::append_big_endian<std::uint8_t>(out, 0);  // original values are floating point
  core::append_big_endian<std::uint8_t>(out, 1);  // general group splitting
  core::append_big_endian(out, static_cast<std::uint8_t>(how.missing));
  core::append_big_endian<std::uint32_t>(out, may_miss ? kSubstitute : 0);
  core::append_big_endian<std::uint32_t>(out, 0);  // no secondary missing value
  core::append_big_endian(out, static_cast<std::uint32_t>(groups.size()));
  core::append_big_endian<std::uint8_t>(out, 0);  // widths are counted from 0
  core::append_big_endian(out, static_cast<std::uint8_t>(layout.width_bits));
  core::append_big_endian<std::uint32_t>(out, 1);  // lengths are counted from 1
  core::append_big_endian<std::uint8_t>(out, 1);   // in steps of 1
  core::append_big_endian(out, groups.back().length);
  core::append_big_endian(out, static_cast<std::uint8_t>(layout.length_bits));
  core::append_big_endian(out, how.order);
  core::append_big_endian(out, static_cast<std::uint8_t>(layout.descriptor_octets));
  return out;
}

void put_groups(BitWriter& bits, const Differences& differences, const std::vector<Group>& groups,
                const Layout& layout) {
  const auto all_ones = [](unsigned width) {
    return static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1);
  };
  for (const Group& group : groups) {
    bits.put(group.all_missing ? all_ones(layout.reference_bits) : group.low,
             layout.reference_bits);
  }
  bits.align();
  for (const Group& group : groups) bits.put(group.width, layout.width_bits);
  bits.align();
  for (const Group& group : groups) bits.put(group.length - 1, layout.length_bits);
  bits.align();
  std::size_t begin = 0;
  for (const Group& group : groups) {
    const std::span members(differences.steps.data() + begin, group.length);
    begin += group.length;
    if (group.width == 0) continue;
    for (const std::int32_t step : members) {
      bits.put(step == kMissingPoint ? all_ones(group.width)
                                     : static_cast<std::uint32_t>(step) - group.low,
               group.width);
    }
  }
}

core::Bytes write_section7(const Differences& differences, const std::vector<Group>& groups,
                           const Layout& layout, unsigned order) {
  const std::size_t per_group = layout.reference_bits + layout.width_bits + layout.length_bits;
  std::size_t total = groups.size() * per_group + 512;
  for (const Group& group : groups) total += std::size_t{group.length} * group.width;
  BitWriter bits(total);
  const unsigned octets = layout.descriptor_octets;
  const auto put_signed = [&bits, octets](std::int32_t value) {
    bits.put(value < 0 ? 1U : 0U, 1);
    bits.put(static_cast<std::uint32_t>(std::abs(value)), octets * 8 - 1);
  };
  for (unsigned i = 0; i < order; ++i) put_signed(differences.first.at(i));
  put_signed(differences.minimum);
  put_groups(bits, differences, groups, layout);
  const core::Bytes data = bits.finish();

  core::Bytes out;
  out.reserve(data.size() + 5);
  core::append_big_endian(out, static_cast<std::uint32_t>(data.size() + 5));
  core::append_big_endian<std::uint8_t>(out, 7);
  out.insert(out.end(), data.begin(), data.end());
  return out;
}

}  // namespace

core::Result<DataSections> encode_spatial_differencing(std::span<const std::int32_t> values,
                                                       const SpatialDifferencing& how) {
  TRY(check(values, how));
  const bool may_miss = how.missing == SpatialDifferencing::MissingValues::kPrimary;
  const auto differences = difference(values, how.order);
  const auto groups = split_groups(differences.steps, may_miss);
  const auto layout = lay_out(differences, groups, may_miss);
  return DataSections{.section5 = write_section5(values.size(), groups, layout, how),
                      .section7 = write_section7(differences, groups, layout, how.order)};
}

}  // namespace icefield::sample_source
