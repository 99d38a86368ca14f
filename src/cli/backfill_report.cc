#include "cli/backfill_report.h"

#include <array>
#include <cstdio>

#include "cli/traffic_report.h"
#include "core/json.h"
#include "core/text.h"
#include "core/time.h"
#include "dataset/time_axis.h"

namespace icefield::cli {
namespace {

core::Json to_json(const std::string& store, const coordination::BackfillResult& result,
                   double seconds) {
  const auto& files = result.files;
  core::Json::Array skipped;
  for (const auto& one : files.skipped) {
    skipped.push_back(core::Json::object({{"url", one.url}, {"reason", one.reason}}));
  }
  core::Json file_counts = core::Json::object({{"expected", files.expected},
                                               {"found", files.found()},
                                               {"used", files.used},
                                               {"skipped", std::move(skipped)},
                                               {"absent", files.absent}});
  if (!files.refused.empty()) {
    core::Json::Array refused;
    for (const auto& one : files.refused) {
      refused.push_back(core::Json::object(
          {{"url", one.url}, {"variable", one.variable}, {"reason", one.reason}}));
    }
    file_counts.set("refused", std::move(refused));
  }
  return core::Json::object({{"store", store},
                             {"snapshot", result.snapshot.text()},
                             {"files", std::move(file_counts)},
                             {"references", files.references},
                             {"commits", files.commits},
                             {"seconds", seconds},
                             {"hosts", traffic_json()}});
}

std::string seconds_text(double seconds) {
  std::array<char, 32> buffer{};
  const int size = std::snprintf(buffer.data(), buffer.size(), "%.2f s", seconds);
  return {buffer.data(), static_cast<std::size_t>(size)};
}

void print_lines(const dataset::DatasetSpec& spec, const std::string& store,
                 const coordination::BackfillResult& result, double seconds) {
  const auto& files = result.files;
  for (const auto& one : files.skipped) {
    std::puts(core::text("skipped     ", one.url, ": ", one.reason).c_str());
  }
  for (const auto& one : files.refused) {
    std::puts(core::text("refused     ", one.variable, " of ", one.url, ": ", one.reason).c_str());
  }
  if (files.absent > 0) {
    std::puts(
        core::text("absent      ", files.absent, " files, first ", files.first_absent).c_str());
  }
  const auto last = result.append_size == 0
                        ? std::string("nothing")
                        : core::format_timestamp(dataset::label_at(spec, result.append_size - 1));
  std::puts(core::text("dataset     ", spec.id, ", ", spec.append_dimension().name, " ",
                       core::format_timestamp(spec.append_start), " to ", last, " (",
                       result.append_size, " positions)")
                .c_str());
  std::puts(core::text("files       ", files.expected, " expected, ", files.found(), " found, ",
                       files.used, " used (", files.present, " of them before), ",
                       files.skipped.size(), " skipped, ", files.absent, " absent")
                .c_str());
  std::puts(core::text("references  ", files.references, " in ", files.commits, " commits; ",
                       files.unmapped_messages, " messages of nothing the dataset publishes")
                .c_str());
  for (const auto& line : traffic_lines()) std::puts(core::text("host        ", line).c_str());
  std::puts(core::text("store       ", store, "\nsnapshot    ", result.snapshot.text(),
                       " on main\ntime        ", seconds_text(seconds))
                .c_str());
}

}  // namespace

core::Status print_report(const dataset::DatasetSpec& spec, const std::string& store,
                          const coordination::BackfillResult& result, double seconds,
                          bool as_json) {
  if (as_json) {
    std::puts(to_json(store, result, seconds).dump().c_str());
  } else {
    print_lines(spec, store, result, seconds);
  }
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return {};
  return core::Error(
      core::ErrorCode::kUnavailable,
      core::text("the backfill is done and published as ", result.snapshot.text(), " at ", store,
                 ", but its report cannot be written to standard output"));
}

}  // namespace icefield::cli
