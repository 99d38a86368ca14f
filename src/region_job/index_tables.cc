#include "region_job/index_tables.h"

#include <optional>
#include <string>
#include <string_view>
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
  std::optional<core::Error> failed;
  spec.virtual_source->match_table(spec, file, variables)
      .for_each([&](std::string_view element, std::string_view level, std::string_view label,
                    dataset::Match match) {
        const auto window = grib::parse_window(label);
        if (!window) {
          failed = window.error();
          return;
        }
        const auto [payload, added] = payloads.try_emplace(
            {match.variable, match.level_index}, static_cast<std::uint32_t>(table.matches.size()));
        if (added) table.matches.push_back(match);
        wanted.push_back({.element = std::string(element),
                          .level = std::string(level),
                          .window = *window,
                          .payload = payload->second});
      });
  if (failed) return *std::move(failed);
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
