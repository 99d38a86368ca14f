#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.h"
#include "dataset/source_file.h"
#include "dataset/spec.h"
#include "sample_source/provider.h"
#include "sample_source/record.h"

namespace icefield::sample_source {

/// Which part of a provider's messages is invented.
struct Selection {
  std::vector<dataset::VariableIndex> variables;  // in the table's order, each once
  std::size_t levels = 0;                         // of each vertical coordinate, at most
  std::size_t extra_messages = 0;                 // of each file type, at most
};

/// The variables of these names, and of each file type the one that stands for the whole file.
/// No name: the few of the provider. "all": every variable.
/// Errors: kInvalidArgument naming what is unknown.
core::Result<std::vector<dataset::VariableIndex>> select_sample_variables(
    const dataset::DatasetSpec& spec, const Provider& provider,
    const std::vector<std::string>& names);

/// Positions of `wanted` of `count` levels, evenly spread; always the first, all if fewer.
std::vector<std::size_t> spread_levels(std::size_t count, std::size_t wanted);

/// The messages of one file in their order, each (element, level, window) once. A variable that
/// has no values at hour 0 still has a message there, as at the provider: zeros, which nobody uses.
std::vector<Record> list_records(const dataset::DatasetSpec& spec, const Provider& provider,
                                 const dataset::SourceFile& file, const Selection& selection);

}  // namespace icefield::sample_source
