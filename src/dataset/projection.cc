#include "dataset/projection.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include <proj.h>

#include "core/parallel.h"

namespace icefield::dataset {
namespace {

struct FreeContext {
  void operator()(PJ_CONTEXT* context) const { proj_context_destroy(context); }
};
struct FreeProjection {
  void operator()(PJ* projection) const { proj_destroy(projection); }
};

core::Error failed(const std::string& why) {
  return {core::ErrorCode::kInvalidArgument, "projection: " + why};
}

/// Some rows of a grid. PROJ objects serve one thread, so each block makes its own.
struct Block {
  std::span<const double> ys;
  std::span<float> latitude;
  std::span<float> longitude;
};

core::Status unproject_block(const std::string& definition, const Block& block,
                             std::span<const double> xs) {
  const std::unique_ptr<PJ_CONTEXT, FreeContext> context(proj_context_create());
  proj_log_level(context.get(), PJ_LOG_NONE);
  proj_context_set_enable_network(context.get(), 0);
  const std::unique_ptr<PJ, FreeProjection> projection(
      proj_create(context.get(), definition.c_str()));
  if (!projection) return failed("PROJ does not know '" + definition + "'");
  std::size_t at = 0;
  for (const double y : block.ys) {
    for (const double x : xs) {
      const PJ_COORD cell = proj_trans(projection.get(), PJ_INV, proj_coord(x, y, 0, 0));
      const double latitude = proj_todeg(cell.lp.phi);
      const double longitude = proj_todeg(cell.lp.lam);
      if (!std::isfinite(latitude) || !std::isfinite(longitude)) {
        return failed("a cell of the grid has no geographic coordinates");
      }
      block.latitude[at] = static_cast<float>(latitude);
      block.longitude[at++] = static_cast<float>(longitude);
    }
  }
  return {};
}

}  // namespace

core::Result<GeographicGrid> unproject(std::string_view definition, std::span<const double> ys,
                                       std::span<const double> xs) {
  GeographicGrid grid;
  grid.latitude.resize(ys.size() * xs.size());
  grid.longitude.resize(grid.latitude.size());
  const std::size_t rows = ys.size() / core::cores() + 1;
  std::vector<Block> blocks;
  for (std::size_t row = 0; row < ys.size(); row += rows) {
    const std::size_t count = std::min(rows, ys.size() - row);
    const auto cells = [&](std::vector<float>& all) {
      return std::span(all).subspan(row * xs.size(), count * xs.size());
    };
    blocks.push_back({ys.subspan(row, count), cells(grid.latitude), cells(grid.longitude)});
  }
  const std::string text(definition);
  const auto done =
      core::parallel_map(std::span<const Block>(blocks), core::cores(),
                         [&](const Block& block) { return unproject_block(text, block, xs); });
  for (const core::Status& one : done) {
    if (!one) return one.error();
  }
  return grid;
}

}  // namespace icefield::dataset
