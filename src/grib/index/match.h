#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "grib/index/noaa_idx.h"
#include "grib/index/window.h"

namespace icefield::grib {

/// One spelling under which a wanted quantity may stand in a NOAA inventory. A quantity with
/// alternative element names, or one at many levels, is several of these with the user's `payload`.
struct WantedField {
  std::string element;  // as the inventory spells it
  std::string level;    // "2 m above ground"
  Window window;
  std::uint32_t payload = 0;                        // the user's number; any value, may repeat
  std::optional<std::string> extra = std::nullopt;  // absent: whatever the line says
};

/// `payload` was found in `entry` (position in the entries given to match).
struct IndexHit {
  std::uint32_t payload = 0;
  std::uint32_t entry = 0;
  friend bool operator==(const IndexHit&, const IndexHit&) = default;
};

/// Several entries answer to one payload: `entries` in file order, the first of them is the hit.
struct DuplicateHit {
  std::uint32_t payload = 0;
  std::vector<std::uint32_t> entries;
  friend bool operator==(const DuplicateHit&, const DuplicateHit&) = default;
};

/// What one pass over an index found. Every entry is used by a hit, a repeat inside a duplicate,
/// or in `unmatched`: found = used + reported.
struct IndexMatches {
  std::vector<IndexHit> hits;             // in file order, one per payload found
  std::vector<DuplicateHit> duplicates;   // by first entry
  std::vector<std::uint32_t> unmatched;   // entries that nobody wants, in file order
  std::vector<std::uint32_t> unreadable;  // those of them whose window label is not understood
  std::vector<std::uint32_t> absent;      // payloads without an entry, ascending
};

/// A compiled list of wanted fields: one hash look-up per index line, windows compared as numbers.
/// Immutable after compile; any thread may match.
class MatchTable {
 public:
  static MatchTable compile(std::span<const WantedField> wanted);

  /// One pass over `entries`. The init stamp is not compared.
  IndexMatches match(std::span<const NoaaIdxEntry> entries) const;

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t first = kEmpty;  // in fields_
  };
  struct Field {
    WantedField wanted;
    std::uint32_t next = kEmpty;     // next field of the same element, level and window
    std::uint32_t payload_slot = 0;  // position in payloads_
  };
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFFU;

  std::uint32_t find(std::uint64_t hash, std::string_view element, std::string_view level,
                     const Window& window) const;

  std::vector<Slot> slots_;  // open addressing, size a power of two
  std::vector<Field> fields_;
  std::vector<std::uint32_t> payloads_;  // ascending, each once
};

/// The duplicates as an Error, for sources where a repeated label is a fault:
/// "ambiguous: 2 matches for APCP:surface:0-6 hour acc fcst (lines 1, 2)". kCorrupt.
/// Precondition: `duplicate` came from matching `entries`.
core::Error ambiguous(const DuplicateHit& duplicate, std::span<const NoaaIdxEntry> entries);

}  // namespace icefield::grib
