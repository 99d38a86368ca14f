#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "core/text.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/commit/commit.h"
#include "icechunk/commit/repository.h"
#include "object_store/memory/memory_store.h"

// Small words for the tests of this room. They abort on errors: what they do must work.
namespace icefield::icechunk::testing_words {

template <typename T>
T must(core::Result<T> result) {
  if (!result) {
    std::fputs((result.error().message() + "\n").c_str(), stderr);
    std::abort();
  }
  return *std::move(result);
}
inline void must(const core::Status& status) {
  if (status) return;
  std::fputs((status.error().message() + "\n").c_str(), stderr);
  std::abort();
}

inline std::string group_json() {
  return R"({"zarr_format":3,"node_type":"group"})";
}

/// An array document with chunks of one element: shape and grid are equal.
inline std::string array_json(const std::vector<std::uint32_t>& shape,
                              const std::string& attributes = "{}") {
  std::vector<std::string> sizes;
  std::vector<std::string> ones;
  for (const auto size : shape) {
    sizes.push_back(std::to_string(size));
    ones.emplace_back("1");
  }
  return core::text(R"({"zarr_format":3,"node_type":"array","shape":[)", core::join(sizes, ","),
                    R"(],"data_type":"uint8","chunk_grid":{"name":"regular","configuration":)",
                    R"({"chunk_shape":[)", core::join(ones, ","),
                    R"(]}},"chunk_key_encoding":{"name":"default","configuration":)",
                    R"({"separator":"/"}},"fill_value":0,"codecs":[{"name":"bytes"}],)",
                    R"("attributes":)", attributes, "}");
}

inline void put_group(Session& session, std::string_view path) {
  must(session.set_metadata(path, core::as_bytes(group_json())));
}
inline void put_array(Session& session, std::string_view path,
                      const std::vector<std::uint32_t>& shape,
                      const std::string& attributes = "{}") {
  must(session.set_metadata(path, core::as_bytes(array_json(shape, attributes))));
}
inline void put_chunk(Session& session, std::string_view path, const ChunkIndex& index,
                      std::string_view bytes) {
  must(session.set_chunk(path, index, core::to_bytes(bytes)));
}

/// The chunk's bytes as text; "-" when it has none.
inline std::string chunk_text(const Session& session, std::string_view path,
                              const ChunkIndex& index) {
  const auto bytes = must(session.read_chunk(path, index));
  return bytes ? std::string(core::as_text(*bytes)) : "-";
}

/// All chunks of an array by position: inline bytes, `@location+offset` or `native`.
inline std::map<ChunkIndex, std::string> chunks_of(const Session& session, std::string_view path) {
  std::map<ChunkIndex, std::string> chunks;
  must(session.for_each_chunk(path, [&](const ChunkEntry& entry) {
    std::string& shown = chunks[ChunkIndex(entry.index.begin(), entry.index.end())];
    if (const auto* small = std::get_if<InlineView>(&entry.reference)) {
      shown = std::string(core::as_text(small->bytes));
    } else if (const auto* source = std::get_if<VirtualView>(&entry.reference)) {
      shown = core::text("@", source->location, "+", source->range.offset);
    } else {
      shown = "native";
    }
    return true;
  }));
  return chunks;
}

/// One rule for every array: windows of `chunks` along the first dimension.
inline RepositoryConfig split_by(std::uint32_t chunks) {
  RepositoryConfig config;
  config.set_splitting(
      {SplitRule{.condition = {},
                 .sizes = {SplitSize{.condition = {.kind = AxisCondition::Kind::kAxis},
                                     .num_chunks = chunks}}}});
  return config;
}

inline std::shared_ptr<object_store::ObjectStore> memory_store() {
  return object_store::make_memory_store();
}

inline Repository new_repository(const std::shared_ptr<object_store::ObjectStore>& store,
                                 const RepositoryConfig& config = {}) {
  return must(Repository::create(store, config));
}

/// The manifests of an array at the tip of main.
inline std::vector<ManifestRef> manifests_of(const Repository& repository, std::string_view path) {
  const auto session = must(repository.readonly_session(BranchName("main")));
  const auto snapshot = must(repository.assets()->snapshot(session.base()));
  return snapshot->find(path)->array->manifests.refs();
}

/// "[0,3)x[0,2)"
inline std::string box_text(const ChunkBox& box) {
  std::vector<std::string> ranges;
  for (const ChunkRange& range : box.ranges()) {
    ranges.push_back(core::text("[", range.from, ",", range.to, ")"));
  }
  return core::join(ranges, "x");
}

}  // namespace icefield::icechunk::testing_words
