#include "dataset/update_plan.h"

#include <algorithm>
#include <utility>

#include "core/text.h"
#include "dataset/time_axis.h"

namespace icefield::dataset {

core::Result<UpdateJobs> operational_update_jobs(const DatasetSpec& spec,
                                                 core::Timestamp fire_time) {
  if (spec.virtual_config == nullptr ||
      spec.virtual_config->operational_update_window <= core::Seconds{0}) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text(spec.id, ": declares no operational update window"));
  }
  const auto window_start = fire_time - spec.virtual_config->operational_update_window;
  const Region window{.begin = positions_before(spec, window_start),
                      .end = positions_before(spec, fire_time)};
  if (window.size() == 0) {
    return core::Error(
        core::ErrorCode::kInvalidArgument,
        core::text(spec.id, ": no position lies between ", core::format_timestamp(window_start),
                   " and ", core::format_timestamp(fire_time)));
  }
  TRY_ASSIGN(auto plan, plan_regions(spec, window.end, {}));
  plan.regions = {window};
  return UpdateJobs{.mode = ProcessingMode::kUpdate, .plan = std::move(plan)};
}

}  // namespace icefield::dataset
