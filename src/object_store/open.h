#pragma once

#include <memory>
#include <string_view>

#include "core/result.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// The store behind a URL; every key of the store is relative to it. Nothing is contacted or
/// created: an absent folder is an empty store, and the first put makes it.
///
///   /data/x  ./x  x         a folder on local disk (the working directory completes it)
///   file:///data/x%20y      the same; the path is percent-decoded
///   memory://               a fresh store that dies with the returned object
///   memory://NAME[/prefix]  the store of that name in this process, kept until it ends
///
/// Errors: kInvalidArgument for text that is no such URL or holds user information (a password
/// would end up in stored metadata), kUnsupported for a scheme that no store here has.
core::Result<std::unique_ptr<ObjectStore>> open_store(std::string_view url);

}  // namespace icefield::object_store
