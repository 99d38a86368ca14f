#pragma once

#include <string>

#include "coordination/local_backfill.h"
#include "core/result.h"
#include "dataset/spec.h"

namespace icefield::cli {

/// Prints what a backfill did: for people as lines, for scripts as one JSON line
/// {"store","snapshot","files":{"expected","found","used","skipped":[{"url","reason"}],"absent"},
/// "references","commits","seconds","hosts"} at the end of standard output; hosts:
/// traffic_report.h. Errors: kUnavailable when standard output takes no more.
core::Status print_report(const dataset::DatasetSpec& spec, const std::string& store,
                          const coordination::BackfillResult& result, double seconds, bool as_json);

}  // namespace icefield::cli
