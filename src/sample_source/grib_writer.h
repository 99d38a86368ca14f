#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/bytes.h"
#include "core/result.h"
#include "core/time.h"
#include "sample_source/level.h"
#include "sample_source/record.h"
#include "sample_source/synthetic_field.h"

namespace icefield::sample_source {

/// The grid of every file of the HRRR model over the contiguous United States.
inline constexpr GridShape kHrrrGrid{.columns = 1799, .rows = 1059};

/// What sections 0 to 4 say of one message.
struct Product {
  std::uint8_t discipline = 0;
  std::uint8_t category = 0;
  std::uint8_t number = 0;
  Level level;
  core::Timestamp initialized;
  std::int32_t lead_hour = 0;
  std::optional<Interval> interval;
};

/// How ecCodes is to pack values.
struct EccodesPacking {
  enum class Method : std::uint8_t { kSimple, kComplex } method = Method::kSimple;
  std::uint8_t bits_per_value = 10;
  std::int16_t decimal_scale = 0;
};

/// Marks a point without a value in write_values().
inline constexpr double kNoValue = -1.0e30;

/// Writes whole GRIB2 messages on kHrrrGrid, with ecCodes, as the provider does: Lambert conformal
/// grid, rows from south to north, product template 4.0, or 4.8 where there is an interval.
/// Use one writer per thread.
class GribWriter {
 public:
  /// Errors: kNotFound when the samples of ecCodes are not installed.
  static core::Result<GribWriter> create();

  GribWriter(GribWriter&&) noexcept;
  GribWriter& operator=(GribWriter&&) noexcept;
  GribWriter(const GribWriter&) = delete;
  GribWriter& operator=(const GribWriter&) = delete;
  ~GribWriter();

  /// A message that has the value 0 at every point, in 188 or 212 bytes.
  core::Result<core::Bytes> write_zeros(const Product& product) const;

  /// A message with `values`, one per point of kHrrrGrid; a bitmap stands for kNoValue.
  /// Errors: kUnsupported when ecCodes packs otherwise than it was asked to.
  core::Result<core::Bytes> write_values(const Product& product, std::span<const double> values,
                                         const EccodesPacking& packing) const;

  /// A message around the sections 5, 6 and 7 given, which the caller answers for.
  core::Result<core::Bytes> write_sections(const Product& product,
                                           std::span<const std::byte> section5,
                                           std::span<const std::byte> section6,
                                           std::span<const std::byte> section7) const;

 private:
  struct State;
  explicit GribWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace icefield::sample_source
