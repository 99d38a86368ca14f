#pragma once

#include "dataset/quantity.h"

/// Every quantity that any dataset publishes, one row each. A variable that occurs in several
/// datasets has the same row in all; what differs (comment, step type, source) stands in the
/// dataset's own table. Names of vertical groups' variables carry no level.
namespace icefield::dataset::vocabulary {

// clang-format off
//                    constant      name, long name, short name, CF standard name, units

// single levels
inline constexpr Quantity kCompositeReflectivity{"composite_reflectivity", "Maximum/Composite radar reflectivity", "refc", "equivalent_reflectivity_factor", "dBZ"};
inline constexpr Quantity kEchoTop{"echo_top", "Echo top", "retop", "", "m"};
inline constexpr Quantity kVerticallyIntegratedLiquidAtmosphere{"vertically_integrated_liquid_atmosphere", "Vertically-integrated liquid", "veril", "", "kg m-2"};
inline constexpr Quantity kVisibilitySurface{"visibility_surface", "Visibility", "vis", "visibility_in_air", "m"};
inline constexpr Quantity kDerivedRadarReflectivity1000m{"derived_radar_reflectivity_1000m", "Derived radar reflectivity", "refd", "equivalent_reflectivity_factor", "dBZ"};
inline constexpr Quantity kDerivedRadarReflectivity4000m{"derived_radar_reflectivity_4000m", "Derived radar reflectivity", "refd", "equivalent_reflectivity_factor", "dBZ"};
inline constexpr Quantity kDerivedRadarReflectivity263k{"derived_radar_reflectivity_263k", "Derived radar reflectivity", "refd", "equivalent_reflectivity_factor", "dBZ"};
inline constexpr Quantity kWindGustSurface{"wind_gust_surface", "Wind speed (gust)", "gust", "wind_speed_of_gust", "m s-1"};
inline constexpr Quantity kMaximumUpwardVerticalVelocity100To1000mb{"maximum_upward_vertical_velocity_100_1000mb", "Maximum upward vertical velocity", "maxuvv", "upward_air_velocity", "m s-1"};
inline constexpr Quantity kMaximumDownwardVerticalVelocity100To1000mb{"maximum_downward_vertical_velocity_100_1000mb", "Maximum downward vertical velocity", "maxdvv", "", "m s-1"};
inline constexpr Quantity kVerticalVelocityGeometric0p5To0p8Sigma{"vertical_velocity_geometric_0p5_0p8_sigma", "Vertical velocity (geometric)", "dzdt", "upward_air_velocity", "m s-1"};
inline constexpr Quantity kPressureReducedToMeanSeaLevel{"pressure_reduced_to_mean_sea_level", "Pressure reduced to MSL", "prmsl", "air_pressure_at_mean_sea_level", "Pa"};
inline constexpr Quantity kHourlyMaximumRadarReflectivity1000m{"hourly_maximum_radar_reflectivity_1000m", "Hourly maximum of simulated reflectivity", "maxref", "equivalent_reflectivity_factor", "dBZ"};
inline constexpr Quantity kMaximumDerivedRadarReflectivity263k{"maximum_derived_radar_reflectivity_263k", "Derived radar reflectivity", "refd", "equivalent_reflectivity_factor", "dBZ"};
inline constexpr Quantity kMaximumUpdraftHelicity5000To2000m{"maximum_updraft_helicity_5000_2000m", "Updraft Helicity", "uphl", "", "m2 s-2"};
inline constexpr Quantity kMinimumUpdraftHelicity5000To2000m{"minimum_updraft_helicity_5000_2000m", "Minimum updraft helicity", "mnuphl", "", "m2 s-2"};
inline constexpr Quantity kMaximumUpdraftHelicity2000To0m{"maximum_updraft_helicity_2000_0m", "Updraft Helicity", "uphl", "", "m2 s-2"};
inline constexpr Quantity kMinimumUpdraftHelicity2000To0m{"minimum_updraft_helicity_2000_0m", "Minimum updraft helicity", "mnuphl", "", "m2 s-2"};
inline constexpr Quantity kMaximumUpdraftHelicity3000To0m{"maximum_updraft_helicity_3000_0m", "Updraft Helicity", "uphl", "", "m2 s-2"};
inline constexpr Quantity kMinimumUpdraftHelicity3000To0m{"minimum_updraft_helicity_3000_0m", "Minimum updraft helicity", "mnuphl", "", "m2 s-2"};
inline constexpr Quantity kMaximumRelativeVorticity2000To0m{"maximum_relative_vorticity_2000_0m", "Vorticity (relative)", "vo", "atmosphere_upward_relative_vorticity", "s-1"};
inline constexpr Quantity kMaximumRelativeVorticity1000To0m{"maximum_relative_vorticity_1000_0m", "Vorticity (relative)", "vo", "atmosphere_upward_relative_vorticity", "s-1"};
inline constexpr Quantity kMaximumHailDiameterAtmosphere{"maximum_hail_diameter_atmosphere", "Hail", "hail", "", "m"};
inline constexpr Quantity kMaximumHailDiameter0p1sigma{"maximum_hail_diameter_0p1sigma", "Hail", "hail", "", "m"};
inline constexpr Quantity kMaximumHailDiameterSurface{"maximum_hail_diameter_surface", "Hail", "hail", "", "m"};
inline constexpr Quantity kMaximumColumnIntegratedGraupelAtmosphere{"maximum_column_integrated_graupel_atmosphere", "Total column vertically-integrated graupel (snow pellets)", "tcolg", "atmosphere_mass_content_of_graupel", "kg m-2"};
inline constexpr Quantity kLightningThreat1m{"lightning_threat_1m", "Maximum lightning threat 1 (graupel flux)", "ltngsd", "", "1"};
inline constexpr Quantity kLightningThreat2m{"lightning_threat_2m", "Maximum lightning threat 2 (vertically integrated ice)", "ltngsd", "", "1"};
inline constexpr Quantity kLightningAtmosphere{"lightning_atmosphere", "Lightning", "ltng", "", "1"};
inline constexpr Quantity kWindU80m{"wind_u_80m", "80 metre U wind component", "80u", "eastward_wind", "m s-1"};
inline constexpr Quantity kWindV80m{"wind_v_80m", "80 metre V wind component", "80v", "northward_wind", "m s-1"};
inline constexpr Quantity kPressureSurface{"pressure_surface", "Surface pressure", "sp", "surface_air_pressure", "Pa"};
inline constexpr Quantity kGeopotentialHeightSurface{"geopotential_height_surface", "Geopotential height", "gh", "geopotential_height", "m"};
inline constexpr Quantity kTemperatureSurface{"temperature_surface", "Temperature", "t", "air_temperature", "degree_Celsius"};
inline constexpr Quantity kTotalSnowfallRunTotalSurface{"total_snowfall_run_total_surface", "Total snowfall", "asnow", "thickness_of_snowfall_amount", "m"};
inline constexpr Quantity kMoistureAvailability0mUnderground{"moisture_availability_0m_underground", "Moisture availability", "mstav", "", "percent"};
inline constexpr Quantity kPlantCanopySurfaceWaterSurface{"plant_canopy_surface_water_surface", "Plant canopy surface water", "cnwat", "canopy_water_amount", "kg m-2"};
inline constexpr Quantity kSnowWaterEquivalentSurface{"snow_water_equivalent_surface", "Snow depth water equivalent", "sd", "lwe_thickness_of_surface_snow_amount", "m"};
inline constexpr Quantity kSnowAreaFractionSurface{"snow_area_fraction_surface", "Snow cover", "snowc", "surface_snow_area_fraction", "1"};
inline constexpr Quantity kSnowThicknessSurface{"snow_thickness_surface", "Snow depth", "sde", "surface_snow_thickness", "m"};
inline constexpr Quantity kTemperature2m{"temperature_2m", "2 metre temperature", "2t", "air_temperature", "degree_Celsius"};
inline constexpr Quantity kPotentialTemperature2m{"potential_temperature_2m", "Potential temperature", "pt", "air_potential_temperature", "K"};
inline constexpr Quantity kSpecificHumidity2m{"specific_humidity_2m", "Specific humidity", "q", "specific_humidity", "1"};
inline constexpr Quantity kDewPointTemperature2m{"dew_point_temperature_2m", "2 metre dewpoint temperature", "2d", "dew_point_temperature", "degree_Celsius"};
inline constexpr Quantity kRelativeHumidity2m{"relative_humidity_2m", "2 metre relative humidity", "2r", "relative_humidity", "percent"};
inline constexpr Quantity kMassDensity8m{"mass_density_8m", "Mass density", "mdens", "", "kg m-3"};
inline constexpr Quantity kWindU10m{"wind_u_10m", "10 metre U wind component", "10u", "eastward_wind", "m s-1"};
inline constexpr Quantity kWindV10m{"wind_v_10m", "10 metre V wind component", "10v", "northward_wind", "m s-1"};
inline constexpr Quantity kMaximumWindSpeed10m{"maximum_wind_speed_10m", "Time-maximum 10 metre wind speed", "max_10si", "wind_speed", "m s-1"};
inline constexpr Quantity kMaximumWindUComponent10m{"maximum_wind_u_component_10m", "Maximum 10 metre wind speed u component", "maxuw", "", "m s-1"};
inline constexpr Quantity kMaximumWindVComponent10m{"maximum_wind_v_component_10m", "Maximum 10 metre wind speed v component", "maxvw", "", "m s-1"};
inline constexpr Quantity kPercentFrozenPrecipitationSurface{"percent_frozen_precipitation_surface", "Percent frozen precipitation", "cpofp", "", "percent"};
inline constexpr Quantity kPrecipitationRateSurface{"precipitation_rate_surface", "Precipitation rate", "prate", "precipitation_flux", "kg m-2 s-1"};
inline constexpr Quantity kTotalPrecipitationRunTotalSurface{"total_precipitation_run_total_surface", "Total precipitation", "tp", "precipitation_amount", "kg m-2"};
inline constexpr Quantity kSnowfallWaterEquivalentRunTotalSurface{"snowfall_water_equivalent_run_total_surface", "Snowfall water equivalent", "sf", "snowfall_amount", "kg m-2"};
inline constexpr Quantity kFrozenPrecipitationRunTotalSurface{"frozen_precipitation_run_total_surface", "Frozen precipitation", "frozr", "", "kg m-2"};
inline constexpr Quantity kFreezingRainRunTotalSurface{"freezing_rain_run_total_surface", "Freezing Rain", "frzr", "", "kg m-2"};
inline constexpr Quantity kStormSurfaceRunoffSurface{"storm_surface_runoff_surface", "Storm surface runoff", "ssrun", "surface_runoff_amount", "kg m-2"};
inline constexpr Quantity kBaseflowGroundwaterRunoffSurface{"baseflow_groundwater_runoff_surface", "Baseflow-groundwater runoff", "bgrun", "subsurface_runoff_amount", "kg m-2"};
inline constexpr Quantity kTotalPrecipitationSurface{"total_precipitation_surface", "Total precipitation", "tp", "precipitation_amount", "kg m-2"};
inline constexpr Quantity kSnowfallWaterEquivalentSurface{"snowfall_water_equivalent_surface", "Snowfall water equivalent", "sf", "snowfall_amount", "kg m-2"};
inline constexpr Quantity kFrozenPrecipitationSurface{"frozen_precipitation_surface", "Frozen precipitation", "frozr", "", "kg m-2"};
inline constexpr Quantity kCategoricalSnowSurface{"categorical_snow_surface", "Categorical snow", "csnow", "", "1"};
inline constexpr Quantity kCategoricalIcePelletsSurface{"categorical_ice_pellets_surface", "Categorical ice pellets", "cicep", "", "1"};
inline constexpr Quantity kCategoricalFreezingRainSurface{"categorical_freezing_rain_surface", "Categorical freezing rain", "cfrzr", "", "1"};
inline constexpr Quantity kCategoricalRainSurface{"categorical_rain_surface", "Categorical rain", "crain", "", "1"};
inline constexpr Quantity kSurfaceRoughnessSurface{"surface_roughness_surface", "Forecast surface roughness", "fsr", "surface_roughness_length", "m"};
inline constexpr Quantity kFrictionVelocitySurface{"friction_velocity_surface", "Friction velocity", "zust", "magnitude_of_surface_friction_velocity_in_air", "m s-1"};
inline constexpr Quantity kSensibleHeatFluxSurface{"sensible_heat_flux_surface", "Sensible heat flux", "shf", "surface_upward_sensible_heat_flux", "W m-2"};
inline constexpr Quantity kLatentHeatFluxSurface{"latent_heat_flux_surface", "Latent heat flux", "lhf", "surface_upward_latent_heat_flux", "W m-2"};
inline constexpr Quantity kVegetationSurface{"vegetation_surface", "Vegetation fraction", "veg", "vegetation_area_fraction", "percent"};
inline constexpr Quantity kMinimumVegetationSurface{"minimum_vegetation_surface", "Minimum vegetation fraction", "vegmin", "vegetation_area_fraction", "percent"};
inline constexpr Quantity kMaximumVegetationSurface{"maximum_vegetation_surface", "Maximum vegetation fraction", "vegmax", "vegetation_area_fraction", "percent"};
inline constexpr Quantity kLeafAreaIndexSurface{"leaf_area_index_surface", "Leaf Area Index", "lai", "leaf_area_index", "1"};
inline constexpr Quantity kGroundHeatFluxSurface{"ground_heat_flux_surface", "Ground heat flux", "gflux", "upward_heat_flux_at_ground_level_in_soil", "W m-2"};
inline constexpr Quantity kVegetationTypeSurface{"vegetation_type_surface", "Vegetation Type", "vgtyp", "", "1"};
inline constexpr Quantity kSurfaceLiftedIndex500To1000mb{"surface_lifted_index_500_1000mb", "Surface lifted index", "lftx", "temperature_difference_between_ambient_air_and_air_lifted_adiabatically_from_the_surface", "K"};
inline constexpr Quantity kConvectiveAvailablePotentialEnergySurface{"convective_available_potential_energy_surface", "Convective available potential energy", "cape", "atmosphere_convective_available_potential_energy", "J kg-1"};
inline constexpr Quantity kConvectiveInhibitionSurface{"convective_inhibition_surface", "Convective inhibition", "cin", "atmosphere_convective_inhibition", "J kg-1"};
inline constexpr Quantity kPrecipitableWaterAtmosphere{"precipitable_water_atmosphere", "Precipitable water", "pwat", "atmosphere_mass_content_of_water_vapor", "kg m-2"};
inline constexpr Quantity kAerosolOpticalThicknessAtmosphere{"aerosol_optical_thickness_atmosphere", "Aerosol optical thickness", "aotk", "atmosphere_optical_thickness_due_to_ambient_aerosol_particles", "1"};
inline constexpr Quantity kColumnIntegratedMassDensityAtmosphere{"column_integrated_mass_density_atmosphere", "Column-integrated mass density", "colmd", "", "kg m-2"};
inline constexpr Quantity kTotalColumnCloudWaterAtmosphere{"total_column_cloud_water_atmosphere", "Total column-integrated cloud water", "tcolw", "atmosphere_mass_content_of_cloud_liquid_water", "kg m-2"};
inline constexpr Quantity kTotalColumnCloudIceAtmosphere{"total_column_cloud_ice_atmosphere", "Total column-integrated cloud ice", "tcoli", "atmosphere_mass_content_of_cloud_ice", "kg m-2"};
inline constexpr Quantity kTotalCloudCoverBoundaryLayer{"total_cloud_cover_boundary_layer", "Total cloud cover", "tcc", "cloud_area_fraction_in_atmosphere_layer", "percent"};
inline constexpr Quantity kLowCloudCover{"low_cloud_cover", "Low cloud cover", "lcc", "cloud_area_fraction_in_atmosphere_layer", "percent"};
inline constexpr Quantity kMediumCloudCover{"medium_cloud_cover", "Medium cloud cover", "mcc", "cloud_area_fraction_in_atmosphere_layer", "percent"};
inline constexpr Quantity kHighCloudCover{"high_cloud_cover", "High cloud cover", "hcc", "cloud_area_fraction_in_atmosphere_layer", "percent"};
inline constexpr Quantity kTotalCloudCoverAtmosphere{"total_cloud_cover_atmosphere", "Total cloud cover", "tcc", "cloud_area_fraction", "percent"};
inline constexpr Quantity kGeopotentialHeightCloudCeiling{"geopotential_height_cloud_ceiling", "Geopotential height", "gh", "geopotential_height", "m"};
inline constexpr Quantity kGeopotentialHeightCloudBase{"geopotential_height_cloud_base", "Geopotential height", "gh", "geopotential_height", "m"};
inline constexpr Quantity kPressureCloudBase{"pressure_cloud_base", "Pressure", "pres", "air_pressure_at_cloud_base", "Pa"};
inline constexpr Quantity kPressureCloudTop{"pressure_cloud_top", "Pressure", "pres", "air_pressure_at_cloud_top", "Pa"};
inline constexpr Quantity kGeopotentialHeightCloudTop{"geopotential_height_cloud_top", "Geopotential height", "gh", "geopotential_height_at_cloud_top", "m"};
inline constexpr Quantity kUpwardLongWaveRadiationFluxTopOfAtmosphere{"upward_long_wave_radiation_flux_top_of_atmosphere", "Upward long-wave radiation flux", "ulwrf", "toa_outgoing_longwave_flux", "W m-2"};
inline constexpr Quantity kDownwardShortWaveRadiationFluxSurface{"downward_short_wave_radiation_flux_surface", "Surface downward short-wave radiation flux", "sdswrf", "surface_downwelling_shortwave_flux_in_air", "W m-2"};
inline constexpr Quantity kDownwardLongWaveRadiationFluxSurface{"downward_long_wave_radiation_flux_surface", "Surface downward long-wave radiation flux", "sdlwrf", "surface_downwelling_longwave_flux_in_air", "W m-2"};
inline constexpr Quantity kUpwardShortWaveRadiationFluxSurface{"upward_short_wave_radiation_flux_surface", "Surface upward short-wave radiation flux", "suswrf", "surface_upwelling_shortwave_flux_in_air", "W m-2"};
inline constexpr Quantity kUpwardLongWaveRadiationFluxSurface{"upward_long_wave_radiation_flux_surface", "Surface upward long-wave radiation flux", "sulwrf", "surface_upwelling_longwave_flux_in_air", "W m-2"};
inline constexpr Quantity kVisibleBeamDownwardSolarFluxSurface{"visible_beam_downward_solar_flux_surface", "Visible Beam Downward Solar Flux", "vbdsf", "", "W m-2"};
inline constexpr Quantity kVisibleDiffuseDownwardSolarFluxSurface{"visible_diffuse_downward_solar_flux_surface", "Visible Diffuse Downward Solar Flux", "vddsf", "", "W m-2"};
inline constexpr Quantity kUpwardShortWaveRadiationFluxTopOfAtmosphere{"upward_short_wave_radiation_flux_top_of_atmosphere", "Upward short-wave radiation flux", "uswrf", "toa_outgoing_shortwave_flux", "W m-2"};
inline constexpr Quantity kStormRelativeHelicity3000To0m{"storm_relative_helicity_3000_0m", "Storm relative helicity", "hlcy", "", "m2 s-2"};
inline constexpr Quantity kStormRelativeHelicity1000To0m{"storm_relative_helicity_1000_0m", "Storm relative helicity", "hlcy", "", "m2 s-2"};
inline constexpr Quantity kUComponentStormMotion0To6000m{"u_component_storm_motion_0_6000m", "U-component storm motion", "ustm", "", "m s-1"};
inline constexpr Quantity kVComponentStormMotion0To6000m{"v_component_storm_motion_0_6000m", "V-component storm motion", "vstm", "", "m s-1"};
inline constexpr Quantity kVerticalUComponentShear0To1000m{"vertical_u_component_shear_0_1000m", "Vertical u-component shear", "vucsh", "", "m s-1"};
inline constexpr Quantity kVerticalVComponentShear0To1000m{"vertical_v_component_shear_0_1000m", "Vertical v-component shear", "vvcsh", "", "m s-1"};
inline constexpr Quantity kVerticalUComponentShear0To6000m{"vertical_u_component_shear_0_6000m", "Vertical u-component shear", "vucsh", "", "m s-1"};
inline constexpr Quantity kVerticalVComponentShear0To6000m{"vertical_v_component_shear_0_6000m", "Vertical v-component shear", "vvcsh", "", "m s-1"};
inline constexpr Quantity kGeopotentialHeight0cIsotherm{"geopotential_height_0c_isotherm", "Geopotential height", "gh", "geopotential_height", "m"};
inline constexpr Quantity kRelativeHumidity0cIsotherm{"relative_humidity_0c_isotherm", "Relative humidity", "r", "relative_humidity", "percent"};
inline constexpr Quantity kPressure0cIsotherm{"pressure_0c_isotherm", "Pressure", "pres", "air_pressure", "Pa"};
inline constexpr Quantity kGeopotentialHeightHighestTroposphericFreezingLevel{"geopotential_height_highest_tropospheric_freezing_level", "Geopotential height", "gh", "geopotential_height", "m"};
inline constexpr Quantity kRelativeHumidityHighestTroposphericFreezingLevel{"relative_humidity_highest_tropospheric_freezing_level", "Relative humidity", "r", "relative_humidity", "percent"};
inline constexpr Quantity kPressureHighestTroposphericFreezingLevel{"pressure_highest_tropospheric_freezing_level", "Pressure", "pres", "air_pressure", "Pa"};
inline constexpr Quantity kGeopotentialHeight263k{"geopotential_height_263k", "Geopotential height", "gh", "geopotential_height", "m"};
inline constexpr Quantity kGeopotentialHeight253k{"geopotential_height_253k", "Geopotential height", "gh", "geopotential_height", "m"};
inline constexpr Quantity kBest4LayerLiftedIndex180To0mb{"best_4_layer_lifted_index_180_0mb", "Best (4-layer) lifted index", "4lftx", "temperature_difference_between_ambient_air_and_air_lifted_adiabatically", "K"};
inline constexpr Quantity kConvectiveAvailablePotentialEnergy180To0mb{"convective_available_potential_energy_180_0mb", "Convective available potential energy", "cape", "atmosphere_convective_available_potential_energy", "J kg-1"};
inline constexpr Quantity kConvectiveInhibition180To0mb{"convective_inhibition_180_0mb", "Convective inhibition", "cin", "atmosphere_convective_inhibition", "J kg-1"};
inline constexpr Quantity kPlanetaryBoundaryLayerHeightSurface{"planetary_boundary_layer_height_surface", "Boundary layer height", "blh", "atmosphere_boundary_layer_thickness", "m"};
inline constexpr Quantity kGeopotentialHeightAdiabaticCondensationLevel{"geopotential_height_adiabatic_condensation_level", "Geopotential height", "gh", "geopotential_height", "m"};
inline constexpr Quantity kConvectiveAvailablePotentialEnergy90To0mb{"convective_available_potential_energy_90_0mb", "Convective available potential energy", "cape", "atmosphere_convective_available_potential_energy", "J kg-1"};
inline constexpr Quantity kConvectiveInhibition90To0mb{"convective_inhibition_90_0mb", "Convective inhibition", "cin", "atmosphere_convective_inhibition", "J kg-1"};
inline constexpr Quantity kConvectiveAvailablePotentialEnergy255To0mb{"convective_available_potential_energy_255_0mb", "Convective available potential energy", "cape", "atmosphere_convective_available_potential_energy", "J kg-1"};
inline constexpr Quantity kConvectiveInhibition255To0mb{"convective_inhibition_255_0mb", "Convective inhibition", "cin", "atmosphere_convective_inhibition", "J kg-1"};
inline constexpr Quantity kGeopotentialHeightEquilibriumLevel{"geopotential_height_equilibrium_level", "Geopotential height", "gh", "geopotential_height", "m"};
inline constexpr Quantity kPressureOfLiftedParcelLevel255To0mb{"pressure_of_lifted_parcel_level_255_0mb", "Pressure of level from which parcel was lifted", "plpl", "original_air_pressure_of_lifted_parcel", "Pa"};
inline constexpr Quantity kConvectiveAvailablePotentialEnergy0To3000m{"convective_available_potential_energy_0_3000m", "Convective available potential energy", "cape", "atmosphere_convective_available_potential_energy", "J kg-1"};
inline constexpr Quantity kGeopotentialHeightLevelOfFreeConvection{"geopotential_height_level_of_free_convection", "Geopotential height", "gh", "geopotential_height", "m"};
inline constexpr Quantity kEffectiveLayerHelicitySurface{"effective_layer_helicity_surface", "Effective layer helicity", "efhl", "", "m2 s-2"};
inline constexpr Quantity kCriticalAngle0To500m{"critical_angle_0_500m", "Critical angle", "cangle", "", "degree"};
inline constexpr Quantity kLayerThickness261k256k{"layer_thickness_261k_256k", "Layer Thickness", "layth", "", "m"};
inline constexpr Quantity kEnhancedStretchingPotential0To3000m{"enhanced_stretching_potential_0_3000m", "Enhanced stretching potential", "esp", "", "1"};
inline constexpr Quantity kRelativeHumidityWithRespectToPrecipitableWaterAtmosphere{"relative_humidity_with_respect_to_precipitable_water_atmosphere", "Relative humidity with respect to precipitable water", "rhpw", "", "percent"};
inline constexpr Quantity kLandSeaMaskSurface{"land_sea_mask_surface", "Land-sea mask", "lsm", "land_binary_mask", "1"};
inline constexpr Quantity kIceCoverSurface{"ice_cover_surface", "Ice cover (1=ice, 0=no ice)", "icec", "sea_ice_area_fraction", "1"};
inline constexpr Quantity kBrightnessTemperatureChannel123{"brightness_temperature_channel_123", "Simulated brightness temperature (channel 123)", "sbt123", "toa_brightness_temperature", "K"};
inline constexpr Quantity kBrightnessTemperatureChannel124{"brightness_temperature_channel_124", "Simulated brightness temperature (channel 124)", "sbt124", "toa_brightness_temperature", "K"};
inline constexpr Quantity kBrightnessTemperatureChannel113{"brightness_temperature_channel_113", "Simulated brightness temperature (channel 113)", "sbt113", "toa_brightness_temperature", "K"};
inline constexpr Quantity kBrightnessTemperatureChannel114{"brightness_temperature_channel_114", "Simulated brightness temperature (channel 114)", "sbt114", "toa_brightness_temperature", "K"};

// vertical groups
inline constexpr Quantity kAbsoluteVorticity{"absolute_vorticity", "Absolute vorticity", "absv", "atmosphere_upward_absolute_vorticity", "s-1"};
inline constexpr Quantity kCloudIceMixingRatio{"cloud_ice_mixing_ratio", "Cloud ice mixing ratio", "cdcimr", "cloud_ice_mixing_ratio", "kg kg-1"};
inline constexpr Quantity kCloudMixingRatio{"cloud_mixing_ratio", "Cloud mixing ratio", "clwmr", "cloud_liquid_water_mixing_ratio", "kg kg-1"};
inline constexpr Quantity kDewPointTemperature{"dew_point_temperature", "Dew point temperature", "dpt", "dew_point_temperature", "degree_Celsius"};
inline constexpr Quantity kGraupel{"graupel", "Graupel (snow pellets)", "grle", "", "kg kg-1"};
inline constexpr Quantity kGeopotentialHeight{"geopotential_height", "Geopotential height", "gh", "geopotential_height", "m"};
inline constexpr Quantity kRelativeHumidity{"relative_humidity", "Relative humidity", "r", "relative_humidity", "percent"};
inline constexpr Quantity kRainMixingRatio{"rain_mixing_ratio", "Rain mixing ratio", "rwmr", "", "kg kg-1"};
inline constexpr Quantity kSnowMixingRatio{"snow_mixing_ratio", "Snow mixing ratio", "snmr", "", "kg kg-1"};
inline constexpr Quantity kSpecificHumidity{"specific_humidity", "Specific humidity", "q", "specific_humidity", "1"};
inline constexpr Quantity kTemperature{"temperature", "Temperature", "t", "air_temperature", "degree_Celsius"};
inline constexpr Quantity kWindU{"wind_u", "U component of wind", "u", "eastward_wind", "m s-1"};
inline constexpr Quantity kWindV{"wind_v", "V component of wind", "v", "northward_wind", "m s-1"};
inline constexpr Quantity kVerticalVelocity{"vertical_velocity", "Vertical velocity", "w", "lagrangian_tendency_of_air_pressure", "Pa s-1"};
inline constexpr Quantity kPressure{"pressure", "Pressure", "pres", "air_pressure", "Pa"};
inline constexpr Quantity kTurbulentKineticEnergy{"turbulent_kinetic_energy", "Turbulent kinetic energy", "tke", "specific_turbulent_kinetic_energy_of_air", "J kg-1"};
inline constexpr Quantity kMassDensity{"mass_density", "Mass density", "mdens", "", "kg m-3"};
inline constexpr Quantity kFractionOfCloudCover{"fraction_of_cloud_cover", "Cloud cover", "ccl", "cloud_area_fraction_in_atmosphere_layer", "1"};
inline constexpr Quantity kNumberConcentrationCloudIce{"number_concentration_cloud_ice", "Number concentration of cloud ice", "nccice", "", "kg-1"};
inline constexpr Quantity kNumberConcentrationCloudDroplets{"number_concentration_cloud_droplets", "Number concentration of cloud droplets", "nconcd", "", "kg-1"};
inline constexpr Quantity kNumberConcentrationRain{"number_concentration_rain", "Number concentration of rain", "spncr", "", "kg-1"};
inline constexpr Quantity kNumberConcentrationWaterFriendlyAerosol{"number_concentration_water_friendly_aerosol", "Number concentration of water-friendly aerosols", "ncwfa", "", "kg-1"};
inline constexpr Quantity kNumberConcentrationIceFriendlyAerosol{"number_concentration_ice_friendly_aerosol", "Number concentration of ice-friendly aerosols", "ncifa", "", "kg-1"};
// clang-format on

}  // namespace icefield::dataset::vocabulary
