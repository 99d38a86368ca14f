#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace icefield::sample_source {

/// What is wrong with a file of the tree, as it happens at a provider.
enum class FaultKind {
  kLate,          // neither the data nor the index is there yet
  kMissing,       // the index is there, the data never
  kMissingIndex,  // the data is there, the index never
  kTruncated,     // the data ends inside a message, the index is whole
  kStaleIndex,    // the index belongs to another version of the data
  kEmpty,         // the data has no bytes
  kEmptyIndex,    // the index has no bytes
};

struct Fault {
  FaultKind kind = FaultKind::kLate;
  std::string pattern;  // the end of a data file's key, or a pattern with * ? [ ]
};

/// The word of the command line: "stale-index".
std::string_view name_of(FaultKind kind);

/// Reads `KIND=FILE`. Errors: kInvalidArgument, naming the kinds that there are.
core::Result<Fault> parse_fault(std::string_view text);

/// True when the pattern names the data file with this key.
bool names(const Fault& fault, const std::string& key);

/// The kind of the last fault that names the key; a later option wins.
std::optional<FaultKind> fault_of(std::span<const Fault> faults, const std::string& key);

}  // namespace icefield::sample_source
