#pragma once

#include <string_view>

#include "core/json.h"
#include "core/result.h"

namespace icefield::icechunk {

/// The YAML that official writers use for config.yaml of spec version 1, as JSON: block mappings
/// and sequences, plain and quoted scalars of one line, empty `{}` and `[]`, comments. A tagged
/// value (`!s3 ...`) becomes an object with the tag as its only member. Scalars as in YAML 1.2
/// (core schema): null, booleans, integers, floats, else text.
/// Errors: kCorrupt, with the line, for anything else (anchors, flow collections with content,
/// scalars of several lines, tabs as indentation), a repeated key, nesting over 64.
core::Result<core::Json> parse_yaml(std::string_view text);

}  // namespace icefield::icechunk
