#include "zarr/metadata/extension.h"

namespace icefield::zarr {

core::Result<Extension> read_extension(const core::Json& json, const std::string& what) {
  if (json.is_string()) return Extension{json.as_string(), {}};
  const core::Json* const name = json.find("name");
  if (name == nullptr || !name->is_string()) {
    return core::Error(core::ErrorCode::kCorrupt, what + " has no name");
  }
  Extension extension{name->as_string(), {}};
  if (const core::Json* const configuration = json.find("configuration")) {
    if (!configuration->is_object()) {
      return core::Error(core::ErrorCode::kCorrupt,
                         what + " '" + extension.name + "': configuration is not an object");
    }
    extension.configuration = *configuration;
  }
  return extension;
}

core::Json write_extension(const Extension& extension) {
  auto json = core::Json::object({{"name", extension.name}});
  if (!extension.configuration.is_null()) json.set("configuration", extension.configuration);
  return json;
}

}  // namespace icefield::zarr
