#include "icechunk/format/virtual_container.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.h"
#include "icechunk/format/internal/url.h"

namespace icefield::icechunk {
namespace {

core::Error corrupt(std::string_view what) {
  return core::Error(core::ErrorCode::kCorrupt, core::text("virtual chunk container: ", what));
}

/// How each kind of store is spelled, and the schemes that it serves.
struct KindRow {
  StoreKind kind;
  std::string_view name;
  std::array<std::string_view, 3> schemes;  // unused ones are empty
};
constexpr KindRow kKinds[] = {
    {StoreKind::kS3, "s3", {"s3"}},
    {StoreKind::kS3Compatible, "s3_compatible", {"s3"}},
    {StoreKind::kTigris, "tigris", {"tigris", "s3"}},
    {StoreKind::kGcs, "gcs", {"gs", "gcs"}},
    {StoreKind::kAzure, "azure", {"az", "azure", "abfs"}},
    {StoreKind::kHttp, "http", {"http", "https"}},
    {StoreKind::kLocal, "local_file_system", {"file"}},
    {StoreKind::kMemory, "in_memory", {}},
};

const KindRow& row_of(StoreKind kind) {
  return *std::ranges::find(kKinds, kind, &KindRow::kind);
}

bool is_s3(StoreKind kind) {
  return kind == StoreKind::kS3 || kind == StoreKind::kS3Compatible || kind == StoreKind::kTigris;
}

core::Result<std::optional<std::string>> optional_text(const core::Json& object,
                                                       std::string_view name) {
  const core::Json* const value = object.find(name);
  if (value == nullptr || value->is_null()) return std::optional<std::string>();
  if (!value->is_string()) return corrupt(core::text(name, " is no text"));
  return std::optional(value->as_string());
}

core::Result<bool> flag(const core::Json& object, std::string_view name) {
  const core::Json* const value = object.find(name);
  if (value == nullptr || value->is_null()) return false;
  if (!value->is_bool()) return corrupt(core::text(name, " is no boolean"));
  return value->as_bool();
}

core::Status read_s3(const core::Json& data, S3Options& s3) {
  for (const char* const needed :
       {"anonymous", "allow_http"}) {  // else nobody opens the repository
    if (data.find(needed) == nullptr) return corrupt(core::text(needed, " is missing"));
  }
  TRY_ASSIGN(s3.region, optional_text(data, "region"));
  TRY_ASSIGN(s3.endpoint_url, optional_text(data, "endpoint_url"));
  TRY_ASSIGN(s3.anonymous, flag(data, "anonymous"));
  TRY_ASSIGN(s3.allow_http, flag(data, "allow_http"));
  TRY_ASSIGN(s3.force_path_style, flag(data, "force_path_style"));
  TRY_ASSIGN(s3.requester_pays, flag(data, "requester_pays"));
  return {};
}

core::Status read_store(const core::Json& store, VirtualContainer& container) {
  container.stored = store;
  if (store.is_string() && store.as_string() == "in_memory") {
    container.kind = StoreKind::kMemory;
    return {};
  }
  if (!store.is_object() || store.as_object().size() != 1) return corrupt("store of no kind");
  const auto& [name, data] = store.as_object().front();
  const auto* const row = std::ranges::find(kKinds, std::string_view(name), &KindRow::name);
  if (row == std::end(kKinds)) return corrupt(core::text("store of kind ", name));
  container.kind = row->kind;
  if (container.kind == StoreKind::kLocal) {
    if (!data.is_string()) return corrupt("local_file_system is no path");
    container.local_root = data.as_string();
    return {};
  }
  if (!data.is_object()) return corrupt(core::text("store ", name, " has no options"));
  if (is_s3(container.kind)) return read_s3(data, container.s3);
  for (const auto& [option, value] : data.as_object()) {
    if (value.is_string()) container.options.emplace(option, value.as_string());
  }
  return {};
}

core::Json or_null(const std::optional<std::string>& text) {
  return text ? core::Json(*text) : core::Json();
}

core::Json store_to_json(const VirtualContainer& container) {
  const std::string name(row_of(container.kind).name);
  if (container.kind == StoreKind::kMemory) return core::Json(name);
  if (container.kind == StoreKind::kLocal)
    return core::Json::object({{name, container.local_root}});
  core::Json data = core::Json::Object{};
  if (const core::Json* const before = container.stored.find(name)) data = *before;
  if (is_s3(container.kind)) {
    const S3Options& s3 = container.s3;
    data.set("region", or_null(s3.region));
    data.set("endpoint_url", or_null(s3.endpoint_url));
    data.set("anonymous", s3.anonymous);
    data.set("allow_http", s3.allow_http);
    data.set("force_path_style", s3.force_path_style);
    data.set("requester_pays", s3.requester_pays);
    for (const char* const unused : {"network_stream_timeout_seconds", "checksum_algorithm"}) {
      if (data.find(unused) == nullptr) data.set(unused, nullptr);
    }
  }
  for (const auto& [option, value] : container.options) data.set(option, value);
  return core::Json::object({{name, std::move(data)}});
}

}  // namespace

VirtualContainer anonymous_s3_container(std::string_view name, std::string_view url_prefix,
                                        std::string_view region) {
  VirtualContainer made{.url_prefix = std::string(url_prefix), .kind = StoreKind::kS3};
  if (!name.empty()) made.name = name;
  made.s3.region = region;
  made.s3.anonymous = true;
  return made;
}

VirtualContainer local_container(std::string_view name, std::string_view directory) {
  std::string root(directory);
  while (root.size() > 1 && root.back() == '/') root.pop_back();
  VirtualContainer made{.kind = StoreKind::kLocal};
  if (!name.empty()) made.name = name;
  made.url_prefix = "file://" + (root == "/" ? root : root + "/");
  made.local_root = std::move(root);
  return made;
}

core::Status check_container(const VirtualContainer& container) {
  const auto refuse = [&container](std::string_view why) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("virtual chunk container \"", container.url_prefix, "\": ", why));
  };
  if (container.name &&
      (container.name->empty() || container.name->find('/') != std::string::npos)) {
    return refuse("a name is not empty and has no /");
  }
  if (!container.url_prefix.ends_with('/')) return refuse("the prefix must end in /");
  const auto url = internal::split_url(container.url_prefix);
  if (!url) return refuse("the prefix is no URL");
  if (container.kind == StoreKind::kMemory) return refuse("memory cannot be read");
  const auto& schemes = row_of(container.kind).schemes;
  if (std::ranges::find(schemes, url->scheme) == schemes.end()) {
    return refuse(
        core::text("scheme ", url->scheme, " does not fit store ", row_of(container.kind).name));
  }
  if (container.kind != StoreKind::kLocal) {
    if (url->authority.empty()) return refuse("the prefix has no host");
    return {};
  }
  if (!url->authority.empty()) return refuse("a file prefix has no host");
  if (internal::has_dot_segment(url->path)) return refuse("a file prefix has no . or .. segments");
  return {};
}

core::Result<VirtualContainer> container_from_json(const core::Json& entry) {
  VirtualContainer container;
  if (!entry.is_object()) return corrupt("no object");
  TRY_ASSIGN(container.name, optional_text(entry, "name"));
  TRY_ASSIGN(const auto prefix, optional_text(entry, "url_prefix"));
  if (!prefix) return corrupt("no url_prefix");
  container.url_prefix = *prefix;
  if (!container.url_prefix.ends_with('/')) container.url_prefix += '/';
  const core::Json* const store = entry.find("store");
  if (store == nullptr) return corrupt("no store");
  TRY(read_store(*store, container));
  return container;
}

core::Json container_to_json(const VirtualContainer& container) {
  return core::Json::object({{"name", or_null(container.name)},
                             {"url_prefix", container.url_prefix},
                             {"store", store_to_json(container)}});
}

}  // namespace icefield::icechunk
