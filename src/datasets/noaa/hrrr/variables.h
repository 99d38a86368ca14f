#pragma once

#include <cstdint>
#include <string_view>

#include "dataset/variable.h"
#include "dataset/vocabulary.h"

/// What HRRR publishes, one row per variable; the same for every forecast length.
namespace icefield::datasets::noaa::hrrr {

// rows of kFileTypes and kGroups
inline constexpr std::uint8_t kSfc = 0, kPrs = 1, kNat = 2;
inline constexpr dataset::GroupIndex kRoot = 0, kPressureLevel = 1, kModelLevel = 2;

// Spellings of other eras and inventory tools; one file carries only one of them.
inline constexpr std::string_view kMnuphlRaw[] = {
    "var discipline=0 center=7 local_table=1 parmcat=7 parm=200"};
inline constexpr std::string_view kVegminRaw[] = {
    "var discipline=2 center=7 local_table=1 parmcat=0 parm=231"};
inline constexpr std::string_view kVegmaxRaw[] = {
    "var discipline=2 center=7 local_table=1 parmcat=0 parm=232"};
inline constexpr std::string_view kEfhlRaw[] = {
    "var discipline=0 center=7 local_table=1 parmcat=7 parm=204"};
inline constexpr std::string_view kCangleRaw[] = {
    "var discipline=0 center=7 local_table=1 parmcat=7 parm=206"};
inline constexpr std::string_view kEspRaw[] = {
    "var discipline=0 center=7 local_table=1 parmcat=7 parm=205"};
inline constexpr std::string_view kTcolwOld[] = {"TCOLWold"};
inline constexpr std::string_view kTcoliOld[] = {"TCOLIold"};
inline constexpr std::string_view kClwmr[] = {"CLWMR"};

inline constexpr std::string_view kNanWithoutEcho = "NaN where no radar echo was detected.";
inline constexpr std::string_view kNanWithoutPrecipitation = "NaN where there is no precipitation.";
inline constexpr std::string_view kNanWithoutCeiling = "NaN where no cloud ceiling was detected.";
inline constexpr std::string_view kNanWithoutCloud = "NaN where no cloud was detected.";
inline constexpr std::string_view kNoYes = "0=no; 1=yes";
inline constexpr std::string_view kLightningThreat1 =
    "GSD maximum lightning threat 1 derived from upward graupel flux, in flashes km-2 (5 "
    "min)-1. Encoded in HRRR GRIB as LTNGSD (lightning strike density) at the pseudo-level "
    "1 m above ground. Before the 2022-06-28T12Z cycle this GRIB slot carried lightning "
    "potential index (J kg-1), a different quantity that is not included.";
inline constexpr std::string_view kLightningThreat2 =
    "GSD maximum lightning threat 2 derived from vertically integrated ice, in flashes "
    "km-2 (5 min)-1. Encoded in HRRR GRIB as LTNGSD (lightning strike density) at the "
    "pseudo-level 2 m above ground. Before the 2022-06-28T12Z cycle this GRIB slot carried "
    "lightning potential index (J kg-1), a different quantity that is not included.";
inline constexpr std::string_view kNearSurfaceSmoke =
    "Near-surface smoke concentration. Source values at init_times before 2021-12-21T18Z "
    "are in ug m-3; NOAA corrected the encoding to kg m-3 from that cycle onward, so "
    "multiply earlier values by 1e-9 to compare.";
inline constexpr std::string_view kLandUse =
    "MODIS-IGBP 20-category land-use classification (WRF MODIFIED_IGBP_MODIS_NOAH), as "
    "used by the HRRR land surface model.";
inline constexpr std::string_view kSmoke =
    "Smoke concentration. Source values at init_times before 2021-12-21T18Z are in ug m-3; "
    "NOAA corrected the encoding to kg m-3 from that cycle onward, so multiply earlier "
    "values by 1e-9 to compare.";
inline constexpr std::string_view kWaterFriendlyAerosol =
    "Climatological water-friendly (hygroscopic) aerosol number concentration from the "
    "Thompson-Eidhammer aerosol-aware microphysics, encoded in HRRR GRIB as PMTF "
    "'Particulate matter (fine)'.";
inline constexpr std::string_view kIceFriendlyAerosol =
    "Climatological ice-friendly (non-hygroscopic, dust-like) aerosol number concentration "
    "from the Thompson-Eidhammer aerosol-aware microphysics, encoded in HRRR GRIB as PMTC "
    "'Particulate matter (coarse)'.";

inline constexpr std::int64_t kTruthValues[] = {0, 1};
inline constexpr dataset::Flags kTruth{kTruthValues, "no yes"};
inline constexpr std::int64_t kLandUseValues[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                  11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
inline constexpr dataset::Flags kLandUseTypes{
    kLandUseValues,
    "evergreen_needleleaf_forest evergreen_broadleaf_forest deciduous_needleleaf_forest "
    "deciduous_broadleaf_forest mixed_forest closed_shrublands open_shrublands "
    "woody_savannas savannas grasslands permanent_wetlands croplands urban_and_built_up "
    "cropland_natural_vegetation_mosaic snow_and_ice barren_or_sparsely_vegetated water "
    "wooded_tundra mixed_tundra barren_tundra"};

// What a reader does to the source's values.
inline constexpr dataset::ScaleOffset kKelvinToCelsius{.offset = -273.15};
inline constexpr dataset::ScaleOffset kMillimetresToMetres{.scale = 1000};
inline constexpr dataset::ScaleOffset kPercentToFraction{.scale = 100};

using enum dataset::StepType;
namespace q = dataset::vocabulary;
inline constexpr dataset::WindowReset kHourly{1};
inline constexpr auto kRunTotal = dataset::kForever;

// clang-format off
inline constexpr dataset::Variable kVariables[] = {
    // quantity, step, {element, level in the index, file type, window reset, other spellings}, group, options
    {&q::kCompositeReflectivity, kInstant, {"REFC", "entire atmosphere", kSfc}},
    {&q::kEchoTop, kInstant, {"RETOP", "cloud top", kSfc}, kRoot, {.fill = -999, .comment = kNanWithoutEcho}},
    {&q::kVerticallyIntegratedLiquidAtmosphere, kInstant, {"VIL", "entire atmosphere", kSfc}},
    {&q::kVisibilitySurface, kInstant, {"VIS", "surface", kSfc}},
    {&q::kDerivedRadarReflectivity1000m, kInstant, {"REFD", "1000 m above ground", kSfc}},
    {&q::kDerivedRadarReflectivity4000m, kInstant, {"REFD", "4000 m above ground", kSfc}},
    {&q::kDerivedRadarReflectivity263k, kInstant, {"REFD", "263 K level", kSfc}},
    {&q::kWindGustSurface, kInstant, {"GUST", "surface", kSfc}},
    {&q::kMaximumUpwardVerticalVelocity100To1000mb, kMax, {"MAXUVV", "100-1000 mb above ground", kSfc, kHourly}},
    {&q::kMaximumDownwardVerticalVelocity100To1000mb, kMax, {"MAXDVV", "100-1000 mb above ground", kSfc, kHourly}},
    {&q::kVerticalVelocityGeometric0p5To0p8Sigma, kAvg, {"DZDT", "0.5-0.8 sigma layer", kSfc, kHourly}},
    {&q::kPressureReducedToMeanSeaLevel, kInstant, {"MSLMA", "mean sea level", kSfc}},
    {&q::kHourlyMaximumRadarReflectivity1000m, kMax, {"MAXREF", "1000 m above ground", kSfc, kHourly}},
    {&q::kMaximumDerivedRadarReflectivity263k, kMax, {"REFD", "263 K level", kSfc, kHourly}},
    {&q::kMaximumUpdraftHelicity5000To2000m, kMax, {"MXUPHL", "5000-2000 m above ground", kSfc, kHourly}},
    {&q::kMinimumUpdraftHelicity5000To2000m, kMin, {"MNUPHL", "5000-2000 m above ground", kSfc, kHourly, kMnuphlRaw}},
    {&q::kMaximumUpdraftHelicity2000To0m, kMax, {"MXUPHL", "2000-0 m above ground", kSfc, kHourly}},
    {&q::kMinimumUpdraftHelicity2000To0m, kMin, {"MNUPHL", "2000-0 m above ground", kSfc, kHourly, kMnuphlRaw}},
    {&q::kMaximumUpdraftHelicity3000To0m, kMax, {"MXUPHL", "3000-0 m above ground", kSfc, kHourly}},
    {&q::kMinimumUpdraftHelicity3000To0m, kMin, {"MNUPHL", "3000-0 m above ground", kSfc, kHourly, kMnuphlRaw}},
    {&q::kMaximumRelativeVorticity2000To0m, kMax, {"RELV", "2000-0 m above ground", kSfc, kHourly}},
    {&q::kMaximumRelativeVorticity1000To0m, kMax, {"RELV", "1000-0 m above ground", kSfc, kHourly}},
    {&q::kMaximumHailDiameterAtmosphere, kMax, {"HAIL", "entire atmosphere", kSfc, kHourly}},
    {&q::kMaximumHailDiameter0p1sigma, kMax, {"HAIL", "0.1 sigma level", kSfc, kHourly}},
    {&q::kMaximumHailDiameterSurface, kMax, {"HAIL", "surface", kSfc, kHourly}},
    {&q::kMaximumColumnIntegratedGraupelAtmosphere, kMax, {"TCOLG", "entire atmosphere (considered as a single layer)", kSfc, kHourly}},
    {&q::kLightningThreat1m, kInstant, {"LTNGSD", "1 m above ground", kSfc}, kRoot, {.comment = kLightningThreat1}},
    {&q::kLightningThreat2m, kInstant, {"LTNGSD", "2 m above ground", kSfc}, kRoot, {.comment = kLightningThreat2}},
    {&q::kLightningAtmosphere, kInstant, {"LTNG", "entire atmosphere", kSfc}},
    {&q::kWindU80m, kInstant, {"UGRD", "80 m above ground", kSfc}},
    {&q::kWindV80m, kInstant, {"VGRD", "80 m above ground", kSfc}},
    {&q::kPressureSurface, kInstant, {"PRES", "surface", kSfc}},
    {&q::kGeopotentialHeightSurface, kInstant, {"HGT", "surface", kSfc}},
    {&q::kTemperatureSurface, kInstant, {"TMP", "surface", kSfc}, kRoot, {.filter = kKelvinToCelsius}},
    {&q::kTotalSnowfallRunTotalSurface, kAccum, {"ASNOW", "surface", kSfc, kRunTotal}},
    {&q::kMoistureAvailability0mUnderground, kInstant, {"MSTAV", "0 m underground", kSfc}},
    {&q::kPlantCanopySurfaceWaterSurface, kInstant, {"CNWAT", "surface", kSfc}},
    {&q::kSnowWaterEquivalentSurface, kInstant, {"WEASD", "surface", kSfc}, kRoot, {.filter = kMillimetresToMetres}},
    {&q::kSnowAreaFractionSurface, kInstant, {"SNOWC", "surface", kSfc}, kRoot, {.filter = kPercentToFraction}},
    {&q::kSnowThicknessSurface, kInstant, {"SNOD", "surface", kSfc}},
    {&q::kTemperature2m, kInstant, {"TMP", "2 m above ground", kSfc}, kRoot, {.filter = kKelvinToCelsius}},
    {&q::kPotentialTemperature2m, kInstant, {"POT", "2 m above ground", kSfc}},
    {&q::kSpecificHumidity2m, kInstant, {"SPFH", "2 m above ground", kSfc}},
    {&q::kDewPointTemperature2m, kInstant, {"DPT", "2 m above ground", kSfc}, kRoot, {.filter = kKelvinToCelsius}},
    {&q::kRelativeHumidity2m, kInstant, {"RH", "2 m above ground", kSfc}},
    {&q::kMassDensity8m, kInstant, {"MASSDEN", "8 m above ground", kSfc}, kRoot, {.comment = kNearSurfaceSmoke}},
    {&q::kWindU10m, kInstant, {"UGRD", "10 m above ground", kSfc}},
    {&q::kWindV10m, kInstant, {"VGRD", "10 m above ground", kSfc}},
    {&q::kMaximumWindSpeed10m, kMax, {"WIND", "10 m above ground", kSfc, kHourly}},
    {&q::kMaximumWindUComponent10m, kMax, {"MAXUW", "10 m above ground", kSfc, kHourly}},
    {&q::kMaximumWindVComponent10m, kMax, {"MAXVW", "10 m above ground", kSfc, kHourly}},
    {&q::kPercentFrozenPrecipitationSurface, kInstant, {"CPOFP", "surface", kSfc}, kRoot, {.fill = -50, .hour_0 = false, .comment = kNanWithoutPrecipitation}},
    {&q::kPrecipitationRateSurface, kInstant, {"PRATE", "surface", kSfc}},
    {&q::kTotalPrecipitationRunTotalSurface, kAccum, {"APCP", "surface", kSfc, kRunTotal}},
    {&q::kSnowfallWaterEquivalentRunTotalSurface, kAccum, {"WEASD", "surface", kSfc, kRunTotal}},
    {&q::kFrozenPrecipitationRunTotalSurface, kAccum, {"FROZR", "surface", kSfc, kRunTotal}},
    {&q::kFreezingRainRunTotalSurface, kAccum, {"FRZR", "surface", kSfc, kRunTotal}},
    {&q::kStormSurfaceRunoffSurface, kAccum, {"SSRUN", "surface", kSfc, kHourly}},
    {&q::kBaseflowGroundwaterRunoffSurface, kAccum, {"BGRUN", "surface", kSfc, kHourly}},
    {&q::kTotalPrecipitationSurface, kAccum, {"APCP", "surface", kSfc, kHourly}},
    {&q::kSnowfallWaterEquivalentSurface, kAccum, {"WEASD", "surface", kSfc, kHourly}},
    {&q::kFrozenPrecipitationSurface, kAccum, {"FROZR", "surface", kSfc, kHourly}},
    {&q::kCategoricalSnowSurface, kInstant, {"CSNOW", "surface", kSfc}, kRoot, {.hour_0 = false, .comment = kNoYes, .flags = kTruth}},
    {&q::kCategoricalIcePelletsSurface, kInstant, {"CICEP", "surface", kSfc}, kRoot, {.hour_0 = false, .comment = kNoYes, .flags = kTruth}},
    {&q::kCategoricalFreezingRainSurface, kInstant, {"CFRZR", "surface", kSfc}, kRoot, {.hour_0 = false, .comment = kNoYes, .flags = kTruth}},
    {&q::kCategoricalRainSurface, kInstant, {"CRAIN", "surface", kSfc}, kRoot, {.hour_0 = false, .comment = kNoYes, .flags = kTruth}},
    {&q::kSurfaceRoughnessSurface, kInstant, {"SFCR", "surface", kSfc}},
    {&q::kFrictionVelocitySurface, kInstant, {"FRICV", "surface", kSfc}},
    {&q::kSensibleHeatFluxSurface, kInstant, {"SHTFL", "surface", kSfc}},
    {&q::kLatentHeatFluxSurface, kInstant, {"LHTFL", "surface", kSfc}},
    {&q::kVegetationSurface, kInstant, {"VEG", "surface", kSfc}},
    {&q::kMinimumVegetationSurface, kInstant, {"VEGMIN", "surface", kSfc, dataset::kNoWindow, kVegminRaw}},
    {&q::kMaximumVegetationSurface, kInstant, {"VEGMAX", "surface", kSfc, dataset::kNoWindow, kVegmaxRaw}},
    {&q::kLeafAreaIndexSurface, kInstant, {"LAI", "surface", kSfc}},
    {&q::kGroundHeatFluxSurface, kInstant, {"GFLUX", "surface", kSfc}},
    {&q::kVegetationTypeSurface, kInstant, {"VGTYP", "surface", kSfc}, kRoot, {.comment = kLandUse, .flags = kLandUseTypes}},
    {&q::kSurfaceLiftedIndex500To1000mb, kInstant, {"LFTX", "500-1000 mb", kSfc}},
    {&q::kConvectiveAvailablePotentialEnergySurface, kInstant, {"CAPE", "surface", kSfc}},
    {&q::kConvectiveInhibitionSurface, kInstant, {"CIN", "surface", kSfc}},
    {&q::kPrecipitableWaterAtmosphere, kInstant, {"PWAT", "entire atmosphere (considered as a single layer)", kSfc}},
    {&q::kAerosolOpticalThicknessAtmosphere, kInstant, {"AOTK", "entire atmosphere (considered as a single layer)", kSfc}},
    {&q::kColumnIntegratedMassDensityAtmosphere, kInstant, {"COLMD", "entire atmosphere (considered as a single layer)", kSfc}},
    {&q::kTotalColumnCloudWaterAtmosphere, kInstant, {"TCOLW", "entire atmosphere", kSfc, dataset::kNoWindow, kTcolwOld}},
    {&q::kTotalColumnCloudIceAtmosphere, kInstant, {"TCOLI", "entire atmosphere", kSfc, dataset::kNoWindow, kTcoliOld}},
    {&q::kTotalCloudCoverBoundaryLayer, kInstant, {"TCDC", "boundary layer cloud layer", kSfc}},
    {&q::kLowCloudCover, kInstant, {"LCDC", "low cloud layer", kSfc}},
    {&q::kMediumCloudCover, kInstant, {"MCDC", "middle cloud layer", kSfc}},
    {&q::kHighCloudCover, kInstant, {"HCDC", "high cloud layer", kSfc}},
    {&q::kTotalCloudCoverAtmosphere, kInstant, {"TCDC", "entire atmosphere", kSfc}},
    {&q::kGeopotentialHeightCloudCeiling, kInstant, {"HGT", "cloud ceiling", kSfc}, kRoot, {.comment = kNanWithoutCeiling}},
    {&q::kGeopotentialHeightCloudBase, kInstant, {"HGT", "cloud base", kSfc}, kRoot, {.comment = kNanWithoutCloud}},
    {&q::kPressureCloudBase, kInstant, {"PRES", "cloud base", kSfc}, kRoot, {.comment = kNanWithoutCloud}},
    {&q::kPressureCloudTop, kInstant, {"PRES", "cloud top", kSfc}, kRoot, {.comment = kNanWithoutCloud}},
    {&q::kGeopotentialHeightCloudTop, kInstant, {"HGT", "cloud top", kSfc}, kRoot, {.comment = kNanWithoutCloud}},
    {&q::kUpwardLongWaveRadiationFluxTopOfAtmosphere, kInstant, {"ULWRF", "top of atmosphere", kSfc}},
    {&q::kDownwardShortWaveRadiationFluxSurface, kInstant, {"DSWRF", "surface", kSfc}},
    {&q::kDownwardLongWaveRadiationFluxSurface, kInstant, {"DLWRF", "surface", kSfc}},
    {&q::kUpwardShortWaveRadiationFluxSurface, kInstant, {"USWRF", "surface", kSfc}},
    {&q::kUpwardLongWaveRadiationFluxSurface, kInstant, {"ULWRF", "surface", kSfc}},
    {&q::kVisibleBeamDownwardSolarFluxSurface, kInstant, {"VBDSF", "surface", kSfc}},
    {&q::kVisibleDiffuseDownwardSolarFluxSurface, kInstant, {"VDDSF", "surface", kSfc}},
    {&q::kUpwardShortWaveRadiationFluxTopOfAtmosphere, kInstant, {"USWRF", "top of atmosphere", kSfc}},
    {&q::kStormRelativeHelicity3000To0m, kInstant, {"HLCY", "3000-0 m above ground", kSfc}},
    {&q::kStormRelativeHelicity1000To0m, kInstant, {"HLCY", "1000-0 m above ground", kSfc}},
    {&q::kUComponentStormMotion0To6000m, kInstant, {"USTM", "0-6000 m above ground", kSfc}},
    {&q::kVComponentStormMotion0To6000m, kInstant, {"VSTM", "0-6000 m above ground", kSfc}},
    {&q::kVerticalUComponentShear0To1000m, kInstant, {"VUCSH", "0-1000 m above ground", kSfc}},
    {&q::kVerticalVComponentShear0To1000m, kInstant, {"VVCSH", "0-1000 m above ground", kSfc}},
    {&q::kVerticalUComponentShear0To6000m, kInstant, {"VUCSH", "0-6000 m above ground", kSfc}},
    {&q::kVerticalVComponentShear0To6000m, kInstant, {"VVCSH", "0-6000 m above ground", kSfc}},
    {&q::kGeopotentialHeight0cIsotherm, kInstant, {"HGT", "0C isotherm", kSfc}},
    {&q::kRelativeHumidity0cIsotherm, kInstant, {"RH", "0C isotherm", kSfc}},
    {&q::kPressure0cIsotherm, kInstant, {"PRES", "0C isotherm", kSfc}},
    {&q::kGeopotentialHeightHighestTroposphericFreezingLevel, kInstant, {"HGT", "highest tropospheric freezing level", kSfc}},
    {&q::kRelativeHumidityHighestTroposphericFreezingLevel, kInstant, {"RH", "highest tropospheric freezing level", kSfc}},
    {&q::kPressureHighestTroposphericFreezingLevel, kInstant, {"PRES", "highest tropospheric freezing level", kSfc}},
    {&q::kGeopotentialHeight263k, kInstant, {"HGT", "263 K level", kSfc}},
    {&q::kGeopotentialHeight253k, kInstant, {"HGT", "253 K level", kSfc}},
    {&q::kBest4LayerLiftedIndex180To0mb, kInstant, {"4LFTX", "180-0 mb above ground", kSfc}},
    {&q::kConvectiveAvailablePotentialEnergy180To0mb, kInstant, {"CAPE", "180-0 mb above ground", kSfc}},
    {&q::kConvectiveInhibition180To0mb, kInstant, {"CIN", "180-0 mb above ground", kSfc}},
    {&q::kPlanetaryBoundaryLayerHeightSurface, kInstant, {"HPBL", "surface", kSfc}},
    {&q::kGeopotentialHeightAdiabaticCondensationLevel, kInstant, {"HGT", "level of adiabatic condensation from sfc", kSfc}},
    {&q::kConvectiveAvailablePotentialEnergy90To0mb, kInstant, {"CAPE", "90-0 mb above ground", kSfc}},
    {&q::kConvectiveInhibition90To0mb, kInstant, {"CIN", "90-0 mb above ground", kSfc}},
    {&q::kConvectiveAvailablePotentialEnergy255To0mb, kInstant, {"CAPE", "255-0 mb above ground", kSfc}},
    {&q::kConvectiveInhibition255To0mb, kInstant, {"CIN", "255-0 mb above ground", kSfc}},
    {&q::kGeopotentialHeightEquilibriumLevel, kInstant, {"HGT", "equilibrium level", kSfc}},
    {&q::kPressureOfLiftedParcelLevel255To0mb, kInstant, {"PLPL", "255-0 mb above ground", kSfc}},
    {&q::kConvectiveAvailablePotentialEnergy0To3000m, kInstant, {"CAPE", "0-3000 m above ground", kSfc}},
    {&q::kGeopotentialHeightLevelOfFreeConvection, kInstant, {"HGT", "level of free convection", kSfc}},
    {&q::kEffectiveLayerHelicitySurface, kInstant, {"EFHL", "surface", kSfc, dataset::kNoWindow, kEfhlRaw}},
    {&q::kCriticalAngle0To500m, kInstant, {"CANGLE", "0-500 m above ground", kSfc, dataset::kNoWindow, kCangleRaw}},
    {&q::kLayerThickness261k256k, kInstant, {"LAYTH", "261 K level - 256 K level", kSfc}},
    {&q::kEnhancedStretchingPotential0To3000m, kInstant, {"ESP", "0-3000 m above ground", kSfc, dataset::kNoWindow, kEspRaw}},
    {&q::kRelativeHumidityWithRespectToPrecipitableWaterAtmosphere, kInstant, {"RHPW", "entire atmosphere", kSfc}},
    {&q::kLandSeaMaskSurface, kInstant, {"LAND", "surface", kSfc}},
    {&q::kIceCoverSurface, kInstant, {"ICEC", "surface", kSfc}},
    {&q::kBrightnessTemperatureChannel123, kInstant, {"SBT123", "top of atmosphere", kSfc}},
    {&q::kBrightnessTemperatureChannel124, kInstant, {"SBT124", "top of atmosphere", kSfc}},
    {&q::kBrightnessTemperatureChannel113, kInstant, {"SBT113", "top of atmosphere", kSfc}},
    {&q::kBrightnessTemperatureChannel114, kInstant, {"SBT114", "top of atmosphere", kSfc}},

    {&q::kAbsoluteVorticity, kInstant, {"ABSV", "{level} mb", kPrs}, kPressureLevel},
    {&q::kCloudIceMixingRatio, kInstant, {"CIMIXR", "{level} mb", kPrs}, kPressureLevel},
    {&q::kCloudMixingRatio, kInstant, {"CLMR", "{level} mb", kPrs, dataset::kNoWindow, kClwmr}, kPressureLevel},
    {&q::kDewPointTemperature, kInstant, {"DPT", "{level} mb", kPrs}, kPressureLevel, {.filter = kKelvinToCelsius, .fill = -273.15}},
    {&q::kGraupel, kInstant, {"GRLE", "{level} mb", kPrs}, kPressureLevel},
    {&q::kGeopotentialHeight, kInstant, {"HGT", "{level} mb", kPrs}, kPressureLevel},
    {&q::kRelativeHumidity, kInstant, {"RH", "{level} mb", kPrs}, kPressureLevel},
    {&q::kRainMixingRatio, kInstant, {"RWMR", "{level} mb", kPrs}, kPressureLevel},
    {&q::kSnowMixingRatio, kInstant, {"SNMR", "{level} mb", kPrs}, kPressureLevel},
    {&q::kSpecificHumidity, kInstant, {"SPFH", "{level} mb", kPrs}, kPressureLevel},
    {&q::kTemperature, kInstant, {"TMP", "{level} mb", kPrs}, kPressureLevel, {.filter = kKelvinToCelsius}},
    {&q::kWindU, kInstant, {"UGRD", "{level} mb", kPrs}, kPressureLevel},
    {&q::kWindV, kInstant, {"VGRD", "{level} mb", kPrs}, kPressureLevel},
    {&q::kVerticalVelocity, kInstant, {"VVEL", "{level} mb", kPrs}, kPressureLevel},

    {&q::kTemperature, kInstant, {"TMP", "{level} hybrid level", kNat}, kModelLevel, {.filter = kKelvinToCelsius}},
    {&q::kSpecificHumidity, kInstant, {"SPFH", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kWindU, kInstant, {"UGRD", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kWindV, kInstant, {"VGRD", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kVerticalVelocity, kInstant, {"VVEL", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kGeopotentialHeight, kInstant, {"HGT", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kPressure, kInstant, {"PRES", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kTurbulentKineticEnergy, kInstant, {"TKE", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kCloudMixingRatio, kInstant, {"CLMR", "{level} hybrid level", kNat, dataset::kNoWindow, kClwmr}, kModelLevel},
    {&q::kCloudIceMixingRatio, kInstant, {"CIMIXR", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kRainMixingRatio, kInstant, {"RWMR", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kSnowMixingRatio, kInstant, {"SNMR", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kGraupel, kInstant, {"GRLE", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kMassDensity, kInstant, {"MASSDEN", "{level} hybrid level", kNat}, kModelLevel, {.comment = kSmoke}},
    {&q::kFractionOfCloudCover, kInstant, {"FRACCC", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kNumberConcentrationCloudIce, kInstant, {"NCCICE", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kNumberConcentrationCloudDroplets, kInstant, {"NCONCD", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kNumberConcentrationRain, kInstant, {"SPNCR", "{level} hybrid level", kNat}, kModelLevel},
    {&q::kNumberConcentrationWaterFriendlyAerosol, kInstant, {"PMTF", "{level} hybrid level", kNat}, kModelLevel, {.comment = kWaterFriendlyAerosol}},
    {&q::kNumberConcentrationIceFriendlyAerosol, kInstant, {"PMTC", "{level} hybrid level", kNat}, kModelLevel, {.comment = kIceFriendlyAerosol}},
};
// clang-format on

}  // namespace icefield::datasets::noaa::hrrr
