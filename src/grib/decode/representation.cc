#include "grib/decode/representation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "core/bytes.h"
#include "core/text.h"
#include "grib/decode/internal/bits.h"

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12, sanitized: it takes the alternatives that a moved variant does not hold for its value.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace icefield::grib {
namespace {

using core::ErrorCode;

/// A section whose octets are addressed as in the WMO manual, from 1.
class Octets {
 public:
  explicit Octets(std::span<const std::byte> section) : section_(section) {}

  std::size_t size() const { return section_.size(); }
  std::uint8_t u1(std::size_t octet) const {
    return core::load_big_endian<std::uint8_t>(section_, octet - 1);
  }
  std::uint16_t u2(std::size_t octet) const {
    return core::load_big_endian<std::uint16_t>(section_, octet - 1);
  }
  std::uint32_t u4(std::size_t octet) const {
    return core::load_big_endian<std::uint32_t>(section_, octet - 1);
  }
  int s2(std::size_t octet) const {
    return static_cast<int>(read_signed_octets(section_, octet - 1, 2));
  }
  int s1(std::size_t octet) const {
    return static_cast<int>(read_signed_octets(section_, octet - 1, 1));
  }
  float f4(std::size_t octet) const { return std::bit_cast<float>(u4(octet)); }

 private:
  std::span<const std::byte> section_;
};

core::Error corrupt(const std::string& what) {
  return {ErrorCode::kCorrupt, "section 5: " + what};
}

core::Result<SimplePacking> parse_simple(const Octets& octets) {
  const SimplePacking packing{.reference_value = octets.f4(12),
                              .binary_scale = octets.s2(16),
                              .decimal_scale = octets.s2(18),
                              .bits_per_value = octets.u1(20)};
  if (packing.bits_per_value > 32) {
    return core::Error(ErrorCode::kUnsupported,
                       core::text("section 5: ", packing.bits_per_value, " bits per value"));
  }
  return packing;
}

core::Result<Packing> parse_simple_template(const Octets& octets) {
  TRY_ASSIGN(const auto simple, parse_simple(octets));
  return Packing(simple);
}

core::Result<ComplexPacking> parse_groups(const Octets& octets) {
  TRY_ASSIGN(const auto simple, parse_simple(octets));
  const std::uint8_t management = octets.u1(23);
  if (management > 2) {
    return core::Error(ErrorCode::kUnsupported,
                       core::text("section 5: missing value management ", management));
  }
  const ComplexPacking packing{.simple = simple,
                               .missing = MissingValues{management},
                               .n_groups = octets.u4(32),
                               .width_reference = octets.u1(36),
                               .width_bits = octets.u1(37),
                               .length_reference = octets.u4(38),
                               .length_increment = octets.u1(42),
                               .last_length = octets.u4(43),
                               .length_bits = octets.u1(47)};
  if (packing.width_bits > 32 || packing.length_bits > 32) {
    return corrupt(core::text("group widths of ", packing.width_bits, " bits and lengths of ",
                              packing.length_bits, " bits"));
  }
  return packing;
}

core::Result<Packing> parse_complex(const Octets& octets) {
  TRY_ASSIGN(const auto groups, parse_groups(octets));
  return Packing(groups);
}

core::Result<Packing> parse_differenced(const Octets& octets) {
  TRY_ASSIGN(auto packing, parse_groups(octets));
  packing.has_descriptors = true;
  packing.spatial_order = octets.u1(48);
  packing.descriptor_octets = octets.u1(49);
  if (packing.spatial_order > 2) {
    return core::Error(
        ErrorCode::kUnsupported,
        core::text("section 5: spatial differencing of order ", packing.spatial_order));
  }
  if (packing.descriptor_octets > 4) {
    return corrupt(core::text(packing.descriptor_octets, " octets per extra descriptor"));
  }
  return Packing(packing);
}

core::Result<Packing> parse_ieee(const Octets& octets) {
  switch (octets.u1(12)) {
    case 1:
      return Packing(IeeePacking{.bytes_per_value = 4});
    case 2:
      return Packing(IeeePacking{.bytes_per_value = 8});
    default:
      return core::Error(ErrorCode::kUnsupported,
                         core::text("section 5: IEEE precision ", octets.u1(12),
                                    " (1: 32 bits and 2: 64 bits are known)"));
  }
}

core::Result<Packing> parse_jpeg2000(const Octets& octets) {
  TRY_ASSIGN(const auto simple, parse_simple(octets));
  return Packing(Jpeg2000Packing{simple});
}

core::Result<Packing> parse_png(const Octets& octets) {
  TRY_ASSIGN(const auto simple, parse_simple(octets));
  return Packing(PngPacking{simple});
}

core::Result<Packing> parse_ccsds(const Octets& octets) {
  TRY_ASSIGN(const auto simple, parse_simple(octets));
  return Packing(CcsdsPacking{.simple = simple,
                              .flags = octets.u1(22),
                              .block_size = octets.u1(23),
                              .reference_interval = octets.u2(24)});
}

core::Result<Packing> parse_log(const Octets& octets) {
  TRY_ASSIGN(const auto simple, parse_simple(octets));
  return Packing(LogPacking{.simple = simple, .parameter = octets.f4(21)});
}

core::Result<Packing> parse_run_length(const Octets& octets) {
  RunLengthPacking packing{.bits_per_value = octets.u1(12),
                           .max_level = octets.u2(13),
                           .decimal_scale = octets.s1(17),
                           .levels = {}};
  const std::size_t n_levels = octets.u2(15);
  if (octets.size() < 17 + 2 * n_levels) {
    return corrupt(core::text("too short for ", n_levels, " level values"));
  }
  if (packing.bits_per_value < 1 || packing.bits_per_value > 32 ||
      packing.max_level >= (std::uint64_t{1} << packing.bits_per_value)) {
    return corrupt(
        core::text(packing.bits_per_value, " bits for levels up to ", packing.max_level));
  }
  packing.levels.reserve(n_levels);
  for (std::size_t i = 0; i < n_levels; ++i) packing.levels.push_back(octets.u2(18 + 2 * i));
  return Packing(std::move(packing));
}

using Parse = core::Result<Packing> (*)(const Octets&);

struct Row {
  std::uint16_t number;   // data representation template 5.n
  std::string_view name;  // as ecCodes spells it
  std::size_t octets;     // section 5 has at least these; 0 for those that are refused
  Parse parse;            // nullptr: known by name only
};

// The whole list. A new template is one file pair with its decode_packed, one alternative of
// Packing, and one row here.
constexpr std::array kTemplates = {
    Row{0, "grid_simple", 20, parse_simple_template},
    Row{1, "grid_simple_matrix", 0, nullptr},
    Row{2, "grid_complex", 47, parse_complex},
    Row{3, "grid_complex_spatial_differencing", 49, parse_differenced},
    Row{4, "grid_ieee", 12, parse_ieee},
    Row{40, "grid_jpeg", 20, parse_jpeg2000},
    Row{41, "grid_png", 20, parse_png},
    Row{42, "grid_ccsds", 25, parse_ccsds},
    Row{50, "spectral_simple", 0, nullptr},
    Row{51, "spectral_complex", 0, nullptr},
    Row{53, "bifourier_complex", 0, nullptr},
    Row{61, "grid_simple_log_preprocessing", 24, parse_log},
    Row{200, "grid_run_length", 17, parse_run_length},
    Row{40000, "grid_jpeg", 20, parse_jpeg2000},
    Row{40010, "grid_png", 20, parse_png},
};

constexpr std::size_t kCommonOctets = 11;  // length, section number, count, template number

const Row* find_row(std::uint16_t template_number) {
  const auto* row = std::ranges::find(kTemplates, template_number, &Row::number);
  return row == kTemplates.end() ? nullptr : row;
}

struct BitsPerValue {
  unsigned operator()(const SimplePacking& packing) const { return packing.bits_per_value; }
  unsigned operator()(const IeeePacking& packing) const { return packing.bytes_per_value * 8; }
  unsigned operator()(const RunLengthPacking& packing) const { return packing.bits_per_value; }
  unsigned operator()(const auto& packing) const { return packing.simple.bits_per_value; }
};

}  // namespace

core::Result<Representation> parse_representation(std::span<const std::byte> section5) {
  const Octets octets(section5);
  if (octets.size() < kCommonOctets) return corrupt(core::text(octets.size(), " octets"));
  const std::uint16_t number = octets.u2(10);
  const Row* row = find_row(number);
  if (row == nullptr || row->parse == nullptr) {
    return core::Error(ErrorCode::kUnsupported,
                       core::text("packing template 5.", number, " (", packing_name(number),
                                  ") is not supported"));
  }
  if (octets.size() < row->octets) {
    return corrupt(core::text(octets.size(), " octets, template 5.", number, " has ", row->octets));
  }
  TRY_ASSIGN(auto packing, row->parse(octets));
  return Representation{
      .n_packed = octets.u4(6), .template_number = number, .packing = std::move(packing)};
}

unsigned bits_per_value(const Representation& representation) {
  return std::visit(BitsPerValue{}, representation.packing);
}

std::string_view packing_name(std::uint16_t template_number) {
  const Row* row = find_row(template_number);
  return row == nullptr ? "unknown" : row->name;
}

}  // namespace icefield::grib
