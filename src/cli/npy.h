#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "core/result.h"

namespace icefield::cli {

/// Writes values as a NumPy file (format 1.0, little-endian, C order) of the given shape.
/// Precondition: the product of `shape` is values.size().
core::Status write_npy(const std::filesystem::path& path, std::span<const float> values,
                       const std::vector<std::size_t>& shape);
core::Status write_npy(const std::filesystem::path& path, std::span<const double> values,
                       const std::vector<std::size_t>& shape);

}  // namespace icefield::cli
