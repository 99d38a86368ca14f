#pragma once

#include <cstdint>
#include <string>

#include "dataset/variable.h"

namespace icefield::dataset {

/// Match::level_index of a variable without a level dimension.
inline constexpr std::uint32_t kNoLevel = 0xFFFFFFFFU;

/// What one message of a file fills: a variable and, in a vertical group, which level.
struct Match {
  VariableIndex variable = 0;
  std::uint32_t level_index = kNoLevel;  // position on the group's own dimension
  friend constexpr bool operator==(const Match&, const Match&) = default;
};

/// A message by the words of its index entry, and what it fills. One message may fill several
/// variables (equal words, several rows); one variable may go by several words.
struct WantedMessage {
  std::string element;  // "APCP"
  std::string level;    // "surface"
  std::string window;   // "0-1 hour acc fcst", in any spelling of the index's format
  Match match;
};

}  // namespace icefield::dataset
