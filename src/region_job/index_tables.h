#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "core/result.h"
#include "dataset/source_file.h"
#include "dataset/spec.h"
#include "dataset/wanted_message.h"
#include "grib/index/match.h"

namespace icefield::region_job {

/// Which index entry fills which variable, compiled once per kind of file: files of the same type
/// and lead have the same table. Immutable after make; any thread may use it.
class IndexTables {
 public:
  struct Table {
    grib::MatchTable compiled;            // its payloads are positions in `matches`
    std::vector<dataset::Match> matches;  // what a hit fills
  };

  /// Tables for all kinds of file that occur in `files`.
  /// Errors: kInvalidArgument for a window label of the dataset that cannot be read.
  static core::Result<IndexTables> make(const dataset::DatasetSpec& spec,
                                        std::span<const dataset::SourceFile> files,
                                        std::span<const dataset::VariableIndex> variables);

  /// Precondition: a file of this kind was among those given to make.
  const Table& of(const dataset::SourceFile& file) const;

 private:
  using Kind = std::tuple<std::uint8_t, std::int64_t>;  // file type, lead in seconds
  std::map<Kind, Table> tables_;
};

}  // namespace icefield::region_job
