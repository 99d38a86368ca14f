#include <utility>

#include "grib/internal/walk.h"
#include "grib/scan/grib1.h"

namespace icefield::grib {

core::Result<std::uint32_t> GridTable::find_or_parse(std::span<const std::byte> section,
                                                     std::uint8_t edition, Scan& scan) {
  const auto octets = core::as_text(section);
  if (!last_.empty() && octets == last_) return last_grid_;
  std::string key(octets);
  const auto known = grids_.find(key);
  if (known != grids_.end()) {
    last_grid_ = known->second;
    last_ = std::move(key);
    return last_grid_;
  }
  TRY_ASSIGN(auto grid, edition == 1 ? parse_grib1_grid(section) : parse_grid(section));
  last_grid_ = static_cast<std::uint32_t>(scan.grids.size());
  scan.grids.push_back(std::move(grid));
  grids_.emplace(key, last_grid_);
  last_ = std::move(key);
  return last_grid_;
}

}  // namespace icefield::grib
