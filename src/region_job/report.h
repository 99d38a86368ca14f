#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace icefield::region_job {

/// A source file that exists but was not used, and why (one line of printable text).
struct SkippedFile {
  std::string url;
  std::string reason;
};

/// A variable of a used file that could not be referenced, and why.
struct RefusedVariable {
  std::string url;
  std::string variable;
  std::string reason;
};

/// What became of every expected file: expected = found + absent, found = used + skipped.
struct VirtualReport {
  std::uint64_t expected = 0;
  std::uint64_t used = 0;     // referenced by this run or, when a run goes on, by an earlier one
  std::uint64_t present = 0;  // those of `used` that the store held before
  std::vector<SkippedFile> skipped;
  std::uint64_t absent = 0;
  std::string first_absent;  // URL of the first of them; empty: none

  std::vector<RefusedVariable> refused;
  std::uint64_t unmapped_messages = 0;  // in used files, of nothing that the dataset publishes
  std::uint64_t references = 0;         // committed by this run
  std::uint64_t commits = 0;

  std::uint64_t found() const { return used + skipped.size(); }
  bool complete() const { return skipped.empty() && refused.empty(); }
};

}  // namespace icefield::region_job
