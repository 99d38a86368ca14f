#include "datasets/all_datasets.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/text.h"
#include "datasets/noaa/hrrr/forecast_virtual.h"

namespace icefield::datasets {
namespace {

// The whole list.
constexpr std::array kDatasets = {
    &noaa::hrrr::kForecast18HourVirtual,
    &noaa::hrrr::kForecast48HourVirtual,
};

}  // namespace

std::span<const dataset::DatasetSpec* const> all_datasets() {
  return kDatasets;
}

core::Result<const dataset::DatasetSpec*> find_dataset(std::string_view id) {
  const auto* const found =
      std::ranges::find(kDatasets, id, [](const dataset::DatasetSpec* spec) { return spec->id; });
  if (found != kDatasets.end()) return *found;
  std::vector<std::string> ids;
  ids.reserve(kDatasets.size());
  for (const auto* const spec : kDatasets) ids.emplace_back(spec->id);
  return core::Error(core::ErrorCode::kNotFound,
                     core::text("no dataset '", id, "'; there are ", core::join(ids, ", ")));
}

}  // namespace icefield::datasets
