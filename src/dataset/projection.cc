#include "dataset/projection.h"

#include <cmath>
#include <memory>
#include <string>

#include <proj.h>

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

}  // namespace

core::Result<GeographicGrid> unproject(std::string_view definition, std::span<const double> ys,
                                       std::span<const double> xs) {
  const std::unique_ptr<PJ_CONTEXT, FreeContext> context(proj_context_create());
  proj_log_level(context.get(), PJ_LOG_NONE);
  proj_context_set_enable_network(context.get(), 0);
  const std::unique_ptr<PJ, FreeProjection> projection(
      proj_create(context.get(), std::string(definition).c_str()));
  if (!projection) return failed("PROJ does not know '" + std::string(definition) + "'");

  GeographicGrid grid;
  grid.latitude.reserve(ys.size() * xs.size());
  grid.longitude.reserve(ys.size() * xs.size());
  for (const double y : ys) {
    for (const double x : xs) {
      const PJ_COORD cell = proj_trans(projection.get(), PJ_INV, proj_coord(x, y, 0, 0));
      const double latitude = proj_todeg(cell.lp.phi);
      const double longitude = proj_todeg(cell.lp.lam);
      if (!std::isfinite(latitude) || !std::isfinite(longitude)) {
        return failed("a cell of the grid has no geographic coordinates");
      }
      grid.latitude.push_back(static_cast<float>(latitude));
      grid.longitude.push_back(static_cast<float>(longitude));
    }
  }
  return grid;
}

}  // namespace icefield::dataset
