#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// One thing that was tried on a store.
struct SelftestLine {
  std::string name;  // "conditional create"
  bool holds = false;
  bool required = true;  // false: good to know, nothing depends on it
  std::string detail;    // what was seen: figures, or how it failed
};

struct SelftestReport {
  std::string location;
  std::vector<SelftestLine> lines;

  /// True when everything required holds.
  bool fit() const;
};

/// Tries whether a store keeps what transactions need, in about ten lines: conditional create and
/// replace, alone and with 32 concurrent writers, reading what was just written, listing, ranges,
/// copies, the clock, latency and throughput. Writes about 40 MB below a prefix of its own
/// ("icefield-selftest-..."), which it removes. A store that fails is a report, not an error.
SelftestReport run_selftest(ObjectStore& store);

/// The report as text, a line each: "ok    conditional create     created once, refused twice".
std::string describe(const SelftestReport& report);

}  // namespace icefield::object_store
