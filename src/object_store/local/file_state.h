#pragma once

#include <string>

#include "core/result.h"
#include "object_store/object_store.h"

struct stat;

namespace icefield::object_store {

/// What a file's status says as an object. The version is made of inode, size and modification
/// time in nanoseconds: a rewrite makes a new inode, and PendingFile gives every file a time that
/// no earlier state of its key had, so that a reused inode cannot bring an old version back.
ObjectInfo info_of(const Key& key, const struct stat& status);

/// As core::errno_error, and kInvalidArgument for names that a file system refuses
/// (a segment above 255 bytes).
core::Error file_error(int error_number, const std::string& doing);

/// The status of a regular file by path, following links.
/// Errors: kNotFound (also for a folder or a device), kPermissionDenied, kUnavailable.
core::Result<ObjectInfo> file_info(const Key& key, const std::string& path);

}  // namespace icefield::object_store
