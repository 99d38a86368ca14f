#include "sample_source/report_text.h"

#include "core/json.h"
#include "core/text.h"
#include "core/time.h"

namespace icefield::sample_source {

std::string report_json(const SampleReport& report) {
  core::Json::Array sources(report.sources.begin(), report.sources.end());
  core::Json::Array inits;
  for (const auto init : report.inits) inits.emplace_back(core::format_timestamp(init));
  core::Json::Array faults;
  for (const auto& fault : report.faults) {
    faults.push_back(core::Json::object({{"kind", name_of(fault.kind)}, {"key", fault.key}}));
  }
  return core::Json::object({{"append_dim_end", core::format_timestamp(report.append_dim_end)},
                             {"sources", std::move(sources)},
                             {"files", report.files},
                             {"bytes", report.bytes},
                             {"inits", std::move(inits)},
                             {"faults", std::move(faults)},
                             {"changed", report.changed}})
      .dump();
}

std::string report_text(const SampleReport& report, std::string_view dataset_id) {
  std::string text = core::text(report.files, " data files, ", report.bytes / 1'000'000, " MB, ",
                                report.changed, " changed\n");
  for (const auto& fault : report.faults) {
    text += core::text(name_of(fault.kind), ": ", fault.key, "\n");
  }
  text += core::text("\nicefield ", dataset_id, " backfill-local ",
                     core::format_timestamp(report.append_dim_end));
  for (const auto& source : report.sources) text += core::text(" --source ", source);
  return text + "\n";
}

}  // namespace icefield::sample_source
