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

/// What a condition of a short name asks about; the order is that of cmake/grib_tables.py.
enum class Asked : std::uint8_t {
  kFirstType,
  kFirstFactor,
  kFirstValue,
  kSecondType,
  kSecondFactor,
  kSecondValue,
  kStatistic,
  kLengthUnit,
  kLength,
  kConstituent,
  kSourceSink,
  kSizeType,
  kSizeFirstFactor,
  kSizeFirstValue,
  kSizeSecondFactor,
  kSizeSecondValue,
  kWavelengthType,
  kWavelengthFirstFactor,
  kWavelengthFirstValue,
  kWavelengthSecondFactor,
  kWavelengthSecondValue,
  kPeriodType,
  kPeriodFirstFactor,
  kPeriodFirstValue,
  kPeriodSecondFactor,
  kPeriodSecondValue,
  kTemplate,
  kProcess,
  kProbability,
  kLowerFactor,
  kLowerValue,
  kChemical,  // 1: a template of this family
  kChemicalSource,
  kAerosol,
  kAerosolOptical,
};

/// One condition: what is asked must have this value; kMissing asks for "missing".
struct Condition {
  Asked asked;
  std::int64_t value;
};
inline constexpr std::int64_t kMissing = -2;

/// A short name of ECMWF and what a field must be to carry it. Rows ascend by discipline, category
/// and number; within those, earlier rows count before later ones.
struct ConceptRow {
  std::int16_t discipline;
  std::int16_t category;
  std::int16_t number;
  std::uint16_t first_condition;  // in kConditions
  std::uint16_t n_conditions;
  const char* short_name;
};

// Defined in a file that cmake/grib_tables.py makes at build time.
extern const std::span<const ParameterRow> kParameters;
extern const std::span<const OldParameterRow> kOldParameters;
extern const std::span<const SurfaceRow> kSurfaces;
extern const std::span<const Condition> kConditions;
extern const std::span<const ConceptRow> kConcepts;

}  // namespace icefield::grib::tables
