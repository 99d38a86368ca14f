#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "core/strong.h"
#include "core/time.h"

namespace icefield::object_store {

/// Name of an object below the store's root: segments joined by '/', no leading '/'.
using Key = core::Strong<struct KeyTag, std::string>;

/// The store's token for one state of one object (entity tag, generation); compared, never parsed.
using Version = core::Strong<struct VersionTag, std::string>;

struct ObjectInfo {
  Key key;
  std::uint64_t size = 0;       // bytes of the whole object
  Version version;              // empty when a listing does not tell it
  core::Instant last_modified;  // by the store's clock
};

struct Object {
  ObjectInfo info;
  core::Bytes bytes;  // the whole object
};

/// What must hold for a put to happen; checked by the store, atomically with the write.
struct PutCondition {
  enum class Kind { kNone, kAbsent, kUnchangedSince } kind = Kind::kNone;
  std::optional<Version> since = std::nullopt;  // set exactly for kUnchangedSince

  static PutCondition none() { return {}; }
  static PutCondition absent() { return {.kind = Kind::kAbsent}; }
  static PutCondition unchanged_since(Version version) {
    return {.kind = Kind::kUnchangedSince, .since = std::move(version)};
  }
};

/// One object of a put_many.
struct PutRequest {
  Key key;
  std::span<const std::byte> bytes;  // the caller's until the call returns
  PutCondition condition = PutCondition::none();
};

struct ListOptions {
  std::string prefix = {};       // keys that start with this text; not only at segment borders
  std::string start_after = {};  // keys, and folders as text, strictly greater in byte order
  bool recursive = true;         // false: stop at the next '/' after the prefix and give folders
};

/// One page of a listing. Pages come in byte order of keys, and so do the keys of a page.
struct ListPage {
  std::vector<ObjectInfo> objects;
  std::vector<std::string> folders;  // only when not recursive: common prefixes, ending in '/'
};

/// A flat map from keys to immutable byte strings. Every call may be made from any thread.
/// Calls block; fetch many with get_many, which also joins neighbouring ranges, and write many with
/// put_many.
/// Errors of every call: kPermissionDenied, kUnavailable (after the store's own retries),
/// kCancelled; others are named at the call. Messages name the object by its full location and
/// never hold a secret.
class ObjectStore {
 public:
  ObjectStore() = default;
  ObjectStore(const ObjectStore&) = delete;
  ObjectStore& operator=(const ObjectStore&) = delete;
  virtual ~ObjectStore() = default;

  /// URL of the root, ending in '/': "file:///data/x/", "s3://bucket/prefix/", "memory://1/".
  virtual const std::string& location() const = 0;

  /// The whole object. Errors: kNotFound; kCorrupt when fewer bytes came than were promised.
  virtual core::Result<Object> get(const Key& key) const = 0;

  /// The object if its version differs from `known`, nullopt if it is still that version.
  virtual core::Result<std::optional<Object>> get_if_changed(const Key& key,
                                                             const Version& known) const = 0;

  /// Result i belongs to range i, with exactly range.length bytes. One failed range fails only
  /// itself. Errors: kNotFound; kCorrupt when the object ends before the range does.
  virtual std::vector<core::Result<core::Bytes>> get_many(
      const Key& key, std::span<const core::ByteRange> ranges) const = 0;

  /// The last `length` bytes, or the whole object if it is shorter. Errors: kNotFound.
  virtual core::Result<core::Bytes> get_suffix(const Key& key, std::uint64_t length) const = 0;

  /// Errors: kNotFound.
  virtual core::Result<ObjectInfo> head(const Key& key) const = 0;

  /// Writes the whole object atomically: readers see the old or the new bytes.
  /// Errors: kConflict when the condition does not hold (nothing was written; a key that is
  ///         absent under kUnchangedSince is a conflict too);
  ///         kUnknownOutcome when the answer was lost (read back before deciding).
  virtual core::Result<ObjectInfo> put(const Key& key, std::span<const std::byte> bytes,
                                       const PutCondition& condition) = 0;

  /// put() of many, some of them at the same time. Result i belongs to object i; one failed object
  /// fails only itself. Of objects with the same key, which one stays is not said.
  virtual std::vector<core::Result<ObjectInfo>> put_many(std::span<const PutRequest> objects);

  /// Copies within the store; with `only_if`, only when the source still has that version.
  /// Errors: kNotFound (source), kConflict (source changed), kUnknownOutcome.
  virtual core::Status copy(const Key& from, const Key& to,
                            const std::optional<Version>& only_if) = 0;

  /// Result i belongs to key i. An absent object is not an error.
  virtual std::vector<core::Status> remove(std::span<const Key> keys) = 0;

  /// Calls `visit` for page after page until the end or until it returns false.
  /// A prefix without objects gives no page, or empty ones; it is no error.
  virtual core::Status list(const ListOptions& options,
                            const std::function<bool(const ListPage&)>& visit) const = 0;

  /// Removes what interrupted writes before `older_than` left behind and no listing shows
  /// (temporary files, unfinished multipart uploads); gives how many. For maintenance only.
  virtual core::Result<std::size_t> remove_leftovers(core::Instant older_than);
};

/// One range of one object. Convenience over get_many.
core::Result<core::Bytes> get_range(const ObjectStore& store, const Key& key,
                                    core::ByteRange range);

/// All objects under a prefix, in byte order of keys. Only for listings known to be small.
core::Result<std::vector<ObjectInfo>> list_all(const ObjectStore& store, const std::string& prefix);

}  // namespace icefield::object_store
