#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "core/json.h"
#include "core/result.h"
#include "icechunk/format/splitting.h"
#include "icechunk/format/virtual_container.h"

namespace icefield::icechunk {

/// Retries of the replacement of repo.
struct UpdateRetries {
  std::uint16_t max_tries = 100;
  std::uint32_t initial_backoff_ms = 50;
  std::uint32_t max_backoff_ms = 30'000;
  friend bool operator==(const UpdateRetries&, const UpdateRetries&) = default;
};

/// The persisted configuration of a repository: one JSON object with the structure of
/// docs/formats/icechunk.md, Configuration. Keys that are not ours are kept as they are.
/// What is absent or null has its default. A value of type RepositoryConfig has been checked:
/// every key that we know has a type and range that official readers accept.
class RepositoryConfig {
 public:
  RepositoryConfig() = default;  // all defaults

  /// Errors: kCorrupt, naming the key, for a wrong type or a number out of range: official
  /// readers refuse such a repository.
  static core::Result<RepositoryConfig> from_json(core::Json object);

  const core::Json& json() const noexcept { return json_; }

  std::uint16_t inline_chunk_threshold_bytes() const;    // chunks of at most this size are inline
  std::uint16_t num_updates_per_repo_info_file() const;  // entries kept in the repo object
  int compression_level() const;                         // zstd, of metadata files
  UpdateRetries update_retries() const;
  std::uint32_t preload_max_arrays_to_scan() const;
  SplittingRules splitting() const;  // default: no splitting

  /// Containers in the order of their keys. Entries that official readers would ignore with a
  /// warning (bad prefix, store of another kind) are left out.
  std::vector<VirtualContainer> containers() const;

  void set_inline_chunk_threshold_bytes(std::uint16_t bytes);
  void set_num_updates_per_repo_info_file(std::uint16_t updates);
  void set_compression_level(std::uint8_t level);
  void set_preload_max_arrays_to_scan(std::uint32_t arrays);
  void set_splitting(const SplittingRules& rules);

  /// Adds a container under its prefix; one of the same name or prefix is replaced.
  /// Errors: kInvalidArgument when official readers would ignore it.
  core::Status set_container(const VirtualContainer& container);
  /// Errors: kNotFound.
  core::Status remove_container(std::string_view name);

  /// This configuration with `later` on top: objects merge member by member, except
  /// virtual_chunk_containers, splitting, preload and lists, which are replaced as a whole.
  RepositoryConfig merged_with(const RepositoryConfig& later) const;

  friend bool operator==(const RepositoryConfig&, const RepositoryConfig&) = default;

 private:
  core::Json json_ = core::Json::Object{};
};

/// What every repository that we create stores: preload.max_arrays_to_scan 0, because the
/// official default makes readers of many manifests wait.
RepositoryConfig new_repository_config();

/// One FlexBuffers map <-> configuration.
core::Result<RepositoryConfig> decode_config(std::span<const std::byte> flexbuffer);
core::Result<core::Bytes> encode_config(const RepositoryConfig& config);

/// config.yaml of spec version 1. Errors: kCorrupt: not the YAML that is read (yaml_json.h), or as
/// from_json.
core::Result<RepositoryConfig> decode_config_yaml(std::span<const std::byte> yaml);

}  // namespace icefield::icechunk
