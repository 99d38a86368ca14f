#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/format/chunk_grid.h"
#include "icechunk/session/session.h"

namespace icefield::icechunk {

/// What a Zarr key stands for: `PATH/zarr.json`, or `PATH/c/I/J/..` (`PATH/c` for a scalar).
/// Other chunk key encodings and the keys of Zarr v2 do not exist in Icechunk (spec 12.2).
struct MetadataKey {
  std::string path;  // absolute: "/" for "zarr.json"
};
struct ChunkKey {
  std::string path;
  ChunkIndex index;
};
using ZarrKey = std::variant<MetadataKey, ChunkKey>;

/// Nothing for a key of any other form, among them those with empty, `.` or `..` segments.
/// `c/0/1` below an array named `c` is told apart by the last `c` that only numbers follow.
std::optional<ZarrKey> parse_zarr_key(std::string_view key);

/// "a/b/zarr.json", without leading '/'.
std::string metadata_key(std::string_view path);
/// "a/b/c/0/1".
std::string chunk_key_text(std::string_view path, ChunkIndexView index);

/// Which bytes of a value are wanted.
struct FromStart {
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length = std::nullopt;  // absent: to the end
};
struct LastBytes {
  std::uint64_t length = 0;  // or the whole value if it is shorter
};
using ValueRange = std::variant<FromStart, LastBytes>;

/// A session as a flat map from Zarr v3 keys to bytes. Threads and errors as Session.
class ZarrStore {
 public:
  /// `session` must outlive the store.
  explicit ZarrStore(Session& session) : session_(session) {}

  /// Nothing when the key has no value. A chunk with a reference that cannot be read is an error
  /// and never absent.
  core::Result<std::optional<core::Bytes>> get(std::string_view key,
                                               const ValueRange& range = FromStart{}) const;

  struct Request {
    std::string key;
    ValueRange range = FromStart{};
  };
  /// Result i belongs to request i. One that fails stops no other.
  std::vector<core::Result<std::optional<core::Bytes>>> get_many(
      std::span<const Request> requests) const;

  core::Result<bool> exists(std::string_view key) const;

  /// Errors: kInvalidArgument for a key of another form; those of set_metadata and set_chunk.
  core::Status set(std::string_view key, core::Bytes value);

  struct Entry {
    std::string key;
    core::Bytes value;
  };
  /// set() for many: documents first, then chunks, each kind in the order given; chunks are written
  /// at the same time. Result i belongs to entry i. One that fails stops no other.
  std::vector<core::Status> set_many(std::vector<Entry> entries);

  /// A metadata key deletes its node with everything below; an absent key is fine.
  core::Status erase(std::string_view key);

  /// Deletes every node at or below the folder `prefix` ("" for all).
  core::Status erase_dir(std::string_view prefix);

  /// Every key that starts with `prefix`, node by node, until `visit` returns false.
  core::Status list(std::string_view prefix,
                    const std::function<bool(std::string_view key)>& visit) const;

  /// Names directly in the folder `prefix`: keys as they are, folders without a final '/'.
  core::Result<std::vector<std::string>> list_dir(std::string_view prefix) const;

 private:
  core::Result<std::optional<core::Bytes>> get_chunk(const ChunkKey& key,
                                                     const ValueRange& range) const;
  Session& session_;
};

}  // namespace icefield::icechunk
