#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "grib/internal/header_window.h"
#include "grib/scan/scan.h"

namespace icefield::grib {

/// A message whose start and end are known.
struct Envelope {
  std::uint32_t message = 0;
  core::ByteRange range;
  std::uint8_t edition = 0;
  std::uint8_t discipline = 0;
};

/// The distinct grid sections of a file: neighbours mostly repeat the same octets, which are then
/// compared and not parsed.
class GridTable {
 public:
  /// Position in scan.grids of the grid of `section` (section 3 or edition 1's section 2).
  /// Errors: as parse_grid and parse_grib1_grid.
  core::Result<std::uint32_t> find_or_parse(std::span<const std::byte> section,
                                            std::uint8_t edition, Scan& scan);

 private:
  std::string last_;
  std::uint32_t last_grid_ = 0;
  std::unordered_map<std::string, std::uint32_t> grids_;  // octets of the section -> position
};

/// Reads the sections of one message and appends its fields and what is to be reported.
/// Errors: of the source; never the content.
core::Status walk_edition_1(HeaderWindow& window, const Envelope& envelope, GridTable& grids,
                            Scan& scan);
core::Status walk_edition_2(HeaderWindow& window, const Envelope& envelope, GridTable& grids,
                            Scan& scan);

/// Sections larger than this are not read into memory.
inline constexpr std::uint64_t kLargestSection = 16U << 20U;

}  // namespace icefield::grib
