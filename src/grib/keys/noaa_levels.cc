#include "grib/keys/noaa_levels.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "core/text.h"

namespace icefield::grib {
namespace {

constexpr std::uint16_t kNcep = 7;
constexpr std::uint8_t kFirstLocal = 192;
constexpr std::uint8_t kNoSurface = 255;

/// A surface type's words; '#' stands for the value. `divisor`: octets' unit to the text's unit.
struct LevelText {
  std::uint8_t type;
  std::string_view single;
  std::string_view layer = {};  // when both surfaces have this type; '#' is "first-second"
  double divisor = 1;
};

// clang-format off
constexpr std::array kLevels = {
    LevelText{1, "surface"},
    LevelText{2, "cloud base"},
    LevelText{3, "cloud top"},
    LevelText{4, "0C isotherm"},
    LevelText{5, "level of adiabatic condensation from sfc"},
    LevelText{6, "max wind"},
    LevelText{7, "tropopause"},
    LevelText{8, "top of atmosphere"},
    LevelText{9, "sea bottom"},
    LevelText{10, "entire atmosphere"},
    LevelText{11, "cumulonimbus base"},
    LevelText{12, "cumulonimbus top"},
    LevelText{13, "lowest level #% integrated cloud cover"},
    LevelText{14, "level of free convection"},
    LevelText{15, "convection condensation level"},
    LevelText{16, "level of neutral buoyancy"},
    LevelText{17, "Departure level of most unstable parcel of air (MUDL)"},
    LevelText{18, "Departure level of mixed layer parcel of air with specified layer depth # (Pa)"},
    LevelText{20, "# K level"},
    LevelText{21, "lowest level > # kg/m^3"},
    LevelText{22, "highest level > # kg/m^3"},
    LevelText{23, "lowest level > # Bq/m^3"},
    LevelText{24, "highest level > # Bg/m^3"},
    LevelText{25, "highest level > # dBZ"},
    LevelText{26, "convective cloud layer base"},
    LevelText{27, "convective clout layer top"},
    LevelText{30, "specified radius from center of sun"},
    LevelText{31, "solar photosphere"},
    LevelText{32, "ionosphere D-region level"},
    LevelText{33, "ionosphere E-region level"},
    LevelText{34, "ionosphere F1-region level"},
    LevelText{35, "ionosphere F2-region level"},
    LevelText{36, "stratopause"},
    LevelText{100, "# mb", "# mb", 100},
    LevelText{101, "mean sea level"},
    LevelText{102, "# m above mean sea level", "# m above mean sea level"},
    LevelText{103, "# m above ground", "# m above ground"},
    LevelText{104, "# sigma level", "# sigma layer"},
    LevelText{105, "# hybrid level", "# hybrid layer"},
    LevelText{106, "# m underground", "# m below ground"},
    LevelText{107, "# K isentropic level", "# K isentropic layer"},
    LevelText{108, "# mb above ground", "# mb above ground", 100},
    LevelText{109, "PV=# (Km^2/kg/s) surface"},
    LevelText{111, "# Eta level", "# Eta layer"},
    LevelText{113, "# logarithmic hybrid level"},
    LevelText{114, "snow level"},
    LevelText{115, "# sigma height level", "# sigma height layer"},
    LevelText{117, "mixed layer depth"},
    LevelText{118, "# hybrid height level", "# hybrid height layer"},
    LevelText{119, "# hybrid pressure level", "# hybrid pressure layer"},
    LevelText{150, "# generalized vertical height coordinate",
              "# generalized vertical height coordinate"},
    LevelText{151, "soil level #"},
    LevelText{152, "sea-ice level"},
    LevelText{160, "# m below sea level", "# m below sea level"},
    LevelText{161, "# m below water surface", "# m ocean layer"},
    LevelText{162, "lake or river bottom"},
    LevelText{163, "bottom of sediment layer"},
    LevelText{164, "bottom of thermally active sediment layer"},
    LevelText{165, "bottom of sediment layer penetrated by thermal wave"},
    LevelText{166, "mixing layer"},
    LevelText{167, "bottom of root zone"},
    LevelText{168, "ocean model level #"},
    LevelText{169, "ocean level # (kg*m-3) density difference to near surface"},
    LevelText{170, "ocean level # (K) pot. temperature difference to near surface"},
    LevelText{171, "ocean level # (m*m/s) vertical eddy diffusivity difference from near surface"},
    LevelText{172, "mixed layer depth (delta rho=#)"},
    LevelText{174, "top surface of ice on sea, lake or river"},
    LevelText{175, "top surface of ice, und snow on sea, lake or river"},
    LevelText{176, "bottom surface ice on sea, lake or river"},
    LevelText{177, "deep soil"},
    LevelText{179, "top surface of glacier ice and inland ice"},
    LevelText{180, "deep inland or glacier ice"},
    LevelText{181, "grid tile land fraction as a model surface"},
    LevelText{182, "grid tile water fraction as a model surface"},
    LevelText{183, "grid tile ice fraction on sea, lake or river as a model surface"},
    LevelText{184, "grid tile glacier ice and inland ice fraction as a model surface"},
    LevelText{200, "entire atmosphere (considered as a single layer)"},  // NCEP's own from here on
    LevelText{201, "entire ocean (considered as a single layer)"},
    LevelText{204, "highest tropospheric freezing level"},
    LevelText{206, "grid scale cloud bottom level"},
    LevelText{207, "grid scale cloud top level"},
    LevelText{209, "boundary layer cloud bottom level"},
    LevelText{210, "boundary layer cloud top level"},
    LevelText{211, "boundary layer cloud layer"},
    LevelText{212, "low cloud bottom level"},
    LevelText{213, "low cloud top level"},
    LevelText{214, "low cloud layer"},
    LevelText{215, "cloud ceiling"},
    LevelText{216, "effective layer top level #m"},
    LevelText{217, "effective layer bottom level #m"},
    LevelText{218, "effective layer #m"},
    LevelText{220, "planetary boundary layer"},
    LevelText{221, "layer between two hybrid levels"},
    LevelText{222, "middle cloud bottom level"},
    LevelText{223, "middle cloud top level"},
    LevelText{224, "middle cloud layer"},
    LevelText{232, "high cloud bottom level"},
    LevelText{233, "high cloud top level"},
    LevelText{234, "high cloud layer"},
    LevelText{235, "#C ocean isotherm", "#C ocean isotherm layer", 10},
    LevelText{236, "layer between two depths below ocean surface", "# m ocean layer", 0.1},
    LevelText{237, "bottom of ocean mixed layer"},
    LevelText{238, "bottom of ocean isothermal layer"},
    LevelText{239, "layer ocean surface and 26C ocean isothermal level"},
    LevelText{240, "ocean mixed layer"},
    LevelText{241, "# in sequence"},
    LevelText{242, "convective cloud bottom level"},
    LevelText{243, "convective cloud top level"},
    LevelText{244, "convective cloud layer"},
    LevelText{245, "lowest level of the wet bulb zero"},
    LevelText{246, "maximum equivalent potential temperature level"},
    LevelText{247, "equilibrium level"},
    LevelText{248, "shallow convective cloud bottom level"},
    LevelText{249, "shallow convective cloud top level"},
    LevelText{251, "deep convective cloud bottom level"},
    LevelText{252, "deep convective cloud top level"},
    LevelText{253, "lowest bottom level of supercooled liquid water layer"},
    LevelText{254, "highest top level of supercooled liquid water layer"},
};
// clang-format on
static_assert(std::ranges::is_sorted(kLevels, {}, &LevelText::type));

const LevelText* find_level(std::uint8_t type, std::uint16_t centre) {
  if (type >= kFirstLocal && centre != kNcep) return nullptr;
  const auto* const found = std::ranges::lower_bound(kLevels, type, {}, &LevelText::type);
  return found == kLevels.end() || found->type != type ? nullptr : found;
}

/// Six significant digits, as the inventories print values: "0.995", "1000", "-2e-06".
std::string number_text(double value) {
  std::array<char, 32> buffer{};
  const auto count = std::snprintf(buffer.data(), buffer.size(), "%g", value);  // NOLINT: %g
  return {buffer.data(), static_cast<std::size_t>(count)};
}

std::string fill(std::string_view words, const std::string& value) {
  const auto mark = words.find('#');
  if (mark == std::string_view::npos) return std::string(words);
  return core::text(words.substr(0, mark), value, words.substr(mark + 1));
}

std::string single_text(const FixedSurface& surface, std::uint16_t centre) {
  const auto* level = find_level(surface.type, centre);
  const auto value = surface.value();
  if (level != nullptr) return fill(level->single, number_text(value.value_or(0) / level->divisor));
  if (surface.type < kFirstLocal) return "reserved";
  const auto name = core::text("local level type ", int{surface.type});
  return value ? core::text(name, " ", number_text(*value)) : name;
}

}  // namespace

std::string noaa_level_text(const FixedSurface& first, const FixedSurface& second,
                            std::uint16_t centre) {
  if (first.type == kNoSurface && second.type == kNoSurface) return "no_level";
  if (first.type == 1 && second.type == 8) return "atmos col";
  if (first.type == 9 && second.type == 1) return "ocean column";
  if (first.type == second.type) {
    const auto* level = find_level(first.type, centre);
    if (level != nullptr && !level->layer.empty()) {
      const auto number = [&](const FixedSurface& surface) {
        return number_text(surface.value().value_or(0) / level->divisor);
      };
      return fill(level->layer, core::text(number(first), "-", number(second)));
    }
  }
  if (second.type == kNoSurface) return single_text(first, centre);
  return core::text(single_text(first, centre), " - ", single_text(second, centre));
}

}  // namespace icefield::grib
