#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/time.h"

namespace icefield::dataset {

enum class ContainerKind : std::uint8_t { kS3, kGcs, kAzure, kHttp, kLocal };

/// A place that references may point into, read without credentials. References are stored as
/// `vcc://<name>/<key>`, so that the place can be moved.
struct Container {
  std::string_view name = {};        // like its bucket: "noaa-hrrr-bdp-pds"
  std::string_view url_prefix = {};  // ends in '/': "s3://noaa-hrrr-bdp-pds/"
  ContainerKind kind = ContainerKind::kS3;
  std::string_view region = {};  // empty where the kind has none
};

/// Which manifest windows an array gets along one dimension. The first matching row decides.
struct ManifestSplit {
  std::string_view path_matches = {};  // regular expression on "/group/array"; empty: every array
  std::string_view dimension = {};
  std::uint32_t size = 0;  // positions per window
};

struct VirtualConfig {
  std::span<const Container> containers = {};
  std::span<const ManifestSplit> manifest_split = {};  // the last row matches every array
  core::Seconds operational_update_window{0};          // how far back an update looks for files
};

}  // namespace icefield::dataset
