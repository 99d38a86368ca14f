#include "region_job/index_tables.h"

#include <utility>

#include "grib/index/window.h"

namespace icefield::region_job {
namespace {

core::Result<IndexTables::Table> compile(const dataset::DatasetSpec& spec,
                                         const dataset::SourceFile& file,
                                         std::span<const dataset::VariableIndex> variables) {
  IndexTables::Table table;
  std::vector<grib::WantedField> wanted;
  std::map<std::pair<dataset::VariableIndex, std::uint32_t>, std::uint32_t> payloads;
  for (auto& message : spec.virtual_source->wanted_messages(spec, file, variables)) {
    TRY_ASSIGN(const auto window, grib::parse_window(message.window));
    const auto [payload, added] =
        payloads.try_emplace({message.match.variable, message.match.level_index},
                             static_cast<std::uint32_t>(table.matches.size()));
    if (added) table.matches.push_back(message.match);
    wanted.push_back({.element = std::move(message.element),
                      .level = std::move(message.level),
                      .window = window,
                      .payload = payload->second});
  }
  table.compiled = grib::MatchTable::compile(wanted);
  return table;
}

}  // namespace

core::Result<IndexTables> IndexTables::make(const dataset::DatasetSpec& spec,
                                            std::span<const dataset::SourceFile> files,
                                            std::span<const dataset::VariableIndex> variables) {
  IndexTables made;
  for (const auto& file : files) {
    const Kind kind{file.file_type, file.lead.count()};
    if (made.tables_.contains(kind)) continue;
    TRY_ASSIGN(auto table, compile(spec, file, variables));
    made.tables_.emplace(kind, std::move(table));
  }
  return made;
}

const IndexTables::Table& IndexTables::of(const dataset::SourceFile& file) const {
  return tables_.at({file.file_type, file.lead.count()});
}

}  // namespace icefield::region_job
