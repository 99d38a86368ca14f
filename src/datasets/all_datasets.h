#pragma once

#include <span>
#include <string_view>

#include "core/result.h"
#include "dataset/spec.h"

namespace icefield::datasets {

/// Every dataset, sorted by id. A new one is one row of all_datasets.cc.
std::span<const dataset::DatasetSpec* const> all_datasets();

/// Errors: kNotFound, naming the datasets that exist.
core::Result<const dataset::DatasetSpec*> find_dataset(std::string_view id);

}  // namespace icefield::datasets
