#include "grib/decode/internal/groups.h"

#include <algorithm>

#include "core/text.h"
#include "grib/decode/internal/unpack.h"

namespace icefield::grib {
namespace {

core::Error corrupt(const std::string& what) {
  return {core::ErrorCode::kCorrupt, "complex packing: " + what};
}

/// Takes `count` numbers of `width` bits, padded to a whole octet, off the front of `data`.
core::Result<PackedIntegers> take(std::span<const std::byte>& data, std::uint64_t count,
                                  unsigned width, const char* what) {
  const std::uint64_t octets = (count * width + 7) / 8;
  if (octets > data.size()) return corrupt(core::text("section 7 ends within the ", what));
  const PackedIntegers taken{.bytes = data.first(octets), .width = width};
  data = data.subspan(octets);
  return taken;
}

}  // namespace

core::Result<GroupSections> locate_groups(const ComplexPacking& packing,
                                          std::span<const std::byte> data) {
  GroupSections sections;
  const unsigned octets = packing.descriptor_octets;
  if (packing.has_descriptors) {
    const std::size_t n_values = packing.spatial_order;
    const std::size_t n_descriptors = n_values == 0 ? 0 : n_values + 1;
    if (data.size() < n_descriptors * octets) return corrupt("no room for the extra descriptors");
    for (std::size_t i = 0; i < n_values; ++i) {
      sections.first_values[i] =
          static_cast<std::int64_t>(read_bits(data, i * octets * 8, octets * 8));
    }
    if (n_values > 0) {
      sections.minimum = read_signed_octets(data, n_values * octets, octets);
    }
    data = data.subspan(n_descriptors * octets);
  }
  const std::uint64_t n_groups = packing.n_groups;
  TRY_ASSIGN(sections.references,
             take(data, n_groups, packing.simple.bits_per_value, "group references"));
  TRY_ASSIGN(sections.widths, take(data, n_groups, packing.width_bits, "group widths"));
  TRY_ASSIGN(sections.lengths, take(data, n_groups, packing.length_bits, "group lengths"));
  sections.numbers = data;
  return sections;
}

core::Status GroupReader::load_next() {
  size_ = std::min(kBatch, packing_.n_groups - next_group_);
  if (size_ == 0) {
    if (points_left_ == 0) return {};
    return corrupt(core::text("groups end ", points_left_, " points early"));
  }
  const auto unpack_batch = [this](PackedIntegers part, std::span<std::uint32_t> into) {
    if (part.width == 0) {
      std::ranges::fill(into, 0);
    } else {
      part.first_bit = std::uint64_t{next_group_} * part.width;
      unpack(part, into.first(size_));
    }
  };
  unpack_batch(sections_.references, references_);
  unpack_batch(sections_.widths, widths_);
  unpack_batch(sections_.lengths, lengths_);

  std::uint64_t greatest_width = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const std::uint64_t width = std::uint64_t{widths_[i]} + packing_.width_reference;
    greatest_width = std::max(greatest_width, width);
    widths_[i] = static_cast<std::uint32_t>(width);
  }
  if (greatest_width > 32) {
    return core::Error(core::ErrorCode::kUnsupported,
                       core::text("complex packing: a group of ", greatest_width, " bits"));
  }
  greatest_width_ = static_cast<std::uint32_t>(greatest_width);

  const std::size_t last = packing_.n_groups - 1 - next_group_;  // the last group's place, if here
  std::uint64_t points = 0;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const std::uint64_t length =
        i == last
            ? packing_.last_length
            : packing_.length_reference + std::uint64_t{lengths_[i]} * packing_.length_increment;
    points += length;
    bits += length * widths_[i];
    lengths_[i] = static_cast<std::uint32_t>(length);
  }
  if (points > points_left_) return corrupt("groups hold more points than the grid");
  points_left_ -= points;
  bits_used_ += bits;
  if (bits_used_ > std::uint64_t{sections_.numbers.size()} * 8) {
    return corrupt("section 7 ends within the groups");
  }
  next_group_ += size_;
  return {};
}

}  // namespace icefield::grib
