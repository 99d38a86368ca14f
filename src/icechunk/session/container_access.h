#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "object_store/object_store.h"

namespace icefield::icechunk {

/// What the caller allows this process to fetch virtual chunks from, and through what.
/// The persisted configuration alone grants nothing (spec 10): opening a stranger's repository
/// must not send credentials or read local files. Credentials live inside the stores that are
/// handed in; nothing here can write them anywhere. Immutable once a repository was opened with it.
class ContainerAccess {
 public:
  /// Chunks of the container whose url prefix is exactly `url_prefix` (with its final '/') may be
  /// read through `store`, whose root is that prefix. A second grant for a prefix replaces it.
  void authorize(std::string url_prefix, std::shared_ptr<const object_store::ObjectStore> store);

  /// The store of that container, or nullptr when nobody authorised it.
  std::shared_ptr<const object_store::ObjectStore> find(std::string_view url_prefix) const;

  /// From now on a virtual chunk is also read when its source is not what was referenced (one that
  /// was copied over itself, say), with one warning per source in the log. Otherwise such a chunk
  /// is kConflict; refresh_sources (icechunk/commit) repairs the references.
  void allow_changed_sources();

  /// True when that is allowed. Logs the source's first time. Any threads.
  bool accept_changed(std::string_view location) const;

  struct Grant {
    std::string url_prefix;
    std::shared_ptr<const object_store::ObjectStore> store;
  };
  const std::vector<Grant>& grants() const noexcept { return grants_; }

 private:
  struct Warned;  // sources that the log tells of already

  std::vector<Grant> grants_;
  std::shared_ptr<Warned> changed_;  // nullptr: not allowed
};

}  // namespace icefield::icechunk
