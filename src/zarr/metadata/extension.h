#pragma once

#include <string>

#include "core/json.h"
#include "core/result.h"

namespace icefield::zarr {

/// A named extension point with its configuration: a codec, a grid, a key encoding.
struct Extension {
  std::string name;
  core::Json configuration;  // an object, or null when the document gives none
  friend bool operator==(const Extension&, const Extension&) = default;
};

/// Reads `{"name": ..., "configuration": {...}}` or a bare name. `what` names the place in errors.
/// Errors: kCorrupt.
core::Result<Extension> read_extension(const core::Json& json, const std::string& what);

core::Json write_extension(const Extension& extension);

}  // namespace icefield::zarr
