#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "dataset/quantity.h"

namespace icefield::dataset {

/// Position of a variable in DatasetSpec::variables.
using VariableIndex = std::uint32_t;

/// Position of a group in DatasetSpec::groups; 0 is the root.
using GroupIndex = std::uint8_t;

/// After how long the source's accumulation, mean or extreme starts anew.
using WindowReset = std::chrono::hours;
inline constexpr WindowReset kNoWindow{0};                   // instantaneous
inline constexpr WindowReset kForever = WindowReset::max();  // runs from the start of the forecast

/// How the source's index spells one variable.
struct SourceKey {
  std::string_view element;    // also the decoder's `var`
  std::string_view level;      // "{level}" stands for the label of the group's own dimension
  std::uint8_t file_type = 0;  // row of VirtualSource::file_types
  WindowReset window_reset = kNoWindow;
  std::span<const std::string_view> alternatives = {};  // other spellings of the element
};

/// The `scale_offset` filter: a reader gets encoded / scale + offset.
struct ScaleOffset {
  double offset = 0;
  double scale = 1;
  friend constexpr bool operator==(const ScaleOffset&, const ScaleOffset&) = default;
};

/// CF flags of a categorical variable.
struct Flags {
  std::span<const std::int64_t> values = {};
  std::string_view meanings = {};  // blank-separated, as many as values
};

/// What few variables need.
struct VariableOptions {
  ScaleOffset filter = {};
  double fill = std::numeric_limits<double>::quiet_NaN();  // in decoded units, after the filter
  std::optional<bool> hour_0 = {};  // overrides the dataset's rule for lead 0
  std::string_view comment = {};
  Flags flags = {};
};

/// One published array: one row of its dataset's table.
struct Variable {
  const Quantity* quantity = nullptr;  // never null; static storage
  StepType step = StepType::kInstant;
  SourceKey source;
  GroupIndex group = 0;
  VariableOptions options = {};
};

}  // namespace icefield::dataset
