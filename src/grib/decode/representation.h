#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.h"

namespace icefield::grib {

/// How integers X become values: (R + X * 2^E) * 10^-D. Shared by most templates of section 5.
struct SimplePacking {
  float reference_value = 0;    // R, in the field's own unit
  int binary_scale = 0;         // E
  int decimal_scale = 0;        // D
  unsigned bits_per_value = 0;  // 0: every point holds the reference value
  friend bool operator==(const SimplePacking&, const SimplePacking&) = default;
};

/// Code table 5.5.
enum class MissingValues : std::uint8_t { kNone = 0, kPrimary = 1, kPrimaryAndSecondary = 2 };

/// Templates 5.2 (spatial_order 0) and 5.3: groups of values, each with its own reference and
/// width.
struct ComplexPacking {
  SimplePacking simple = {};  // bits_per_value: width of a group reference
  MissingValues missing = MissingValues::kNone;
  std::uint32_t n_groups = 0;
  std::uint32_t width_reference = 0;
  unsigned width_bits = 0;
  std::uint32_t length_reference = 0;
  std::uint32_t length_increment = 1;
  std::uint32_t last_length = 0;  // true length of the last group
  unsigned length_bits = 0;
  bool has_descriptors = false;    // 5.3: section 7 begins with the extra descriptors
  unsigned spatial_order = 0;      // order of spatial differencing, 0..2
  unsigned descriptor_octets = 0;  // per first value and per overall minimum
  friend bool operator==(const ComplexPacking&, const ComplexPacking&) = default;
};

/// Template 5.4: IEEE 754 numbers, big-endian.
struct IeeePacking {
  unsigned bytes_per_value = 4;  // 4 or 8
  friend bool operator==(const IeeePacking&, const IeeePacking&) = default;
};

/// Templates 5.40 and 40000: X is a JPEG 2000 code stream of one component.
struct Jpeg2000Packing {
  SimplePacking simple = {};
  friend bool operator==(const Jpeg2000Packing&, const Jpeg2000Packing&) = default;
};

/// Templates 5.41 and 40010: X is a PNG image (24 and 32 bits as colour samples).
struct PngPacking {
  SimplePacking simple = {};
  friend bool operator==(const PngPacking&, const PngPacking&) = default;
};

/// Template 5.42: X is a CCSDS 121.0-B stream (adaptive entropy coding).
struct CcsdsPacking {
  SimplePacking simple = {};
  std::uint8_t flags = 0;           // octet 22: bits as in the libaec interface
  unsigned block_size = 0;          // samples
  unsigned reference_interval = 0;  // blocks between reference samples
  friend bool operator==(const CcsdsPacking&, const CcsdsPacking&) = default;
};

/// Template 5.61: the logarithm of (value + parameter) is packed.
struct LogPacking {
  SimplePacking simple = {};
  float parameter = 0;  // added before the logarithm was taken
  friend bool operator==(const LogPacking&, const LogPacking&) = default;
};

/// Template 5.200: runs of levels; level 0 is missing, level i >= 1 has levels[i - 1] * 10^-D.
struct RunLengthPacking {
  unsigned bits_per_value = 0;
  std::uint32_t max_level = 0;  // greatest level used in this field
  int decimal_scale = 0;        // D
  std::vector<std::uint16_t> levels = {};
  friend bool operator==(const RunLengthPacking&, const RunLengthPacking&) = default;
};

using Packing = std::variant<SimplePacking, ComplexPacking, IeeePacking, Jpeg2000Packing,
                             PngPacking, CcsdsPacking, LogPacking, RunLengthPacking>;

/// Section 5 as a value.
struct Representation {
  std::uint32_t n_packed = 0;         // values in section 7: points, or points that a bitmap keeps
  std::uint16_t template_number = 0;  // data representation template 5.n
  Packing packing = {};
  friend bool operator==(const Representation&, const Representation&) = default;
};

/// Reads section 5, from its length octets on; bytes behind the template are ignored.
/// Errors: kUnsupported for a template that decode() does not implement (the text names number and
/// kind; spectral, matrix and local templates), for IEEE 128 bit; kCorrupt for a section that is
/// shorter than its template or holds widths that no value can have.
core::Result<Representation> parse_representation(std::span<const std::byte> section5);

/// Bits per value as section 5 states it: 32 or 64 for IEEE, group reference bits for 5.2 and 5.3.
unsigned bits_per_value(const Representation& representation);

/// The packing's name as ecCodes spells it: "grid_simple", "grid_ccsds"; "unknown" for others.
std::string_view packing_name(std::uint16_t template_number);

}  // namespace icefield::grib
