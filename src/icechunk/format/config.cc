#include "icechunk/format/config.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "core/text.h"
#include "icechunk/format/flexbuffer_json.h"
#include "icechunk/format/preload.h"
#include "icechunk/format/yaml_json.h"

namespace icefield::icechunk {
namespace {

enum class Type { kU8, kU16, kU32, kU64, kI32, kBool, kText, kObject };

/// One key of docs/formats/icechunk.md, Configuration, with what official readers insist on.
struct Key {
  std::string_view path;  // dots lead into objects
  Type type;
  std::uint64_t least = 0;
};

// clang-format off
constexpr Key kKeys[] = {
    {"inline_chunk_threshold_bytes",   Type::kU16},
    {"get_partial_values_concurrency", Type::kU16},
    {"compression",                    Type::kObject},
    {"compression.algorithm",          Type::kText},
    {"compression.level",              Type::kU8},
    {"max_concurrent_requests",        Type::kU16},
    {"max_concurrent_decodes",         Type::kU16},
    {"caching",                          Type::kObject},
    {"caching.num_snapshot_nodes",       Type::kU64},
    {"caching.num_chunk_refs",           Type::kU64},
    {"caching.num_transaction_changes",  Type::kU64},
    {"caching.num_bytes_attributes",     Type::kU64},
    {"caching.num_bytes_chunks",         Type::kU64},
    {"storage",                          Type::kObject},
    {"storage.concurrency",              Type::kObject},
    {"storage.concurrency.max_concurrent_requests_for_object", Type::kU16, 1},
    {"storage.concurrency.ideal_concurrent_request_size",      Type::kU64, 1},
    {"storage.retries",                    Type::kObject},
    {"storage.retries.max_tries",          Type::kU16, 1},
    {"storage.retries.initial_backoff_ms", Type::kU32},
    {"storage.retries.max_backoff_ms",     Type::kU32},
    {"storage.timeouts",                   Type::kObject},
    {"storage.timeouts.connect_timeout_ms",           Type::kU32},
    {"storage.timeouts.read_timeout_ms",              Type::kU32},
    {"storage.timeouts.operation_timeout_ms",         Type::kU32},
    {"storage.timeouts.operation_attempt_timeout_ms", Type::kU32},
    {"storage.unsafe_use_conditional_update", Type::kBool},
    {"storage.unsafe_use_conditional_create", Type::kBool},
    {"storage.unsafe_use_metadata",           Type::kBool},
    {"storage.storage_class",                 Type::kText},
    {"storage.metadata_storage_class",        Type::kText},
    {"storage.chunks_storage_class",          Type::kText},
    {"storage.minimum_size_for_multipart_upload", Type::kU64},
    {"virtual_chunk_containers",              Type::kObject},
    {"manifest",                              Type::kObject},
    {"manifest.preload",                      Type::kObject},
    {"manifest.preload.max_total_refs",       Type::kU32},
    {"manifest.preload.max_arrays_to_scan",   Type::kU32},
    {"manifest.splitting",                    Type::kObject},
    {"manifest.max_concurrent_manifest_fetches_during_commit", Type::kU16},
    {"manifest.virtual_chunk_location_compression",                                 Type::kObject},
    {"manifest.virtual_chunk_location_compression.min_num_chunks",                  Type::kU16},
    {"manifest.virtual_chunk_location_compression.dictionary_max_training_samples", Type::kU16},
    {"manifest.virtual_chunk_location_compression.dictionary_max_size_bytes",       Type::kU32},
    {"manifest.virtual_chunk_location_compression.compression_level",               Type::kI32},
    {"previous_file",                           Type::kText},
    {"repo_update_retries",                     Type::kObject},
    {"repo_update_retries.default",             Type::kObject},
    {"repo_update_retries.default.max_tries",   Type::kU16, 1},
    {"repo_update_retries.default.initial_backoff_ms", Type::kU32},
    {"repo_update_retries.default.max_backoff_ms",     Type::kU32},
    {"num_updates_per_repo_info_file",          Type::kU16},
};
// clang-format on

/// The value at a path, or nullptr; null counts as absent.
const core::Json* find_path(const core::Json& root, std::string_view path) {
  const core::Json* at = &root;
  while (at != nullptr) {
    const std::size_t dot = path.find('.');
    at = at->find(path.substr(0, dot));
    if (at == nullptr || at->is_null()) return nullptr;
    if (dot == std::string_view::npos) return at;
    path.remove_prefix(dot + 1);
  }
  return nullptr;
}

/// The value at a path, made if needed; null and other kinds on the way become objects.
core::Json& make_path(core::Json& root, std::string_view path) {
  core::Json* at = &root;
  for (;;) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    if (!at->is_object()) *at = core::Json::Object{};
    if (at->find(name) == nullptr) at->set(name, nullptr);
    at = at->find(name);
    if (dot == std::string_view::npos) return *at;
    path.remove_prefix(dot + 1);
  }
}

bool fits(const core::Json& value, const Key& key) {
  const auto unsigned_up_to = [&](std::uint64_t most) {
    return value.is_integer() && value.is_unsigned() && value.as_uint64() >= key.least &&
           value.as_uint64() <= most;
  };
  switch (key.type) {
    case Type::kU8:
      return unsigned_up_to(std::numeric_limits<std::uint8_t>::max());
    case Type::kU16:
      return unsigned_up_to(std::numeric_limits<std::uint16_t>::max());
    case Type::kU32:
      return unsigned_up_to(std::numeric_limits<std::uint32_t>::max());
    case Type::kU64:
      return unsigned_up_to(std::numeric_limits<std::uint64_t>::max());
    case Type::kI32:
      return value.is_integer() &&
             (!value.is_unsigned() || unsigned_up_to(std::numeric_limits<std::int32_t>::max())) &&
             (value.is_unsigned() || value.as_int64() >= std::numeric_limits<std::int32_t>::min());
    case Type::kBool:
      return value.is_bool();
    case Type::kText:
      return value.is_string();
    case Type::kObject:
      return value.is_object();
  }
  return false;
}

template <typename Number>
Number number_at(const core::Json& root, std::string_view path, Number otherwise) {
  const core::Json* const value = find_path(root, path);
  return value == nullptr ? otherwise : static_cast<Number>(value->as_uint64());
}

/// Objects that a later configuration replaces as a whole.
bool replaced_whole(std::string_view name) {
  return name == "virtual_chunk_containers" || name == "splitting" || name == "preload";
}

void merge_into(core::Json& base, const core::Json& later) {
  for (const auto& [name, value] : later.as_object()) {
    if (value.is_null()) continue;
    core::Json* const before = base.find(name);
    if (before != nullptr && before->is_object() && value.is_object() && !replaced_whole(name)) {
      merge_into(*before, value);
    } else {
      base.set(name, value);
    }
  }
}

}  // namespace

core::Result<RepositoryConfig> RepositoryConfig::from_json(core::Json object) {
  const auto refuse = [](std::string_view what) {
    return core::Error(core::ErrorCode::kCorrupt, core::text("configuration: ", what));
  };
  if (!object.is_object()) return refuse("no map");
  for (const Key& key : kKeys) {
    const core::Json* const value = find_path(object, key.path);
    if (value != nullptr && !fits(*value, key)) {
      return refuse(core::text(key.path, " is of the wrong type or out of range"));
    }
  }
  if (const core::Json* const splitting = find_path(object, "manifest.splitting")) {
    TRY_ASSIGN(const auto checked, splitting_from_json(*splitting));
    static_cast<void>(checked);
  }
  if (const core::Json* const preload = find_path(object, "manifest.preload.preload_if")) {
    TRY(check_preload_condition(*preload));
  }
  RepositoryConfig made;
  made.json_ = std::move(object);
  return made;
}

std::uint16_t RepositoryConfig::inline_chunk_threshold_bytes() const {
  return number_at<std::uint16_t>(json_, "inline_chunk_threshold_bytes", 512);
}

std::uint16_t RepositoryConfig::num_updates_per_repo_info_file() const {
  return number_at<std::uint16_t>(json_, "num_updates_per_repo_info_file", 1000);
}

int RepositoryConfig::compression_level() const {
  return number_at<int>(json_, "compression.level", 3);
}

UpdateRetries RepositoryConfig::update_retries() const {
  const UpdateRetries usual;
  const auto at = [this](std::string_view name, auto otherwise) {
    return number_at(json_, core::text("repo_update_retries.default.", name), otherwise);
  };
  return {.max_tries = at("max_tries", usual.max_tries),
          .initial_backoff_ms = at("initial_backoff_ms", usual.initial_backoff_ms),
          .max_backoff_ms = at("max_backoff_ms", usual.max_backoff_ms)};
}

std::uint32_t RepositoryConfig::preload_max_arrays_to_scan() const {
  return number_at<std::uint32_t>(json_, "manifest.preload.max_arrays_to_scan", 50);
}

SplittingRules RepositoryConfig::splitting() const {
  const core::Json* const rules = find_path(json_, "manifest.splitting");
  if (rules == nullptr) return {};
  auto made = splitting_from_json(*rules);  // checked when the configuration was made
  return made ? *std::move(made) : SplittingRules{};
}

std::vector<VirtualContainer> RepositoryConfig::containers() const {
  std::vector<VirtualContainer> made;
  const core::Json* const entries = find_path(json_, "virtual_chunk_containers");
  if (entries == nullptr) return made;
  for (const auto& [key, entry] : entries->as_object()) {
    auto container = container_from_json(entry);
    if (container && check_container(*container)) made.push_back(*std::move(container));
  }
  return made;
}

void RepositoryConfig::set_inline_chunk_threshold_bytes(std::uint16_t bytes) {
  make_path(json_, "inline_chunk_threshold_bytes") = std::uint64_t{bytes};
}

void RepositoryConfig::set_num_updates_per_repo_info_file(std::uint16_t updates) {
  make_path(json_, "num_updates_per_repo_info_file") = std::uint64_t{updates};
}

void RepositoryConfig::set_compression_level(std::uint8_t level) {
  make_path(json_, "compression.level") = std::uint64_t{level};
}

void RepositoryConfig::set_preload_max_arrays_to_scan(std::uint32_t arrays) {
  make_path(json_, "manifest.preload.max_arrays_to_scan") = std::uint64_t{arrays};
}

void RepositoryConfig::set_splitting(const SplittingRules& rules) {
  make_path(json_, "manifest.splitting") = splitting_to_json(rules);
}

core::Status RepositoryConfig::set_container(const VirtualContainer& container) {
  TRY(check_container(container));
  if (container.name) {
    // absent is fine: then there is nothing to replace
    const auto removed = remove_container(*container.name);
    static_cast<void>(removed);
  }
  core::Json& entries = make_path(json_, "virtual_chunk_containers");
  entries.set(container.url_prefix, container_to_json(container));
  return {};
}

core::Status RepositoryConfig::remove_container(std::string_view name) {
  if (core::Json* const entries = json_.find("virtual_chunk_containers");
      entries != nullptr && entries->is_object()) {
    const auto removed = std::erase_if(entries->as_object(), [name](const auto& member) {
      const core::Json* const own = member.second.find("name");
      return own != nullptr && own->is_string() && own->as_string() == name;
    });
    if (removed > 0) return {};
  }
  return core::Error(core::ErrorCode::kNotFound, core::text("no virtual chunk container ", name));
}

RepositoryConfig RepositoryConfig::merged_with(const RepositoryConfig& later) const {
  RepositoryConfig merged = *this;
  merge_into(merged.json_, later.json_);
  return merged;
}

RepositoryConfig new_repository_config() {
  RepositoryConfig config;
  config.set_preload_max_arrays_to_scan(0);
  return config;
}

core::Result<RepositoryConfig> decode_config(std::span<const std::byte> flexbuffer) {
  TRY_ASSIGN(auto object, decode_flexbuffer(flexbuffer));
  return RepositoryConfig::from_json(std::move(object));
}

core::Result<core::Bytes> encode_config(const RepositoryConfig& config) {
  return encode_flexbuffer(config.json());
}

core::Result<RepositoryConfig> decode_config_yaml(std::span<const std::byte> yaml) {
  TRY_ASSIGN(auto object, parse_yaml(core::as_text(yaml)));
  if (object.is_null()) return RepositoryConfig();  // an empty file
  return RepositoryConfig::from_json(std::move(object));
}

}  // namespace icefield::icechunk
