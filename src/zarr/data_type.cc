#include "zarr/data_type.h"

#include <algorithm>
#include <array>
#include <string>

namespace icefield::zarr {
namespace {

struct Row {
  DataType type;
  std::string_view name;
  std::size_t size;
};

constexpr std::array kRows = {
    Row{DataType::kBool, "bool", 1},       Row{DataType::kInt8, "int8", 1},
    Row{DataType::kInt16, "int16", 2},     Row{DataType::kInt32, "int32", 4},
    Row{DataType::kInt64, "int64", 8},     Row{DataType::kUint8, "uint8", 1},
    Row{DataType::kUint16, "uint16", 2},   Row{DataType::kUint32, "uint32", 4},
    Row{DataType::kUint64, "uint64", 8},   Row{DataType::kFloat32, "float32", 4},
    Row{DataType::kFloat64, "float64", 8},
};

const Row& row_of(DataType type) {
  return *std::ranges::find(kRows, type, &Row::type);
}

}  // namespace

std::size_t size_of(DataType type) {
  return row_of(type).size;
}

std::string_view name_of(DataType type) {
  return row_of(type).name;
}

core::Result<DataType> data_type_named(std::string_view name) {
  const auto* const row = std::ranges::find(kRows, name, &Row::name);
  if (row == kRows.end()) {
    return core::Error(core::ErrorCode::kUnsupported, "data_type '" + std::string(name) + "'");
  }
  return row->type;
}

bool is_float(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kFloat64;
}

bool is_signed_integer(DataType type) {
  return type >= DataType::kInt8 && type <= DataType::kInt64;
}

}  // namespace icefield::zarr
