#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/result.h"
#include "grib/decode/internal/bits.h"
#include "grib/decode/representation.h"

namespace icefield::grib {

/// Section 7 of templates 5.2 and 5.3 taken apart, nothing copied.
struct GroupSections {
  // Extra descriptors of 5.3; first values are unsigned, the minimum has a sign bit.
  std::array<std::int64_t, 2> first_values = {0, 0};
  std::int64_t minimum = 0;            // added to every difference
  PackedIntegers references;           // of n_groups groups
  PackedIntegers widths;               // less packing.width_reference
  PackedIntegers lengths;              // less length_reference, divided by length_increment
  std::span<const std::byte> numbers;  // of all groups, one bit stream
};

/// Finds the parts; every count they imply lies within `data`.
/// Errors: kCorrupt.
core::Result<GroupSections> locate_groups(const ComplexPacking& packing,
                                          std::span<const std::byte> data);

/// A handful of groups at a time, checked: what it hands out lies within section 7 and the grid.
class GroupReader {
 public:
  static constexpr std::size_t kBatch = 256;  // a multiple of 8: every batch starts on a byte

  GroupReader(const ComplexPacking& packing, const GroupSections& sections, std::size_t n_points)
      : packing_(packing), sections_(sections), points_left_(n_points) {}

  /// Loads the next groups; size() is 0 after the last.
  /// Errors: kCorrupt when lengths pass the last point, stop before it, or numbers pass the end;
  /// kUnsupported for a width above 32 bits.
  core::Status load_next();

  std::size_t size() const { return size_; }
  std::uint32_t reference(std::size_t group) const { return references_[group]; }
  std::uint32_t width(std::size_t group) const { return widths_[group]; }    // bits
  std::uint32_t length(std::size_t group) const { return lengths_[group]; }  // points
  std::uint32_t greatest_width() const { return greatest_width_; }           // of this batch

 private:
  const ComplexPacking& packing_;
  const GroupSections& sections_;
  std::uint64_t points_left_;
  std::uint64_t bits_used_ = 0;
  std::size_t next_group_ = 0;
  std::size_t size_ = 0;
  std::uint32_t greatest_width_ = 0;
  std::array<std::uint32_t, kBatch> references_ = {};
  std::array<std::uint32_t, kBatch> widths_ = {};
  std::array<std::uint32_t, kBatch> lengths_ = {};
};

}  // namespace icefield::grib
