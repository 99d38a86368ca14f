#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "dataset/chunk_resolver.h"
#include "dataset/source_file.h"
#include "dataset/spec.h"
#include "icechunk/session/session.h"
#include "region_job/reference.h"

namespace icefield::region_job {

/// One whole source file on its way into a commit.
struct ReadyFile {
  dataset::SourceFile file;
  FileReferences references;
  icechunk::SourceIdentity identity;  // what the source was when its index was read, if recorded
};

/// References waiting for one commit, array by array. A file is in it whole or not at all.
class Batch {
 public:
  Batch(const dataset::DatasetSpec& spec, const dataset::ChunkResolver& resolver,
        std::span<const dataset::VariableIndex> variables)
      : spec_(spec), resolver_(resolver), variables_(variables), arrays_(spec.variables.size()) {}

  /// Errors: kCorrupt, naming file, variable and location, when the references do not
  /// cover the chunk that the presence filter looks for: the file could never be seen as
  /// ingested. Nothing is added then.
  core::Status add(const ReadyFile& ready);

  std::uint64_t references() const noexcept { return references_; }
  bool empty() const noexcept { return references_ == 0; }

  /// Sets every reference in the session, one call per array.
  /// Errors: those of Session::add_location and set_virtual_references.
  core::Status stage(icechunk::Session& session) const;

 private:
  struct Array {
    std::vector<std::uint32_t> indices;  // flattened
    std::vector<std::uint32_t> files;    // positions in files_
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint64_t> lengths;
  };
  struct File {
    std::string location;  // vcc://<container>/<key>
    icechunk::SourceIdentity identity;
  };

  core::Result<std::vector<zarr::ChunkIndex>> resolve(const ReadyFile& ready) const;
  core::Status check_covered(const ReadyFile& ready,
                             std::span<const zarr::ChunkIndex> indices) const;

  const dataset::DatasetSpec& spec_;
  const dataset::ChunkResolver& resolver_;
  std::span<const dataset::VariableIndex> variables_;
  std::vector<Array> arrays_;  // one per variable of the spec
  std::vector<File> files_;
  std::uint64_t references_ = 0;
};

}  // namespace icefield::region_job
