#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "dataset/source_file.h"
#include "dataset/spec.h"
#include "dataset/wanted_message.h"
#include "grib/index/verify.h"
#include "icechunk/format/chunk_reference.h"
#include "region_job/index_tables.h"
#include "source/catalog.h"
#include "source/discovery.h"

namespace icefield::region_job {

/// One message of a source file and the chunk that it fills.
struct MessageReference {
  dataset::Match match;
  core::ByteRange range;  // of the whole message in the data file
};

/// A message that a variable needs and cannot have.
struct RefusedMessage {
  dataset::VariableIndex variable = 0;
  std::string reason;
};

/// Every pointer that one file contributes.
struct FileReferences {
  std::vector<MessageReference> references;  // in file order, not empty
  std::vector<RefusedMessage> refused;
  std::uint64_t unmapped = 0;  // messages of nothing that the dataset publishes
};

/// The references of one available file: reads its index, checks it against the data file (how
/// much of it: `verify`) and looks up what each entry fills. Reads no data section.
/// Errors, each a reason to skip this file: kCorrupt for an index that breaks its format or does
/// not fit its data file (docs/formats/index_sidecars.md), for a label that several messages
/// carry, and for an index without any of the dataset's variables; what the store gave when the
/// index or a header cannot be read.
core::Result<FileReferences> file_refs(const dataset::DatasetSpec& spec,
                                       const dataset::SourceFile& file,
                                       const source::AvailableFile& available,
                                       const source::Catalog& catalog,
                                       const IndexTables::Table& table,
                                       const grib::VerifyOptions& verify);

}  // namespace icefield::region_job
