#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace icefield::zarr {

/// The numeric data types of Zarr v3 that we store. Values in memory are little-endian, as on disk.
enum class DataType : std::uint8_t {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kFloat32,
  kFloat64,
};

/// Bytes of one element: 1, 2, 4 or 8.
std::size_t size_of(DataType type);

/// The name in `data_type`: "float64".
std::string_view name_of(DataType type);

/// Errors: kUnsupported for any other name.
core::Result<DataType> data_type_named(std::string_view name);

bool is_float(DataType type);
bool is_signed_integer(DataType type);

}  // namespace icefield::zarr
