#include "dataset/plan.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/text.h"
#include "dataset/time_axis.h"

namespace icefield::dataset {
namespace {

/// The position of a filter's time, which must lie in [0, limit].
core::Result<std::uint64_t> filter_position(const DatasetSpec& spec, core::Timestamp label,
                                            std::uint64_t limit, const std::string& option) {
  auto position = position_of(spec, label);
  if (!position) return std::move(position).error().within(option);
  if (*position <= limit) return position;
  return core::Error(core::ErrorCode::kInvalidArgument,
                     core::text(option, ": ", core::format_timestamp(label), " lies after ",
                                core::format_timestamp(label_at(spec, limit)),
                                ", the last that can be asked for"));
}

}  // namespace

std::uint64_t region_size(const DatasetSpec& spec) {
  const Group& root = spec.groups[0];
  return root.shards.empty() ? root.chunks[0] : root.shards[0];
}

core::Result<Plan> plan_regions(const DatasetSpec& spec, std::uint64_t append_size,
                                const Filters& filters) {
  if (append_size == 0) {
    return core::Error(core::ErrorCode::kInvalidArgument, "a dataset without positions");
  }
  Plan plan{.append_size = append_size, .variables = {}, .regions = {}};
  TRY_ASSIGN(plan.variables, select_variables(spec, filters.variable_names));
  Region wanted{0, append_size};
  if (filters.start) {
    TRY_ASSIGN(wanted.begin,
               filter_position(spec, *filters.start, append_size - 1, "filter start"));
  }
  if (filters.end) {
    TRY_ASSIGN(wanted.end, filter_position(spec, *filters.end, append_size, "filter end"));
  }
  std::vector<std::uint64_t> contained;
  for (const auto label : filters.contains.value_or(std::vector<core::Timestamp>())) {
    TRY_ASSIGN(const auto position,
               filter_position(spec, label, append_size - 1, "filter contains"));
    contained.push_back(position);
  }
  std::ranges::sort(contained);

  const std::uint64_t size = region_size(spec);
  for (std::uint64_t begin = 0; begin < append_size; begin += size) {
    const Region region{begin, std::min(begin + size, append_size)};
    if (region.end <= wanted.begin || region.begin >= wanted.end) continue;
    const auto first = std::ranges::lower_bound(contained, region.begin);
    const bool holds_one = first != contained.end() && *first < region.end;
    if (filters.contains && !holds_one) continue;
    plan.regions.push_back(region);
  }
  return plan;
}

WorkerAssignment worker_assignment(const DatasetSpec& spec) {
  return spec.kind == DatasetKind::kVirtual ? WorkerAssignment::kContiguous
                                            : WorkerAssignment::kSpread;
}

std::vector<std::size_t> spread_order(std::size_t items) {
  std::vector<std::size_t> order(items);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto width = items == 0 ? 1 : std::max(1, static_cast<int>(std::bit_width(items - 1)));
  const auto reversed = [width](std::size_t number) {
    std::size_t out = 0;
    for (int bit = 0; bit < width; ++bit) out = (out << 1U) | ((number >> bit) & 1U);
    return out;
  };
  std::ranges::sort(order, {}, reversed);
  return order;
}

core::Result<std::vector<std::size_t>> items_of_worker(WorkerAssignment assignment,
                                                       std::size_t items, std::size_t worker,
                                                       std::size_t workers) {
  if (worker >= workers) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("worker ", worker, " of ", workers));
  }
  std::vector<std::size_t> mine;
  if (assignment == WorkerAssignment::kSpread) {
    const auto order = spread_order(items);
    for (std::size_t i = worker; i < order.size(); i += workers) mine.push_back(order[i]);
    return mine;
  }
  const std::size_t block = items / workers + (items % workers != 0 ? 1 : 0);
  for (std::size_t i = worker * block; i < std::min(items, (worker + 1) * block); ++i) {
    mine.push_back(i);
  }
  if (mine.empty()) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("worker ", worker, " of ", workers, " has nothing to do: ", items,
                                  " jobs in blocks of ", block));
  }
  return mine;
}

}  // namespace icefield::dataset
