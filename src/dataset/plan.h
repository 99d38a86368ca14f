#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "dataset/region.h"
#include "dataset/spec.h"

namespace icefield::dataset {

/// What of a dataset a job shall process; all absent: everything.
struct Filters {
  std::optional<core::Timestamp> start = {};                  // inclusive
  std::optional<core::Timestamp> end = {};                    // exclusive
  std::optional<std::vector<core::Timestamp>> contains = {};  // an empty list keeps no region
  std::vector<std::string> variable_names = {};               // bare names or paths
};

/// The work: every region, each with the same variables, in append order.
struct Plan {
  std::uint64_t append_size = 0;  // positions of the dataset once the work is done
  std::vector<VariableIndex> variables;
  std::vector<Region> regions;
};

/// Positions per region: the shard's extent along the append dimension, else the chunk's.
std::uint64_t region_size(const DatasetSpec& spec);

/// Regions of a dataset with `append_size` positions that pass the filters; they intersect, and
/// whole regions are kept.
/// Errors: kInvalidArgument naming unknown variables, and filter times that are off the grid or
/// outside the dataset (`end` may equal the dataset's own end).
core::Result<Plan> plan_regions(const DatasetSpec& spec, std::uint64_t append_size,
                                const Filters& filters);

/// How regions are dealt out: `spread` for materialized, `contiguous` for virtual datasets.
enum class WorkerAssignment : std::uint8_t { kSpread, kContiguous };

WorkerAssignment worker_assignment(const DatasetSpec& spec);

/// Item numbers 0 … items - 1 in the order of their reversed bits: neighbours end up far apart.
std::vector<std::size_t> spread_order(std::size_t items);

/// The items that worker `worker` of `workers` takes; the same list for every caller.
/// Errors: kInvalidArgument when worker >= workers, and for kContiguous when nothing is left for
/// this worker.
core::Result<std::vector<std::size_t>> items_of_worker(WorkerAssignment assignment,
                                                       std::size_t items, std::size_t worker,
                                                       std::size_t workers);

}  // namespace icefield::dataset
