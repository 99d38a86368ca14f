#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "core/result.h"

namespace icefield::icechunk {

// Paths of nodes are UTF-8 text: `/` is the root; others start with `/`, do not end in `/`, and
// have no segment that is empty, `.` or `..`. Ordered by bytes inside a snapshot.

/// Errors: kInvalidArgument, naming the path, when it is not of that form.
core::Status check_path(std::string_view path);

/// The order of moves in a transaction log: lists of segments, each bytewise; a prefix is first.
std::strong_ordering compare_by_segments(std::string_view left, std::string_view right);

/// The path without its last segment; `/` for the root and its children. Precondition: check_path.
std::string_view parent_path(std::string_view path);

/// The last segment; empty for the root. Precondition: check_path.
std::string_view path_name(std::string_view path);

/// `parent` + `/` + `name`, where the root adds nothing of its own.
std::string join_path(std::string_view parent, std::string_view name);

/// True when `path` lies strictly below `ancestor`: /a/b below /a and below /, never /ab below /a.
bool is_below(std::string_view path, std::string_view ancestor);

/// `path` seen after its ancestor (or itself) moved. Precondition: path == from or is_below it.
std::string moved_path(std::string_view path, std::string_view from, std::string_view to);

}  // namespace icefield::icechunk
