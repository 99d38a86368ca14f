#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "dataset/source_file.h"
#include "dataset/spec.h"
#include "object_store/object_store.h"
#include "source/catalog.h"

namespace icefield::source {

/// A file that can be read now. Numbers are positions in the list that was asked about.
struct AvailableFile {
  std::size_t file = 0;
  SourceObject object;            // the data file
  object_store::ObjectInfo data;  // its size and version when it was listed
};

/// A file of which something exists, but not enough to use it.
struct IncompleteFile {
  std::size_t file = 0;
  std::string reason;
};

/// Every pending file is in exactly one of the three lists.
struct Discovery {
  std::vector<AvailableFile> available;    // in the order of the question
  std::vector<IncompleteFile> incomplete;  // data without a usable index, or empty objects
  std::vector<std::size_t> absent;         // no data file listed
};

/// Which of the pending files can be fetched right now: those whose data object, and index object
/// where the source has indexes, are listed and not empty (and the index not absurdly large); an
/// index lies in its data's folder. Lists each distinct parent folder once, `workers` folders at a
/// time. Errors: those of the store when a folder cannot be listed; nothing is assumed absent then.
core::Result<Discovery> discover_available_by_listing(const dataset::DatasetSpec& spec,
                                                      std::span<const dataset::SourceFile> pending,
                                                      const Catalog& catalog, std::size_t workers);

}  // namespace icefield::source
