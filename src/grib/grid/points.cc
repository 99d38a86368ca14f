#include "grib/grid/points.h"

#include <type_traits>
#include <variant>

#include "core/text.h"
#include "grib/internal/place_points.h"

namespace icefield::grib {

core::Status grid_points(const GridDefinition& grid, std::span<double> latitudes,
                         std::span<double> longitudes) {
  if (latitudes.size() != grid.n_points || longitudes.size() != grid.n_points) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("room for ", latitudes.size(), " and ", longitudes.size(),
                                  " places of ", grid.n_points));
  }
  const PlaceSpans out{latitudes, longitudes};
  return std::visit(
      [&](const auto& area) -> core::Status {
        using Area = std::decay_t<decltype(area)>;
        if constexpr (std::is_same_v<Area, UnplacedGrid>) {
          return core::Error(
              core::ErrorCode::kUnsupported,
              core::text("grid template 3.", grid.template_number, " does not place its points"));
        } else if constexpr (std::is_same_v<Area, HealpixGrid>) {
          return place_healpix(grid, area, out);
        } else if constexpr (std::is_same_v<Area, LatLonGrid>) {
          return place_lat_lon(grid, area, out);
        } else {
          if (!grid.rectangular() || std::uint64_t{grid.ni} * grid.nj != grid.n_points) {
            return core::Error(core::ErrorCode::kCorrupt, "grid without rows and columns");
          }
          if constexpr (std::is_same_v<Area, SpaceViewGrid>) {
            return place_space_view(grid, area, out);
          } else if constexpr (std::is_same_v<Area, NcepRotatedGrid>) {
            return place_ncep_rotated(grid, area, out);
          } else {
            return place_projected(grid, out);
          }
        }
      },
      grid.grid);
}

}  // namespace icefield::grib
