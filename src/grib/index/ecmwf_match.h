#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/result.h"
#include "grib/index/ecmwf_index.h"
#include "grib/index/match.h"

namespace icefield::grib {

/// One field that is wanted from an ECMWF index.
struct EcmwfWanted {
  std::string param;
  std::string levtype;
  std::optional<double> level = std::nullopt;  // absent: rows without a level; NaN: any level
  std::uint32_t payload = 0;                   // the user's number; may repeat
};

struct EcmwfMatchOptions {
  std::optional<std::int32_t> step_end_minutes = std::nullopt;  // absent: rows of every step
  std::optional<std::uint32_t> member = std::nullopt;           // absent: rows of every member
};

/// A compiled list of wanted fields. Immutable after compile; any thread may match.
class EcmwfMatchTable {
 public:
  static EcmwfMatchTable compile(std::span<const EcmwfWanted> wanted);

  /// One pass over `rows`. A payload may be hit once per (member, step); a second row for the same
  /// is a duplicate, of which the first in file order is the hit. Rows that the options leave out
  /// are neither hits nor unmatched. `absent`: payloads without any row.
  IndexMatches match(std::span<const EcmwfIndexRow> rows, const EcmwfMatchOptions& options) const;

 private:
  std::unordered_map<std::string, std::vector<std::uint32_t>> payloads_by_key_;
  std::vector<std::uint32_t> payloads_;  // ascending, each once
};

/// The duplicates as an Error: "ambiguous: 2 matches for t:pl (lines 3, 7)". kCorrupt.
/// Precondition: `duplicate` came from matching `rows`.
core::Error ambiguous(const DuplicateHit& duplicate, std::span<const EcmwfIndexRow> rows);

}  // namespace icefield::grib
