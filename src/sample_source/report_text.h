#pragma once

#include <string>
#include <string_view>

#include "sample_source/generate.h"

namespace icefield::sample_source {

/// The report as one line of JSON, without a line end: {"append_dim_end", "sources", "files",
/// "bytes", "inits", "faults": [{"kind", "key"}], "changed"}.
std::string report_json(const SampleReport& report);

/// The report for people: what is there, what is wrong, and the command that uses it.
std::string report_text(const SampleReport& report, std::string_view dataset_id);

}  // namespace icefield::sample_source
