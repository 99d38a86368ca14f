#include <algorithm>
#include <array>
#include <vector>

#include "core/bytes.h"
#include "core/text.h"
#include "grib/decode/bitmap.h"
#include "grib/decode/internal/bits.h"
#include "grib/decode/internal/grib1_section.h"

namespace icefield::grib {
namespace {

core::Error corrupt(const std::string& what) {
  return {core::ErrorCode::kCorrupt, "second-order packing: " + what};
}

/// Bits of a number that can be read at once. ecCodes writes some of 33 and 34 bits.
constexpr unsigned kWidest = 56;

/// Groups as the section stores them; every part was found to lie within the section.
struct Groups {
  std::size_t count = 0;
  std::array<std::int64_t, 4> descriptors = {};  // first values, then the bias
  unsigned order = 0;                            // of spatial differencing
  PackedIntegers widths;                         // one number for all groups when same_width
  bool same_width = false;
  PackedIntegers lengths;                    // extended packing only
  std::vector<std::uint32_t> given_lengths;  // all others
  PackedIntegers first_order;
  std::span<const std::byte> numbers;

  unsigned width(std::size_t group) const {
    const std::uint64_t index = same_width ? 0 : group;
    return static_cast<unsigned>(read_bits(widths.bytes, index * widths.width, widths.width));
  }
  std::uint64_t length(std::size_t group) const {
    if (!given_lengths.empty()) return given_lengths[group];
    return read_bits(lengths.bytes, group * lengths.width, lengths.width);
  }
  std::uint64_t reference(std::size_t group) const {
    return read_bits(first_order.bytes, group * first_order.width, first_order.width);
  }
};

/// A section read from one octet to the next.
class Cursor {
 public:
  Cursor(std::span<const std::byte> section, std::size_t octet) : section_(section), at_(octet) {}

  /// The next `count` numbers of `width` bits and the padding to a whole octet.
  core::Result<PackedIntegers> take(std::uint64_t count, unsigned width) {
    if (width > kWidest) return corrupt(core::text("numbers of ", width, " bits"));
    const std::uint64_t octets = (count * width + 7) / 8;
    if (octets > section_.size() - at_) return corrupt("the section ends within its groups");
    const PackedIntegers taken{.bytes = section_.subspan(at_, octets), .width = width};
    at_ += octets;
    return taken;
  }
  /// Goes on at `octet`, counted from 1.
  core::Status go_to(std::size_t octet) {
    if (octet < 1 || octet > section_.size()) return corrupt(core::text("no octet ", octet));
    at_ = octet - 1;
    return {};
  }
  std::span<const std::byte> rest() const { return section_.subspan(at_); }

 private:
  std::span<const std::byte> section_;
  std::size_t at_;
};

unsigned octet(std::span<const std::byte> section, std::size_t number) {
  return std::to_integer<unsigned>(section[number - 1]);
}

unsigned two_octets(std::span<const std::byte> section, std::size_t number) {
  return core::load_big_endian<std::uint16_t>(section, number - 1);
}

/// P1, whose overflow is kept in octet 21.
std::size_t group_count(std::span<const std::byte> section) {
  return two_octets(section, 17) + std::size_t{65536} * octet(section, 21);
}

/// General extended packing: everything follows in order, the pointers N1, N2 and NL are not
/// needed (and overflow in large fields).
core::Result<Groups> locate_extended(std::span<const std::byte> section) {
  constexpr std::size_t kFixedOctets = 25;
  if (section.size() <= kFixedOctets) return corrupt("too short");
  const unsigned flags = octet(section, 14);
  Groups groups;
  groups.count = group_count(section);
  groups.order = flags & 3U;
  Cursor cursor(section, kFixedOctets);
  if (groups.order > 0) {
    const unsigned width = octet(section, kFixedOctets + 1);
    TRY(cursor.go_to(kFixedOctets + 2));
    TRY_ASSIGN(const auto packed, cursor.take(groups.order + 1, width));
    if (width == 0) return corrupt("extra values of 0 bits");
    for (std::uint64_t i = 0; i <= groups.order; ++i) {
      groups.descriptors[i] = static_cast<std::int64_t>(read_bits(packed.bytes, i * width, width));
    }
    std::int64_t& bias = groups.descriptors[groups.order];
    const std::int64_t sign = std::int64_t{1} << (width - 1);
    if ((bias & sign) != 0) bias = -(bias & (sign - 1));
  }
  TRY_ASSIGN(groups.widths, cursor.take(groups.count, octet(section, 22)));
  TRY_ASSIGN(groups.lengths, cursor.take(groups.count, octet(section, 23)));
  TRY_ASSIGN(groups.first_order, cursor.take(groups.count, octet(section, 11)));
  groups.numbers = cursor.rest();
  return groups;
}

/// Lengths of groups whose first points have a 1 in the secondary bitmap.
core::Result<std::vector<std::uint32_t>> lengths_by_bitmap(std::span<const std::byte> bits,
                                                           std::size_t n_groups,
                                                           std::size_t n_values) {
  std::vector<std::uint32_t> lengths;
  for (std::size_t i = 0; i < n_values; ++i) {
    const bool begins = read_bits(bits, i, 1) != 0;
    if (begins) lengths.push_back(0);
    if (lengths.empty()) return corrupt("the secondary bitmap does not begin with a group");
    ++lengths.back();
  }
  if (lengths.size() != n_groups) {
    return corrupt(
        core::text("the secondary bitmap begins ", lengths.size(), " groups of ", n_groups));
  }
  return lengths;
}

/// Points of each row that the bitmap keeps.
core::Result<std::vector<std::uint32_t>> lengths_by_row(const Grib1Field& field,
                                                        std::size_t n_groups,
                                                        std::size_t n_values) {
  std::vector<std::uint32_t> lengths;
  std::uint64_t before = 0;
  std::uint64_t end = 0;
  for (const std::uint32_t row : field.row_lengths) {
    end += row;
    const std::uint64_t kept = field.bitmap ? count_present(*field.bitmap, end) : end;
    lengths.push_back(static_cast<std::uint32_t>(kept - before));
    before = kept;
  }
  if (before != n_values || lengths.size() != n_groups) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("edition 1: ", lengths.size(), " rows of ", before,
                                  " points, packed are ", n_groups, " rows of ", n_values));
  }
  return lengths;
}

/// The packings of the manual: widths in whole octets, then N1 and N2 say where the rest begins.
core::Result<Groups> locate_by_pointers(const Grib1Field& field, Grib1Packing packing,
                                        std::size_t n_values) {
  constexpr std::size_t kFixedOctets = 21;
  const auto section = field.section4;
  Groups groups;
  groups.count = group_count(section);
  groups.same_width = packing == Grib1Packing::kSecondOrderConstantWidth;
  Cursor cursor(section, kFixedOctets);
  TRY_ASSIGN(groups.widths, cursor.take(groups.same_width ? 1 : groups.count, 8));
  if (packing == Grib1Packing::kSecondOrderRowByRow) {
    TRY_ASSIGN(groups.given_lengths, lengths_by_row(field, groups.count, n_values));
  } else {
    TRY_ASSIGN(const auto bits, cursor.take(n_values, 1));
    TRY_ASSIGN(groups.given_lengths, lengths_by_bitmap(bits.bytes, groups.count, n_values));
  }
  TRY(cursor.go_to(two_octets(section, 12)));
  TRY_ASSIGN(groups.first_order, cursor.take(groups.count, octet(section, 11)));
  TRY(cursor.go_to(two_octets(section, 15)));
  groups.numbers = cursor.rest();
  return groups;
}

/// Undoes spatial differencing of order 0 to 3; sums wrap around modulo 2^64.
class Summing {
 public:
  explicit Summing(const Groups& groups)
      : order_(groups.order), bias_(static_cast<std::uint64_t>(groups.descriptors[groups.order])) {
    // differences of the first values: last[i] is the i-th difference at the last point
    std::array<std::uint64_t, 3> values = {};
    for (unsigned i = 0; i < order_; ++i) {
      values[i] = static_cast<std::uint64_t>(groups.descriptors[i]);
    }
    for (unsigned i = 0; i < order_; ++i) {
      last_[i] = values[order_ - 1 - i];
      for (unsigned j = 0; j + i + 1 < order_; ++j) values[j] = values[j + 1] - values[j];
    }
  }

  std::int64_t next(std::uint64_t x) {
    if (order_ == 0) return static_cast<std::int64_t>(x);
    std::uint64_t sum = x + bias_;
    for (unsigned i = order_; i-- > 0;) sum = last_[i] += sum;
    return static_cast<std::int64_t>(sum);
  }

 private:
  unsigned order_;
  std::uint64_t bias_;
  std::array<std::uint64_t, 3> last_ = {};
};

template <typename T>
core::Status write_values(const Groups& groups, const Scaling& scaling, std::span<T> out) {
  if (out.size() < groups.order) return corrupt("fewer points than first values");
  std::size_t filled = 0;
  for (; filled < groups.order; ++filled) {
    out[filled] = static_cast<T>(scaling.value(static_cast<double>(groups.descriptors[filled])));
  }
  Summing summing(groups);
  std::uint64_t position = 0;
  const std::uint64_t end = std::uint64_t{groups.numbers.size()} * 8;
  for (std::size_t group = 0; group < groups.count; ++group) {
    const std::uint64_t length = groups.length(group);
    const unsigned width = groups.width(group);
    if (width > kWidest) return corrupt(core::text("a group of ", width, " bits"));
    if (length > out.size() - filled || length * width > end - position) {
      return corrupt("a group passes the end");
    }
    const std::uint64_t reference = groups.reference(group);
    for (std::uint64_t i = 0; i < length; ++i, position += width) {
      const std::uint64_t x = reference + read_bits(groups.numbers, position, width);
      out[filled++] = static_cast<T>(scaling.value(static_cast<double>(summing.next(x))));
    }
  }
  if (filled != out.size()) {
    return corrupt(core::text("groups end after ", filled, " of ", out.size(), " values"));
  }
  return {};
}

template <typename T>
core::Status decode_any(const Grib1Field& field, Grib1Packing packing, std::span<T> out) {
  const Scaling scaling = read_grib1_header(field).scaling;
  if (packing == Grib1Packing::kSecondOrderExtended) {
    TRY_ASSIGN(const auto groups, locate_extended(field.section4));
    return write_values(groups, scaling, out);
  }
  TRY_ASSIGN(const auto groups, locate_by_pointers(field, packing, out.size()));
  return write_values(groups, scaling, out);
}

}  // namespace

core::Status decode_grib1_second_order(const Grib1Field& field, Grib1Packing packing,
                                       std::span<float> out) {
  return decode_any(field, packing, out);
}

core::Status decode_grib1_second_order(const Grib1Field& field, Grib1Packing packing,
                                       std::span<double> out) {
  return decode_any(field, packing, out);
}

}  // namespace icefield::grib
