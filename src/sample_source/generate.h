#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "core/time.h"
#include "dataset/spec.h"
#include "sample_source/fault.h"

namespace icefield::sample_source {

/// Which part of a provider's archive to invent, and where to put it.
struct SampleRequest {
  const dataset::DatasetSpec* spec = nullptr;  // of a virtual dataset
  std::filesystem::path out;                   // made if absent; gets one folder per bucket
  core::Timestamp start{};                     // the first initialization
  std::size_t inits = 2;                       // consecutive ones
  std::size_t leads = 3;                       // the first ones of each
  std::vector<std::string> file_types = {};    // none: all
  std::vector<std::string> variables = {};     // none: a few of each file type; "all"
  std::size_t levels = 0;                      // of each vertical coordinate; 0: as many as fit
  std::uint64_t seed = 1;
  std::vector<Fault> faults = {};
  enum class LateFiles { kWithhold, kDeliver } late_files = LateFiles::kWithhold;
};

/// One file with something wrong.
struct FaultyFile {
  FaultKind kind = FaultKind::kLate;
  std::string key;  // of the data file in its bucket
};

/// What the tree holds now, of what was asked for.
struct SampleReport {
  core::Timestamp append_dim_end{};    // exclusive: one step after the last initialization
  std::vector<std::string> sources;    // "s3://bucket/=file:///…/bucket/", for --source
  std::vector<core::Timestamp> inits;  // ascending
  std::vector<FaultyFile> faults;
  std::uint64_t files = 0;    // data files that are there
  std::uint64_t bytes = 0;    // of data and index files
  std::uint64_t changed = 0;  // data files that are not as they were before, or their index
};

/// Writes the tree; messages are invented on all cores. `progress` hears of each message.
///
/// Errors, found before anything is written: kUnsupported for a dataset without a sample source;
/// kInvalidArgument for names that the dataset does not have, a start that is no initialization of
/// it, counts of zero, and faults that name no file. Later ones: as write_source_file.
core::Result<SampleReport> generate(const SampleRequest& request, core::Progress& progress);

}  // namespace icefield::sample_source
