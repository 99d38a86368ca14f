#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/result.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// A number that a trial measured: "put_ms", "read_mb_per_s", "ahead_s".
struct SelftestFigure {
  std::string name;
  double value = 0;
};

/// One thing that was tried on a store.
struct SelftestLine {
  std::string name;  // "conditional create"
  bool holds = false;
  bool required = true;  // false: good to know, nothing depends on it
  std::string detail;    // what was seen: figures, or how it failed
  std::vector<SelftestFigure> figures = {};
};

struct SelftestReport {
  std::string location;
  std::vector<SelftestLine> lines;
  bool interrupted = false;  // stopped before everything was tried

  /// True when everything was tried and everything required holds.
  bool fit() const;
};

/// Tries whether a store keeps what transactions need, in about ten lines: conditional create and
/// replace, alone and with 32 concurrent writers, reading what was just written, listing, ranges,
/// copies, the clock, latency and throughput. Writes about 13 MB below a prefix of its own
/// ("icefield-selftest-..."), which it removes. A store that fails is a report, not an error.
SelftestReport run_selftest(ObjectStore& store);

/// The same, ended early by `stop`: what was written is removed, the report says interrupted.
/// `cleaner`: the same place, for the removal; its calls must not end by the same stop.
SelftestReport run_selftest(ObjectStore& store, ObjectStore& cleaner, const std::stop_token& stop);

/// The report as text, a line each: "ok    conditional create     created once, refused twice".
std::string describe(const SelftestReport& report);

}  // namespace icefield::object_store
