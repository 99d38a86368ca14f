#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/json.h"
#include "core/result.h"
#include "zarr/data_type.h"

namespace icefield::zarr {

/// One element, bit for bit: its little-endian bytes in the low bytes of `bits`, the rest zero.
/// So a NaN's payload and the sign of zero survive.
struct FillValue {
  std::uint64_t bits = 0;
  friend constexpr auto operator<=>(const FillValue&, const FillValue&) = default;
};

FillValue fill_of(double value);        // for kFloat64
FillValue fill_of(float value);         // for kFloat32
FillValue fill_of(std::int64_t value);  // for kInt64; truncate to the type's width for others

/// Reads `fill_value` of an array document (docs/formats/zarr.md, fill values): numbers, "NaN",
/// "Infinity", "-Infinity" and "0x" hex of the exact width for floats; integers in range; booleans.
/// Errors: kCorrupt, naming fill_value, for anything else (null and bare NaN included).
core::Result<FillValue> read_fill_value(const core::Json& json, DataType type);

/// The JSON that read_fill_value gives back bit for bit, and that a strict parser accepts.
core::Json write_fill_value(FillValue fill, DataType type);

/// Writes the fill into every element of `out`. Precondition: out.size() is a multiple of the size.
void fill_elements(std::span<std::byte> out, FillValue fill, DataType type);

/// True when every element of `values` equals the fill, bit for bit.
bool all_fill(std::span<const std::byte> values, FillValue fill, DataType type);

}  // namespace icefield::zarr
