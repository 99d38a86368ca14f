#pragma once

#include <string>
#include <string_view>

#include "core/bytes.h"

namespace icefield::grib::testing {

/// A file of tests/golden/grib; defined in golden_test.cc, so it exists in this room's tests only.
/// Fails the running test and gives nothing when the file cannot be read.
core::Bytes golden_bytes(std::string_view name);

/// The same as text.
std::string golden_text(std::string_view name);

}  // namespace icefield::grib::testing
