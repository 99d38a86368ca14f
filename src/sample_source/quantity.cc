#include "sample_source/quantity.h"

#include "core/text.h"

namespace icefield::sample_source {
namespace {

using enum Shape;
using enum Packing;

/// Numbers of disciplines, categories and parameters from the WMO code tables 0.0, 4.1, 4.2 and,
/// from 192 on, NCEP's local ones. The first row whose element and level fit is taken.
// clang-format off
constexpr Quantity kQuantities[] = {
    // element, levels             table 4.2      D  E reference base span level
    {"4LFTX",  "",                   0,   7, 193,  0, -4,   -12,    0, 512,   0, kSmooth, kOrder2},
    {"ABSV",   "",                   0,   2,  10,  6,  1,     0,    0, 300,   0, kSmooth, kOrder2},
    {"AOTK",   "",                   0,  20, 102,  3,  2,     0,    0, 400,   0, kSmooth, kOrder2},
    {"APCP",   "",                   0,   1,   8,  2,  3,     0,    0, 600,   0, kClipped, kOrder2},
    {"ASNOW",  "",                   0,   1,  29,  3,  0,     0,    0, 600,   0, kClipped, kOrder2},
    {"BGRUN",  "",                   1,   0,   5,  3,  0,     0,    0, 200,   0, kClipped, kOrder2},
    {"CANGLE", "",                   0,   7, 206,  0, -1,     0,    0, 360,   0, kSmooth, kOrder2},
    {"CAPE",   "",                   0,   7,   6,  0,  3,     0,    0, 600,   0, kClipped, kOrder2},
    {"CFNSF",  "",                   0,   4, 199,  0,  0,  -100,    0, 300,   0, kSmooth, kOrder2},
    {"CFRZR",  "",                   0,   1,  34,  0,  0,     0,    0,   1,   0, kBinary, kOrder2},
    {"CICEP",  "",                   0,   1,  35,  0,  0,     0,    0,   1,   0, kBinary, kOrder2},
    {"CIMIXR", "",                   0,   1,  82,  6,  2,     0,    0, 400,   0, kClipped, kOrder2},
    {"CIN",    "",                   0,   7,   7,  0,  0,  -500,    0, 500,   0, kSmooth, kOrder1},
    {"CLMR",   "",                   0,   1,  22,  6,  2,     0,    0, 500,   0, kClipped, kOrder2},
    {"CNWAT",  "",                   2,   0,  13,  3,  0,     0,    0, 500,   0, kClipped, kOrder2},
    {"COLMD",  "",                   0,  20,   1,  6,  0,     0,    0, 500,   0, kSmooth, kOrder2},
    {"CPOFP",  "",                   0,   1,  39,  0, -1,   -50,  100, 200,   0, kFlagged, kOrder2},
    {"CRAIN",  "",                   0,   1,  33,  0,  0,     0,    0,   1,   0, kBinary, kOrder2},
    {"CSNOW",  "",                   0,   1,  36,  0,  0,     0,    0,   1,   0, kBinary, kOrder2},
    {"DLWRF",  "",                   0,   5,   3,  0,  0,   150,    0, 330,   0, kSmooth, kOrder2},
    {"DPT",    " mb",                0,   0,   6,  0, -3,     0, 1960, 400, -14, kFlagged, kOrder2},
    {"DPT",    "",                   0,   0,   6,  0, -3,   245,    0, 400,   0, kSmooth, kOrder2},
    {"DSWRF",  "",                   0,   4,   7,  0,  1,     0,    0, 500,   0, kSmooth, kOrder2},
    {"DZDT",   "",                   0,   2,   9,  0, -7,    -2,    0, 512,   0, kSmooth, kOrder2},
    {"EFHL",   "",                   0,   7, 204,  0,  0,     0,    0, 500,   0, kSmooth, kOrder2},
    {"ESP",    "",                   0,   7, 205,  2,  0,     0,    0, 500,   0, kSmooth, kOrder2},
    {"FRACCC", "",                   0,   6,  32,  2, -2,     0,    0, 400,   0, kClipped, kOrder2},
    {"FRICV",  "",                   0,   2,  30,  3,  1,     0,    0, 500,   0, kSmooth, kOrder2},
    {"FROZR",  "",                   0,   1, 227,  2,  0,     0,    0, 300,   0, kClipped, kOrder2},
    {"FRZR",   "",                   0,   1, 225,  2,  0,     0,    0, 300,   0, kClipped, kOrder2},
    {"GFLUX",  "",                   2,   0,  10,  0,  0,  -200,    0, 400,   0, kSmooth, kOrder2},
    {"GRLE",   "",                   0,   1,  32,  6,  3,     0,    0, 500,   0, kClipped, kOrder2},
    {"GUST",   "",                   0,   2,  22,  0, -4,     0,    0, 640,   0, kSmooth, kOrder2},
    {"HAIL",   "",                   0,   1,  31,  4,  0,     0,    0, 500,   0, kClipped, kOrder2},
    {"HCDC",   "",                   0,   6,   5,  0, -2,     0,    0, 400,   0, kSmooth, kOrder2},
    {"HGT",    " mb",                0,   3,   5,  0,  0,    50,    0, 300, 500, kSmooth, kOrder2},
    {"HGT",    " hybrid level",      0,   3,   5,  0,  0,    10,    0, 300, 400, kSmooth, kOrder2},
    {"HGT",    "surface",            0,   3,   5,  0,  3,   -24,    0, 450,   0, kSmooth, kOrder2},
    {"HGT",    "K level",            0,   3,   5,  0,  4,  1000,    0, 400,   0, kSmooth, kOrder2},
    {"HGT",    "cloud ceiling",      0,   3,   5,  0,  5,    16,    0, 500,   0, kHoles, kManaged2},
    {"HGT",    "cloud base",         0,   3,   5,  0,  5,    16,    0, 500,   0, kHoles, kManaged1},
    {"HGT",    "",                   0,   3,   5,  0,  5,    16,    0, 500,   0, kHoles, kBitmap},
    {"HLCY",   "",                   0,   7,   8,  0,  0,  -100,    0, 600,   0, kSmooth, kOrder1},
    {"HPBL",   "",                   0,   3,  18,  0,  3,     0,    0, 500,   0, kSmooth, kOrder2},
    {"ICEC",   "",                  10,   2,   0,  0,  0,     0,    0,   1,   0, kBinary, kOrder2},
    {"LAI",    "",                   0,   7, 198,  2,  0,     0,    0, 600,   0, kSmooth, kOrder2},
    {"LAND",   "",                   2,   0,   0,  0,  0,     0,    0,   1,   0, kBinary, kOrder2},
    {"LAYTH",  "",                   0,   3, 205,  0,  1,     0,    0, 500,   0, kSmooth, kOrder2},
    {"LCDC",   "",                   0,   6,   3,  0, -2,     0,    0, 400,   0, kSmooth, kOrder2},
    {"LFTX",   "",                   0,   7, 192,  0, -4,   -12,    0, 512,   0, kSmooth, kOrder2},
    {"LHTFL",  "",                   0,   0,  10,  0,  1,   -50,    0, 300,   0, kSmooth, kOrder2},
    {"LTNG",   "",                   0,  17, 192,  0, -4,     0,    0, 160,   0, kClipped, kOrder2},
    {"LTNGSD", "",                   0,  17,   0,  0, -3,     0,    0, 100,   0, kClipped, kOrder2},
    {"MASSDEN","",                   0,  20,   0, 10,  2,     0,    0, 400,   0, kSmooth, kOrder2},
    {"MAXDVV", "",                   0,   2, 221,  0, -4,   -20,    0, 320,   0, kSmooth, kOrder2},
    {"MAXREF", "",                   0,  16, 198,  0, -3,   -10,    0, 560,   0, kClipped, kOrder2},
    {"MAXUVV", "",                   0,   2, 220,  0, -4,     0,    0, 320,   0, kClipped, kOrder2},
    {"MAXUW",  "",                   0,   2, 222,  0, -4,   -20,    0, 640,   0, kSmooth, kOrder2},
    {"MAXVW",  "",                   0,   2, 223,  0, -4,   -20,    0, 640,   0, kSmooth, kOrder2},
    {"MCDC",   "",                   0,   6,   4,  0, -2,     0,    0, 400,   0, kSmooth, kOrder2},
    {"MNUPHL", "",                   0,   7, 200,  0, -2,  -100,    0, 400,   0, kSmooth, kOrder2},
    {"MSLMA",  "",                   0,   3, 198,  0,  3, 98400,    0, 700,   0, kSmooth, kOrder2},
    {"MSTAV",  "",                   2,   0, 194,  0, -2,     0,    0, 400,   0, kSmooth, kComplex},
    {"MXUPHL", "",                   0,   7, 199,  0, -2,     0,    0, 600,   0, kClipped, kOrder2},
    {"NCCICE", "",                   0,   6,  29,  0, 12,     0,    0, 400,   0, kClipped, kOrder2},
    {"NCONCD", "",                   0,   6,  28,  0, 18,     0,    0, 400,   0, kClipped, kOrder2},
    {"PLPL",   "",                   0,   3, 200,  0,  6, 50048,    0, 780,   0, kHoles, kBitmap},
    {"PMTC",   "",                   0,  13, 192,  0, 12,     0,    0, 300,   0, kSmooth, kOrder2},
    {"PMTF",   "",                   0,  13, 193,  0, 20,     0,    0, 300,   0, kSmooth, kOrder2},
    {"POT",    "",                   0,   0,   2,  0, -3,   275,    0, 400,   0, kSmooth, kOrder2},
    {"PRATE",  "",                   0,   1,   7,  5,  1,     0,    0, 500,   0, kClipped, kOrder2},
    {"PRES",   "surface",            0,   3,   0,  0,  6, 60032,    0, 670,   0, kSmooth, kOrder2},
    {"PRES",   " hybrid level",      0,   3,   0,  0,  6, 96000,    0, 100, -29, kSmooth, kOrder2},
    {"PRES",   "cloud base",         0,   3,   0,  0,  6, 30016,    0, 600,   0, kHoles, kManaged2},
    {"PRES",   "",                   0,   3,   0,  0,  6, 30016,    0, 600,   0, kHoles, kSimpleBitmap},
    {"PWAT",   "",                   0,   1,   3,  0, -3,     0,    0, 560,   0, kSmooth, kOrder2},
    {"REFC",   "",                   0,  16, 196,  0, -3,   -10,    0, 560,   0, kClipped, kOrder2},
    {"REFD",   "",                   0,  16, 195,  0, -3,   -10,    0, 560,   0, kClipped, kOrder2},
    {"RELV",   "",                   0,   2,  12,  5,  0,     0,    0, 500,   0, kSmooth, kOrder2},
    {"RETOP",  "",                   0,  16,   3,  0,  4,  -999,  125, 800,   0, kFlagged, kOrder2},
    {"RH",     "",                   0,   1,   1,  0, -2,     0,    0, 400,   0, kSmooth, kOrder1},
    {"RHPW",   "",                   0,   1, 242,  0, -2,     0,    0, 400,   0, kSmooth, kOrder2},
    {"RWMR",   "",                   0,   1,  24,  6,  3,     0,    0, 500,   0, kClipped, kOrder2},
    {"SBT113", "",                   3, 192,   7,  0, -2,   200,    0, 400,   0, kHoles, kBitmap},
    {"SBT114", "",                   3, 192,   8,  0, -2,   200,    0, 400,   0, kHoles, kBitmap},
    {"SBT123", "",                   3, 192,   1,  0, -2,   200,    0, 400,   0, kHoles, kBitmap},
    {"SBT124", "",                   3, 192,   2,  0, -2,   200,    0, 400,   0, kHoles, kBitmap},
    {"SFCR",   "",                   2,   0,   1,  3,  2,     0,    0, 500,   0, kSmooth, kOrder2},
    {"SHTFL",  "",                   0,   0,  11,  0,  1,  -100,    0, 300,   0, kSmooth, kOrder2},
    {"SNMR",   "",                   0,   1,  25,  6,  2,     0,    0, 500,   0, kClipped, kOrder2},
    {"SNOD",   "",                   0,   1,  11,  3,  2,     0,    0, 500,   0, kClipped, kOrder2},
    {"SNOWC",  "",                   0,   1,  42,  0,  0,     0,    0, 100,   0, kBinary, kOrder2},
    {"SPFH",   "",                   0,   1,   0,  5,  2,     0,    0, 500,   0, kSmooth, kOrder2},
    {"SPNCR",  "",                   0,   1, 100,  0,  8,     0,    0, 400,   0, kClipped, kOrder2},
    {"SSRUN",  "",                   1,   0,   6,  2,  0,     0,    0, 500,   0, kClipped, kOrder2},
    {"TCDC",   "",                   0,   6,   1,  0, -2,     0,    0, 400,   0, kSmooth, kOrder2},
    {"TCOLG",  "",                   0,   1,  74,  0, -4,     0,    0, 640,   0, kClipped, kOrder2},
    {"TCOLI",  "",                   0,   1,  70,  3,  2,     0,    0, 500,   0, kClipped, kOrder2},
    {"TCOLW",  "",                   0,   1,  69,  3,  2,     0,    0, 500,   0, kClipped, kOrder2},
    {"TKE",    "",                   0,  19,  11,  2,  0,     0,    0, 500,   0, kClipped, kOrder2},
    {"TMP",    " mb",                0,   0,   0,  0, -3,   245,    0, 400, -14, kSmooth, kOrder2},
    {"TMP",    " hybrid level",      0,   0,   0,  0, -3,   245,    0, 400, -10, kSmooth, kOrder2},
    {"TMP",    "",                   0,   0,   0,  0, -4,   260,    0, 800,   0, kSmooth, kOrder2},
    {"UGRD",   "10 m above ground",  0,   2,   2,  0, -4,   -25,    0, 800,   0, kSmooth, kSimple},
    {"UGRD",   "",                   0,   2,   2,  0, -2,   -40,    0, 320,   0, kSmooth, kOrder2},
    {"ULWRF",  "",                   0,   5,   4,  0,  0,    80,    0, 420,   0, kSmooth, kOrder2},
    {"USTM",   "",                   0,   2, 194,  0, -3,   -25,    0, 400,   0, kSmooth, kOrder2},
    {"USWRF",  "",                   0,   4,   8,  0,  0,     0,    0, 500,   0, kSmooth, kOrder2},
    {"VBDSF",  "",                   0,   4, 200,  0,  1,     0,    0, 450,   0, kSmooth, kOrder2},
    {"VDDSF",  "",                   0,   4, 201,  0,  1,     0,    0, 450,   0, kSmooth, kOrder2},
    {"VEG",    "",                   2,   0,   4,  0, -2,     0,    0, 400,   0, kSmooth, kComplex},
    {"VEGMAX", "",                   2,   0, 232,  0, -2,     0,    0, 400,   0, kSmooth, kOrder2},
    {"VEGMIN", "",                   2,   0, 231,  0, -2,     0,    0, 400,   0, kSmooth, kOrder2},
    {"VGRD",   "10 m above ground",  0,   2,   3,  0, -4,   -25,    0, 800,   0, kSmooth, kSimple},
    {"VGRD",   "",                   0,   2,   3,  0, -2,   -40,    0, 320,   0, kSmooth, kOrder2},
    {"VGTYP",  "",                   2,   0, 198,  0,  0,     1,    0,  19,   0, kSmooth, kOrder2},
    {"VIL",    "",                   0,  15,   3,  0, -3,     0,    0, 480,   0, kClipped, kOrder2},
    {"VIS",    "",                   0,  19,   0,  0,  6,     0,    0, 375,   0, kSmooth, kOrder1},
    {"VSTM",   "",                   0,   2, 195,  0, -3,   -25,    0, 400,   0, kSmooth, kOrder2},
    {"VUCSH",  "",                   0,   2,  15,  0, -4,   -30,    0, 900,   0, kSmooth, kSimple},
    {"VVCSH",  "",                   0,   2,  16,  0, -4,   -30,    0, 900,   0, kSmooth, kSimple},
    {"VVEL",   "",                   0,   2,   8,  0, -4,   -10,    0, 320,   0, kSmooth, kOrder2},
    {"WEASD",  "",                   0,   1,  13,  0, -2,     0,    0, 400,   0, kClipped, kOrder2},
    {"WIND",   "",                   0,   2,   1,  0, -4,     0,    0, 640,   0, kSmooth, kOrder2},
    {"var discipline=0 center=7 local_table=1 parmcat=16 parm=201",
               "",                   0,  16, 201,  0, -3,   -10,    0, 560,   0, kClipped, kOrder2},
};
// clang-format on

bool fits(const Quantity& row, std::string_view element, std::string_view level) {
  return row.element == element && level.ends_with(row.level_ends);
}

}  // namespace

core::Result<Quantity> find_quantity(std::string_view element, std::string_view level) {
  for (const auto& row : kQuantities) {
    if (fits(row, element, level)) return row;
  }
  return core::Error(core::ErrorCode::kNotFound,
                     core::text("no GRIB coding is known for element ", element));
}

}  // namespace icefield::sample_source
