#include "grib/decode/complex_packing.h"

#include <algorithm>
#include <limits>

#include "core/text.h"
#include "grib/decode/internal/complex_simd.h"
#include "grib/decode/internal/groups.h"
#include "grib/decode/internal/scaling.h"
#include "grib/decode/internal/unpack.h"

namespace icefield::grib {
namespace {

/// The greatest number of `width` bits: the mark of a primary missing value.
std::uint64_t all_ones(unsigned width) {
  return (std::uint64_t{1} << width) - 1;
}

/// True when `number`, stored in `width` bits, is a mark and not a number.
bool is_mark(std::uint64_t number, unsigned width, MissingValues management) {
  switch (management) {
    case MissingValues::kNone:
      return false;
    case MissingValues::kPrimary:
      return number == all_ones(width);
    case MissingValues::kPrimaryAndSecondary:
      return number == all_ones(width) || number + 1 == all_ones(width);
  }
  return false;
}

/// Undoes spatial differencing, one point that is not missing after the other. Sums wrap around
/// modulo 2^64, so that hostile differences stay defined.
class Summing {
 public:
  Summing(const ComplexPacking& packing, const GroupSections& sections)
      : order_(packing.spatial_order),
        first_(sections.first_values),
        minimum_(static_cast<std::uint64_t>(sections.minimum)) {}

  std::int64_t next(std::uint64_t x) {
    if (order_ == 0) return static_cast<std::int64_t>(x);
    std::uint64_t value = x + minimum_;
    if (seen_ < order_) {
      value = static_cast<std::uint64_t>(first_[seen_++]);
    } else {
      value += order_ == 1 ? before_ : 2 * before_ - two_before_;
    }
    two_before_ = before_;
    before_ = value;
    return static_cast<std::int64_t>(value);
  }

 private:
  unsigned order_;
  std::array<std::int64_t, 2> first_;
  std::uint64_t minimum_;
  unsigned seen_ = 0;
  std::uint64_t before_ = 0;
  std::uint64_t two_before_ = 0;
};

/// Any widths, one point at a time: what the vector form cannot hold in 32 bits.
template <typename T>
core::Status decode_plainly(const ComplexPacking& packing, const GroupSections& sections,
                            std::span<T> out) {
  const Scaling scaling = scaling_of(packing.simple);
  Summing summing(packing, sections);
  GroupReader groups(packing, sections, out.size());
  std::uint64_t position = 0;
  T* to = out.data();
  while (true) {
    TRY(groups.load_next());
    if (groups.size() == 0) return {};
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const unsigned width = groups.width(group);
      const std::uint64_t reference = groups.reference(group);
      const unsigned mark_width = width == 0 ? packing.simple.bits_per_value : width;
      for (std::uint32_t i = 0; i < groups.length(group); ++i, position += width) {
        const std::uint64_t number = read_bits(sections.numbers, position, width);
        const bool missing = is_mark(width == 0 ? reference : number, mark_width, packing.missing);
        *to++ = missing ? std::numeric_limits<T>::quiet_NaN()
                        : static_cast<T>(
                              scaling.value(static_cast<double>(summing.next(reference + number))));
      }
    }
  }
}

template <typename T>
core::Status decode_any(const ComplexPacking& packing, std::span<const std::byte> data,
                        std::span<T> out) {
  if (packing.n_groups == 0 || (packing.simple.bits_per_value == 0 && data.empty())) {
    std::ranges::fill(out, static_cast<T>(scaling_of(packing.simple).value(0)));
    return {};
  }
  if (packing.n_groups > out.size()) {
    return core::Error(
        core::ErrorCode::kCorrupt,
        core::text("complex packing: ", packing.n_groups, " groups for ", out.size(), " values"));
  }
  TRY_ASSIGN(const auto sections, locate_groups(packing, data));
  if (has_avx2()) {
    TRY_ASSIGN(const auto outcome, avx2::decode_complex(packing, sections, out));
    if (outcome == avx2::Outcome::kDone) return {};
  }
  return decode_plainly(packing, sections, out);
}

}  // namespace

core::Status decode_packed(const ComplexPacking& packing, std::span<const std::byte> data,
                           std::span<float> out) {
  return decode_any(packing, data, out);
}

core::Status decode_packed(const ComplexPacking& packing, std::span<const std::byte> data,
                           std::span<double> out) {
  return decode_any(packing, data, out);
}

}  // namespace icefield::grib
