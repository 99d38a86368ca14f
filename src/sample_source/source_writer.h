#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "core/progress.h"
#include "core/result.h"
#include "core/time.h"
#include "sample_source/fault.h"
#include "sample_source/message.h"
#include "sample_source/record.h"

namespace icefield::sample_source {

/// What was done with one data file and its index.
struct WrittenFile {
  std::uint64_t data_bytes = 0;   // in the tree now
  std::uint64_t index_bytes = 0;  // in the tree now
  bool has_data = false;
  bool changed = false;  // something in the tree is not as it was before
};

/// One data file to write.
struct FileOrder {
  std::filesystem::path path;  // of the data file; the index gets ".idx" behind it
  std::span<const Record> records;
  core::Timestamp initialized;
  std::uint64_t seed = 0;
  std::optional<FaultKind> fault;
};

/// Writes the messages one after the other, then the index, with the fault asked for. Each file is
/// replaced as a whole by a rename and left alone when it is the same already; what a fault says
/// is not there is removed. `progress` hears of each message.
/// Errors: of MessageWriter, and kPermissionDenied or kUnavailable of the file system.
core::Result<WrittenFile> write_source_file(const FileOrder& order, MessageWriter& writer,
                                            core::Progress& progress);

}  // namespace icefield::sample_source
