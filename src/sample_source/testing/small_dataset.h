#pragma once

#include "dataset/spec.h"

namespace icefield::sample_source {

/// A virtual dataset of nine variables in two file types, laid out like the HRRR one and with its
/// id, so that its provider is found: every kind of window, a vertical group of three levels.
const dataset::DatasetSpec& small_dataset();

}  // namespace icefield::sample_source
