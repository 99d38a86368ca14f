#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "icechunk/format/envelope.h"

namespace icefield::icechunk {

/// A rule that a file breaks although it can be decoded.
struct Deviation {
  bool is_damage = false;  // false: every reader lives with it, no writer should leave it so
  std::string what = {};
};

/// What the decoded value of a metadata file does not show, because the decoder repairs it or
/// passes over it (docs/formats/icechunk.md says where).
struct FileInspection {
  SpecVersion version = SpecVersion::kV2;  // by the file's own header
  std::vector<Deviation> deviations = {};  // in the order of the file; of a large file the first
};

/// Looks at the envelope and the buffer of a file. Takes as long as decoding it; for verify,
/// readers do not need it. Errors: as the decoder of that type.
core::Result<FileInspection> inspect_file(std::span<const std::byte> file, FileType type);

}  // namespace icefield::icechunk
