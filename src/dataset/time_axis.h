#pragma once

#include <cstdint>

#include "core/result.h"
#include "core/time.h"
#include "dataset/spec.h"

namespace icefield::dataset {

/// The label at a position of the append dimension.
core::Timestamp label_at(const DatasetSpec& spec, std::uint64_t position);

/// The position of a label.
/// Errors: kInvalidArgument, naming the label, when it lies before the start or off the grid; the
/// message gives the nearest labels.
core::Result<std::uint64_t> position_of(const DatasetSpec& spec, core::Timestamp label);

/// Positions with labels before `end` (exclusive), which must itself be on the grid.
/// Errors: kInvalidArgument as position_of, and for an end that leaves nothing.
core::Result<std::uint64_t> append_size_until(const DatasetSpec& spec, core::Timestamp end);

/// The same for any end, such as the present; 0 when it lies at or before the start.
std::uint64_t positions_before(const DatasetSpec& spec, core::Timestamp end);

/// How far the model runs for this init: expected_forecast_length. Zero where none is declared.
core::Seconds expected_forecast_length(const DatasetSpec& spec, core::Timestamp init);

}  // namespace icefield::dataset
