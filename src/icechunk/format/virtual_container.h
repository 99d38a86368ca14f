#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "core/result.h"

namespace icefield::icechunk {

/// Which client reads from a container; the wire's names in comments.
enum class StoreKind : std::uint8_t {
  kS3,            // s3
  kS3Compatible,  // s3_compatible
  kTigris,        // tigris
  kGcs,           // gcs
  kAzure,         // azure
  kHttp,          // http
  kLocal,         // local_file_system
  kMemory,        // in_memory: declared, never readable
};

/// Options of the three S3 kinds. Credentials are never part of it.
struct S3Options {
  std::optional<std::string> region = {};
  std::optional<std::string> endpoint_url = {};
  bool anonymous = false;
  bool allow_http = false;
  bool force_path_style = false;
  bool requester_pays = false;
  friend bool operator==(const S3Options&, const S3Options&) = default;
};

/// A place from where virtual chunks may come.
struct VirtualContainer {
  std::optional<std::string> name = {};  // of vcc:// locations; not empty, no '/'
  std::string url_prefix = {};           // "scheme://.../": ends in '/'
  StoreKind kind = StoreKind::kS3;
  S3Options s3 = {};                                             // for the S3 kinds
  std::map<std::string, std::string, std::less<>> options = {};  // gcs, azure (account), http
  std::string local_root = {};  // for kLocal: the directory it names
  /// The store's value as it was read, so that members we do not know survive a rewrite.
  /// Null for a container made here.
  core::Json stored = {};
  friend bool operator==(const VirtualContainer&, const VirtualContainer&) = default;
};

/// Containers for the usual places. `name` may be empty for none.
VirtualContainer anonymous_s3_container(std::string_view name, std::string_view url_prefix,
                                        std::string_view region);
VirtualContainer local_container(std::string_view name, std::string_view directory);

/// Errors: kInvalidArgument, saying why, when official readers would ignore the container: prefix
/// without host, of a scheme that its store does not serve, a bad name.
core::Status check_container(const VirtualContainer& container);

/// The value of a virtual_chunk_containers entry <-> container. A missing final '/' is added.
/// Errors: kCorrupt for a wrong structure, naming the member.
core::Result<VirtualContainer> container_from_json(const core::Json& entry);
core::Json container_to_json(const VirtualContainer& container);

}  // namespace icefield::icechunk
