#include "grib/keys/grib1_surface.h"

#include <algorithm>
#include <array>

namespace icefield::grib {
namespace {

/// value in edition 2 = value * factor * 10^-scale, or (from - value) where `from` is not 0.
struct Counterpart {
  std::uint8_t old_type = 255;
  std::uint8_t type = 255;
  int factor = 1;
  int scale = 0;
  int from = 0;
};

// clang-format off
constexpr std::array kCounterparts = {
    Counterpart{20, 20, 1, 2},          // 1/100 K
    Counterpart{100, 100, 100},         // hPa
    Counterpart{101, 100, 1000},        // kPa
    Counterpart{102, 101},
    Counterpart{103, 102},              // m
    Counterpart{104, 102, 100},         // hm
    Counterpart{105, 103},              // m
    Counterpart{106, 103, 100},         // hm
    Counterpart{107, 104, 1, 4},        // 1/10000
    Counterpart{108, 104, 1, 2},        // 1/100
    Counterpart{109, 105},
    Counterpart{110, 105},
    Counterpart{111, 106, 1, 2},        // cm
    Counterpart{112, 106, 1, 2},
    Counterpart{113, 107},              // K
    Counterpart{114, 107, 1, 0, 475},
    Counterpart{115, 108, 100},         // hPa
    Counterpart{116, 108, 100},
    Counterpart{117, 109, 1, 9},        // 1e-9 K m2 kg-1 s-1
    Counterpart{119, 111, 1, 4},
    Counterpart{120, 111, 1, 2},
    Counterpart{121, 100, 100, 0, 1100},
    Counterpart{125, 103, 1, 2},        // cm
    Counterpart{128, 104, 1, 3, 1100},
    Counterpart{160, 160},
    Counterpart{210, 100},              // Pa
};
// clang-format on
static_assert(std::ranges::is_sorted(kCounterparts, {}, &Counterpart::old_type));

}  // namespace

FixedSurface edition_2_surface(const FixedSurface& surface) {
  const auto* const found =
      std::ranges::lower_bound(kCounterparts, surface.type, {}, &Counterpart::old_type);
  if (found == kCounterparts.end() || found->old_type != surface.type) {
    return surface.type < 100 || surface.type >= 200 ? FixedSurface{surface.type, {}, {}} : surface;
  }
  const auto value = surface.scaled_value.value_or(0);
  return {found->type, found->scale,
          (found->from == 0 ? value : found->from - value) * found->factor};
}

}  // namespace icefield::grib
