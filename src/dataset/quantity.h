#pragma once

#include <cstdint>
#include <string_view>

namespace icefield::dataset {

/// What a published array means, the same in every dataset that publishes it: one row of
/// dataset/vocabulary.h. Empty text: the attribute is not written.
struct Quantity {
  std::string_view name;  // of the array, without its group
  std::string_view long_name;
  std::string_view short_name;
  std::string_view standard_name;  // CF
  std::string_view units;          // CF; of the values as a reader sees them
};

/// How the values of one step relate to time (attribute `step_type`).
enum class StepType : std::uint8_t { kInstant, kAccum, kAvg, kMin, kMax };

constexpr std::string_view name_of(StepType step) {
  switch (step) {
    case StepType::kInstant:
      return "instant";
    case StepType::kAccum:
      return "accum";
    case StepType::kAvg:
      return "avg";
    case StepType::kMin:
      return "min";
    case StepType::kMax:
      return "max";
  }
  return "";
}

}  // namespace icefield::dataset
