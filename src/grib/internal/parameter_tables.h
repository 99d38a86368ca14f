#pragma once

#include <cstdint>
#include <span>

namespace icefield::grib::tables {

/// Code table 4.2: one parameter of edition 2. Rows ascend by their numbers.
struct ParameterRow {
  std::uint16_t centre;  // 0: the WMO's own
  std::uint8_t discipline;
  std::uint8_t category;
  std::uint8_t number;
  const char* short_name;  // empty where the table has none
  const char* name;
  const char* unit;
};

/// One parameter of edition 1's code table 2.
struct OldParameterRow {
  std::uint16_t centre;  // 0: the WMO's own
  std::uint8_t table_version;
  std::uint8_t number;
  const char* short_name;
  const char* name;
  const char* unit;
};

/// Code table 4.5.
struct SurfaceRow {
  std::uint8_t type;
  const char* name;
};

/// What a field must be to carry one of ECMWF's short names: -1 asks for nothing, -2 for "missing".
/// Rows ascend by discipline, category and number; within those, earlier rows count before later.
struct ConceptRow {
  std::int16_t discipline;
  std::int16_t category;
  std::int16_t number;
  std::int16_t first_type;
  std::int16_t first_factor;
  std::int32_t first_value;
  std::int16_t second_type;
  std::int16_t second_factor;
  std::int32_t second_value;
  std::int16_t statistic;
  std::int16_t length_unit;
  std::int32_t length;
  const char* short_name;
};

// Defined in a file that cmake/grib_tables.py makes at build time.
extern const std::span<const ParameterRow> kParameters;
extern const std::span<const OldParameterRow> kOldParameters;
extern const std::span<const SurfaceRow> kSurfaces;
extern const std::span<const ConceptRow> kConcepts;

}  // namespace icefield::grib::tables
