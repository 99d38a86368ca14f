#include "grib/scan/product_layout.h"

#include <algorithm>
#include <array>

namespace icefield::grib {
namespace {

// clang-format off
/// Octet numbers of the WMO Manual on Codes, FM 92 GRIB, section 4 templates; ascending.
constexpr std::array kLayouts = {
    //             template proc unit surf memb derv prob perc intv octets
    ProductLayout{    0,     12,  18,  23,   0,   0,   0,   0,   0,  34},  // point in time
    ProductLayout{    1,     12,  18,  23,  35,   0,   0,   0,   0,  37},  // member
    ProductLayout{    2,     12,  18,  23,   0,  35,   0,   0,   0,  36},  // derived
    ProductLayout{    3,     12,  18,  23,   0,  35,   0,   0,   0,  68},  // cluster, rectangle
    ProductLayout{    4,     12,  18,  23,   0,  35,   0,   0,   0,  64},  // cluster, circle
    ProductLayout{    5,     12,  18,  23,   0,   0,  35,   0,   0,  47},  // probability
    ProductLayout{    6,     12,  18,  23,   0,   0,   0,  35,   0,  35},  // percentile
    ProductLayout{    7,     12,  18,  23,   0,   0,   0,   0,   0,  34},  // error
    ProductLayout{    8,     12,  18,  23,   0,   0,   0,   0,  35,  46},  // interval
    ProductLayout{    9,     12,  18,  23,   0,   0,  35,   0,  48,  59},  // probability, interval
    ProductLayout{   10,     12,  18,  23,   0,   0,   0,  35,  36,  47},  // percentile, interval
    ProductLayout{   11,     12,  18,  23,  35,   0,   0,   0,  38,  49},  // member, interval
    ProductLayout{   12,     12,  18,  23,   0,  35,   0,   0,  37,  48},  // derived, interval
    ProductLayout{   13,     12,  18,  23,   0,  35,   0,   0,  69,  80},  // rectangle, interval
    ProductLayout{   14,     12,  18,  23,   0,  35,   0,   0,  65,  76},  // circle, interval
    ProductLayout{   15,     12,  18,  23,   0,   0,   0,   0,   0,  37},  // spatial statistic
    ProductLayout{   20,     12,   0,   0,   0,   0,   0,   0,   0,  43},  // radar
    ProductLayout{   30,     12,   0,   0,   0,   0,   0,   0,   0,  14},  // satellite (deprecated)
    ProductLayout{   31,     12,   0,   0,   0,   0,   0,   0,   0,  14},  // satellite
    ProductLayout{   32,     12,  18,   0,   0,   0,   0,   0,   0,  23},  // simulated satellite
    ProductLayout{   40,     14,  20,  25,   0,   0,   0,   0,   0,  36},  // chemical
    ProductLayout{   41,     14,  20,  25,  37,   0,   0,   0,   0,  39},
    ProductLayout{   42,     14,  20,  25,   0,   0,   0,   0,  37,  48},
    ProductLayout{   43,     14,  20,  25,  37,   0,   0,   0,  40,  51},
    ProductLayout{   44,     25,  31,  36,   0,   0,   0,   0,   0,  45},  // aerosol
    ProductLayout{   45,     25,  31,  36,  48,   0,   0,   0,   0,  50},
    ProductLayout{   46,     25,  31,  36,   0,   0,   0,   0,  48,  59},
    ProductLayout{   47,     25,  31,  36,  48,   0,   0,   0,  51,  62},
    ProductLayout{   48,     36,  42,  47,   0,   0,   0,   0,   0,  58},  // aerosol, optical
    ProductLayout{   49,     36,  42,  47,  59,   0,   0,   0,   0,  61},
    ProductLayout{   51,     12,  18,  23,   0,   0,   0,   0,   0,  35},  // categories
    ProductLayout{   55,     18,  24,  29,   0,   0,   0,   0,   0,  40},  // tiles
    ProductLayout{   56,     18,  24,  29,   0,   0,   0,   0,   0,  42},
    ProductLayout{   59,     18,  24,  29,  41,   0,   0,   0,   0,  43},
    ProductLayout{   60,     12,  18,  23,  35,   0,   0,   0,   0,  44},  // reforecast member
    ProductLayout{   61,     12,  18,  23,  35,   0,   0,   0,  45,  56},
    ProductLayout{   62,     18,  24,  29,   0,   0,   0,   0,  41,  52},  // tiles, interval
    ProductLayout{   63,     18,  24,  29,  41,   0,   0,   0,  44,  55},
    ProductLayout{   70,     17,  23,  28,   0,   0,   0,   0,   0,  39},  // post-processed
    ProductLayout{   71,     17,  23,  28,  40,   0,   0,   0,   0,  42},
    ProductLayout{   72,     17,  23,  28,   0,   0,   0,   0,  40,  51},
    ProductLayout{   73,     17,  23,  28,  40,   0,   0,   0,  43,  54},
    ProductLayout{   76,     15,  21,  26,   0,   0,   0,   0,   0,  37},  // chemical, sources
    ProductLayout{   77,     15,  21,  26,  38,   0,   0,   0,   0,  40},
    ProductLayout{   78,     15,  21,  26,   0,   0,   0,   0,  38,  49},
    ProductLayout{   79,     15,  21,  26,  38,   0,   0,   0,  41,  52},
    ProductLayout{   80,     37,  43,  48,   0,   0,   0,   0,   0,  59},  // optical, sources
    ProductLayout{   81,     37,  43,  48,  60,   0,   0,   0,   0,  62},
    ProductLayout{   82,     26,  32,  37,   0,   0,   0,   0,  49,  60},  // aerosol, sources
    ProductLayout{   83,     26,  32,  37,  49,   0,   0,   0,  52,  63},
    ProductLayout{   84,     26,  32,  37,  49,   0,   0,   0,  52,  63},
    ProductLayout{   85,     25,  31,  36,  48,   0,   0,   0,  51,  62},
    ProductLayout{   86,     12,  18,  23,   0,   0,   0,   0,   0,  38},  // quantile
    ProductLayout{   87,     12,  18,  23,   0,   0,   0,   0,  39,  50},
    ProductLayout{   91,     12,  18,  23,   0,   0,   0,   0,  36,  47},  // categories, interval
    ProductLayout{  103,     23,  29,  34,   0,   0,   0,   0,   0,  45},  // waves by period
    ProductLayout{  104,     23,  29,  34,  46,   0,   0,   0,   0,  48},
    ProductLayout{  105,     12,  18,  23,   0,   0,   0,   0,  35,  46},  // reference period,
    ProductLayout{  106,     12,  18,  23,   0,   0,   0,   0,  35,  46},  //   interval; what the
    ProductLayout{  107,     12,  18,  23,   0,   0,   0,   0,  35,  46},  //   ensemble says comes behind it
    ProductLayout{  108,     23,  29,  34,   0,   0,   0,   0,   0,  45},  // optical
    ProductLayout{  109,     23,  29,  34,  46,   0,   0,   0,   0,  48},
    ProductLayout{  110,     23,  29,  34,   0,   0,   0,   0,  46,  57},
    ProductLayout{  111,     23,  29,  34,  46,   0,   0,   0,  49,  60},
    ProductLayout{  112,     12,  18,  23,   0,   0,   0,   0,  35,  46},  // as 105
    ProductLayout{  128,     12,  18,  23,   0,   0,   0,   0,   0,  34},  // reference period
    ProductLayout{  129,     12,  18,  23,  35,   0,   0,   0,   0,  37},
    ProductLayout{  130,     12,  18,  23,   0,  35,   0,   0,   0,  36},
    ProductLayout{  131,     12,  18,  23,   0,   0,  35,   0,   0,  47},
    ProductLayout{ 1100,     12,  18,  23,   0,   0,   0,   0,   0,  34},  // Hovmoeller
    ProductLayout{ 1101,     12,  18,  23,   0,   0,   0,   0,  35,  46},
};
// clang-format on
static_assert(std::ranges::is_sorted(kLayouts, {}, &ProductLayout::template_number));

constexpr std::array kConstituents = {
    ConstituentLayout{40, 43, 0, 0, 0},    // chemical
    ConstituentLayout{44, 47, 0, 14, 0},   // aerosol
    ConstituentLayout{48, 49, 0, 14, 25},  // aerosol, optical
    ConstituentLayout{76, 79, 14, 0, 0},   // chemical, sources
    ConstituentLayout{80, 81, 14, 15, 26}, ConstituentLayout{82, 84, 14, 15, 0},
    ConstituentLayout{85, 85, 0, 14, 0},
};

}  // namespace

const ConstituentLayout* find_constituent_layout(std::uint16_t number) {
  const auto* const found = std::ranges::find_if(kConstituents, [number](const auto& layout) {
    return layout.first <= number && number <= layout.last;
  });
  return found == kConstituents.end() ? nullptr : found;
}

const ProductLayout* find_product_layout(std::uint16_t number) {
  const auto* const found =
      std::ranges::lower_bound(kLayouts, number, {}, &ProductLayout::template_number);
  return found == kLayouts.end() || found->template_number != number ? nullptr : found;
}

}  // namespace icefield::grib
