#include "grib/grid/scan_order.h"

#include <algorithm>
#include <cstring>

#include "core/text.h"

namespace icefield::grib {
namespace {

/// Copies one row, turned round where the source runs the other way.
template <typename Value>
void copy_row(std::span<const Value> from, std::span<Value> to, bool reverse) {
  if (reverse) {
    std::ranges::reverse_copy(from, to.begin());
  } else {
    std::ranges::copy(from, to.begin());
  }
}

template <typename Value>
void reorder_rows(const GridDefinition& grid, ScanMode mode, std::span<const Value> stored,
                  std::span<Value> out) {
  const std::size_t ni = grid.ni;
  const std::size_t nj = grid.nj;
  for (std::size_t row = 0; row < nj; ++row) {
    const bool turned = mode.alternating() && row % 2 == 1;
    const auto target = mode.j_positive() ? nj - 1 - row : row;
    copy_row(stored.subspan(row * ni, ni), out.subspan(target * ni, ni),
             mode.i_negative() != turned);
  }
}

/// Columns before rows: stored[i * nj + j].
template <typename Value>
void reorder_columns(const GridDefinition& grid, ScanMode mode, std::span<const Value> stored,
                     std::span<Value> out) {
  const std::size_t ni = grid.ni;
  const std::size_t nj = grid.nj;
  for (std::size_t column = 0; column < ni; ++column) {
    const bool turned = mode.alternating() && column % 2 == 1;
    const bool upward = mode.j_positive() != turned;
    const auto target = mode.i_negative() ? ni - 1 - column : column;
    for (std::size_t step = 0; step < nj; ++step) {
      const auto row = upward ? nj - 1 - step : step;
      out[row * ni + target] = stored[column * nj + step];
    }
  }
}

template <typename Value>
void reorder_reduced(const GridDefinition& grid, ScanMode mode, std::span<const Value> stored,
                     std::span<Value> out) {
  std::size_t from = 0;
  for (const auto length : grid.row_lengths) {
    const auto to = mode.j_positive() ? out.size() - from - length : from;
    copy_row(stored.subspan(from, length), out.subspan(to, length), mode.i_negative());
    from += length;
  }
}

template <typename Value>
core::Status reorder(const GridDefinition& grid, std::span<const Value> stored,
                     std::span<Value> out) {
  if (stored.size() != grid.n_points || out.size() != grid.n_points ||
      (!out.empty() && stored.data() == out.data())) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("two separate spans of ", grid.n_points, " points are needed"));
  }
  const bool reduced = !grid.row_lengths.empty();
  if (!grid.scan_mode || !(grid.rectangular() || reduced)) {
    return core::Error(core::ErrorCode::kUnsupported,
                       core::text("grid template 3.", grid.template_number, " has no rows"));
  }
  if (reduced) {
    reorder_reduced(grid, *grid.scan_mode, stored, out);
  } else if (grid.scan_mode->j_consecutive()) {
    reorder_columns(grid, *grid.scan_mode, stored, out);
  } else {
    reorder_rows(grid, *grid.scan_mode, stored, out);
  }
  return {};
}

}  // namespace

core::Status to_north_up(const GridDefinition& grid, std::span<const float> stored,
                         std::span<float> out) {
  return reorder(grid, stored, out);
}

core::Status to_north_up(const GridDefinition& grid, std::span<const double> stored,
                         std::span<double> out) {
  return reorder(grid, stored, out);
}

}  // namespace icefield::grib
