#include "sample_source/level.h"

#include <charconv>
#include <optional>
#include <string>

#include "core/text.h"

namespace icefield::sample_source {
namespace {

struct NamedSurface {
  std::string_view name;
  std::uint8_t type;
};

/// Surfaces without a number. Types from 192 on are NCEP's.
// clang-format off
constexpr NamedSurface kNamed[] = {
    {"surface", 1},
    {"cloud base", 2},
    {"cloud top", 3},
    {"0C isotherm", 4},
    {"level of adiabatic condensation from sfc", 5},
    {"top of atmosphere", 8},
    {"entire atmosphere", 10},
    {"level of free convection", 14},
    {"mean sea level", 101},
    {"entire atmosphere (considered as a single layer)", 200},
    {"highest tropospheric freezing level", 204},
    {"boundary layer cloud layer", 211},
    {"low cloud layer", 214},
    {"cloud ceiling", 215},
    {"middle cloud layer", 224},
    {"high cloud layer", 234},
    {"equilibrium level", 247},
};
// clang-format on

struct UnitOfSurface {
  std::string_view unit;
  std::uint8_t type;
  std::uint32_t factor;  // units of code table 4.5 per unit of the text
};

/// Surfaces with a number ("N unit") and layers of them ("N-N unit").
// clang-format off
constexpr UnitOfSurface kNumbered[] = {
    {"K level", 20, 1},
    {"mb", 100, 100},
    {"m above ground", 103, 1},
    {"sigma level", 104, 1},
    {"sigma layer", 104, 1},
    {"hybrid level", 105, 1},
    {"m underground", 106, 1},
    {"mb above ground", 108, 100},
};
// clang-format on

const UnitOfSurface* find_unit(std::string_view unit) {
  for (const auto& one : kNumbered) {
    if (one.unit == unit) return &one;
  }
  return nullptr;
}

/// A decimal number with at most 3 digits after the point, exactly.
std::optional<FixedSurface> parse_number(std::string_view text, const UnitOfSurface& unit) {
  const auto point = text.find('.');
  std::string digits(text.substr(0, point));
  std::uint8_t places = 0;
  if (point != std::string_view::npos) {
    const auto fraction = text.substr(point + 1);
    if (fraction.empty() || fraction.size() > 3) return std::nullopt;
    digits += fraction;
    places = static_cast<std::uint8_t>(fraction.size());
  }
  std::uint32_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stopped != end || value > 1'000'000) return std::nullopt;
  value *= unit.factor;
  while (places > 0 && value % 10 == 0) {
    value /= 10;
    --places;
  }
  return FixedSurface{.type = unit.type, .scale_factor = places, .scaled_value = value};
}

std::optional<Level> parse_numbered(std::string_view text) {
  const auto space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto* unit = find_unit(text.substr(space + 1));
  if (unit == nullptr) return std::nullopt;
  const auto numbers = text.substr(0, space);
  const auto dash = numbers.find('-');
  const auto first = parse_number(numbers.substr(0, dash), *unit);
  if (!first) return std::nullopt;
  if (dash == std::string_view::npos) return Level{.first = *first, .second = {}};
  const auto second = parse_number(numbers.substr(dash + 1), *unit);
  if (!second) return std::nullopt;
  return Level{.first = *first, .second = *second};
}

}  // namespace

core::Result<Level> parse_level(std::string_view text) {
  constexpr std::string_view kBetween = " - ";
  for (const auto& named : kNamed) {
    if (named.name == text) return Level{.first = {.type = named.type}, .second = {}};
  }
  if (const auto level = parse_numbered(text)) return *level;
  if (const auto between = text.find(kBetween); between != std::string_view::npos) {
    const auto from = parse_numbered(text.substr(0, between));
    const auto to = parse_numbered(text.substr(between + kBetween.size()));
    if (from && to) return Level{.first = from->first, .second = to->first};
  }
  return core::Error(core::ErrorCode::kUnsupported, core::text("no such level: ", text));
}

}  // namespace icefield::sample_source
