#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "grib/index/window.h"

namespace icefield::grib {

/// One bounding surface of a field: code table 4.5 and its value (value * 10^-scale_factor, in the
/// table's unit: pascal, metre, ...). Absent numbers are "missing" in the message.
struct FixedSurface {
  std::uint8_t type = 255;
  std::optional<int> scale_factor;
  std::optional<std::int64_t> scaled_value;

  /// The value in the table's unit; nothing when the message gives none.
  std::optional<double> value() const;
  friend bool operator==(const FixedSurface&, const FixedSurface&) = default;
};

/// A length of time as the message gives it. Units: code table 4.4.
struct TimeSpan {
  std::uint8_t unit = 1;
  std::int64_t count = 0;

  /// The length in seconds; nothing for units that have no fixed length (months and longer).
  std::optional<std::int64_t> seconds() const;
  friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

/// One time range of a statistically processed field (template 4.8 and its kin).
struct TimeRange {
  std::uint8_t statistic = 255;       // code table 4.10
  std::uint8_t increment_type = 255;  // code table 4.11
  TimeSpan length;
  TimeSpan increment;
  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// Which forecast of an ensemble (templates 4.1, 4.11, ...).
struct EnsembleMember {
  std::uint8_t type = 255;  // code table 4.6
  std::uint8_t number = 0;  // perturbation number
  std::uint8_t count = 0;   // forecasts in the ensemble
  friend bool operator==(const EnsembleMember&, const EnsembleMember&) = default;
};

/// A field derived from all members: mean, spread, ... (templates 4.2, 4.12, ...).
struct DerivedForecast {
  std::uint8_t type = 255;  // code table 4.7
  std::uint8_t count = 0;   // forecasts in the ensemble
  friend bool operator==(const DerivedForecast&, const DerivedForecast&) = default;
};

/// The probability of an event (templates 4.5, 4.9).
struct Probability {
  std::uint8_t number = 0;
  std::uint8_t count = 0;
  std::uint8_t type = 255;  // code table 4.9
  FixedSurface lower;       // limits; `type` stays 255
  FixedSurface upper;
  friend bool operator==(const Probability&, const Probability&) = default;
};

/// An interval of particle sizes, wavelengths or wave periods: code table 4.91 and two limits, each
/// value * 10^-factor. Numbers are the message's octets; all bits set: missing.
struct Interval {
  std::uint8_t type = 255;
  std::uint8_t first_factor = 255;
  std::uint8_t second_factor = 255;
  std::uint32_t first_value = 0xFFFFFFFF;
  std::uint32_t second_value = 0xFFFFFFFF;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// What air is made of (templates 4.40-4.49, 4.76-4.85).
struct Constituent {
  std::uint16_t type = 0xFFFF;              // code table 4.230 (aerosols: 4.233)
  std::optional<std::uint8_t> source_sink;  // code table 4.238
  std::optional<Interval> size;             // of aerosol particles, m
  std::optional<Interval> wavelength;       // m
  friend bool operator==(const Constituent&, const Constituent&) = default;
};

/// Section 4 as a value: what the field is, apart from its grid.
struct Product {
  std::uint16_t template_number = 0;      // 4.n; edition 1: 0
  std::uint8_t category = 0;              // code table 4.1; edition 1: table version
  std::uint8_t number = 0;                // code table 4.2; edition 1: parameter indicator
  std::uint8_t generating_process = 255;  // code table 4.3
  TimeSpan forecast_time;                 // from the reference time; may be negative
  FixedSurface first_surface;             // edition 1: type of code table 3, value in its unit
  FixedSurface second_surface;
  std::optional<EnsembleMember> member;
  std::optional<DerivedForecast> derived;
  std::optional<Probability> probability;
  std::optional<std::uint8_t> percentile;
  std::optional<Constituent> constituent;
  std::optional<Interval> wave_period;             // s (templates 4.103, 4.104)
  std::optional<core::Timestamp> end_of_interval;  // of statistically processed fields, if valid
  std::vector<TimeRange> time_ranges;              // outermost first; empty for a point in time

  friend bool operator==(const Product&, const Product&) = default;
};

/// Reads section 4 of edition 2, from its length octets on.
/// Errors: kUnsupported for a template whose layout is not known (category and number are then at
///         octets 10 and 11 of almost every template, but nothing promises it);
///         kCorrupt for a section shorter than its template.
core::Result<Product> parse_product(std::span<const std::byte> section4);

/// The product's forecast window in minutes after the reference time: a point in time, or the first
/// time range from the forecast time on. Nothing when its units have no fixed length in minutes or
/// the message leaves the length out.
std::optional<Window> window_of(const Product& product);

/// Code table 4.10 as a Statistic; kUnspecified for codes without a word in index labels.
Statistic statistic_of(std::uint8_t code);

}  // namespace icefield::grib
