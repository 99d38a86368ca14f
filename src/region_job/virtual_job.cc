#include "region_job/virtual_job.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/log.h"
#include "core/parallel.h"
#include "core/printable.h"
#include "core/text.h"
#include "icechunk/commit/commit.h"
#include "icechunk/session/session.h"
#include "region_job/index_tables.h"
#include "region_job/presence.h"
#include "region_job/reference.h"
#include "region_job/stage.h"

namespace icefield::region_job {
namespace {

/// Files whose indexes are read at once before their references are staged: bounds memory.
constexpr std::size_t kFilesAtOnce = 1024;

/// What the source object was when it was listed; nothing unless it shall be recorded.
icechunk::SourceIdentity identity_of(const source::AvailableFile& available, bool record) {
  if (!record) return {};
  const auto& url = available.object.location->url;
  if (!url.starts_with("file:") && !available.data.version.value().empty()) {
    return icechunk::EntityTag{available.data.version.value()};
  }
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(available.data.last_modified);
  return icechunk::LastModified{static_cast<std::uint32_t>(seconds.time_since_epoch().count())};
}

/// Sorts the expected files into present, available and unusable ones and fills the report.
std::vector<source::AvailableFile> remaining(const VirtualJob& job,
                                             std::span<const dataset::SourceFile> expected,
                                             const source::Discovery& discovery,
                                             const std::vector<bool>& present,
                                             VirtualReport& report) {
  const auto url = [&](std::size_t file) {
    return job.spec.virtual_source->get_url(job.spec, expected[file]);
  };
  report.expected = expected.size();
  report.present = static_cast<std::uint64_t>(std::ranges::count(present, true));
  report.used = report.present;
  for (const auto& incomplete : discovery.incomplete) {
    if (present[incomplete.file]) continue;
    report.skipped.push_back({.url = url(incomplete.file), .reason = incomplete.reason});
  }
  for (const auto file : discovery.absent) {
    if (present[file]) continue;
    if (report.absent++ == 0) report.first_absent = url(file);
  }
  std::vector<source::AvailableFile> todo;
  for (const auto& available : discovery.available) {
    if (!present[available.file]) todo.push_back(available);
  }
  return todo;
}

core::Status commit_batch(const VirtualJob& job, const Batch& batch, const VirtualOptions& options,
                          VirtualReport& report) {
  TRY_ASSIGN(auto session, job.repository.writable_session(job.branch));
  TRY(batch.stage(session));
  icechunk::CommitOptions layout;
  layout.layout = icechunk::ManifestLayout::kWindows;
  TRY_ASSIGN(const auto done,
             icechunk::commit(session, core::text("Add ", batch.references(), " references"),
                              options.commit_metadata, layout));
  report.references += batch.references();
  ++report.commits;
  core::log_info(core::text("committed ", batch.references(), " references in ", done.flush.count(),
                            " ms, ", done.rebase_attempts, " rebases"));
  return {};
}

/// Adds one file's references, or the reason why it has none, to batch and report.
core::Status take(const VirtualJob& job, const dataset::SourceFile& file,
                  core::Result<FileReferences> made, icechunk::SourceIdentity identity,
                  Batch& batch, VirtualReport& report) {
  auto url = job.spec.virtual_source->get_url(job.spec, file);
  if (!made) {
    auto reason = core::printable(made.error().message());
    core::log_warning(core::text("skipped ", url, ": ", reason));
    report.skipped.push_back({.url = std::move(url), .reason = std::move(reason)});
    return {};
  }
  for (const auto& refused : made->refused) {
    report.refused.push_back(
        {.url = url,
         .variable = dataset::path_of(job.spec, job.spec.variables[refused.variable]),
         .reason = core::printable(refused.reason)});
    const auto& said = report.refused.back();
    core::log_warning(core::text("refused ", said.variable, " of ", url, ": ", said.reason));
  }
  report.unmapped_messages += made->unmapped;
  ++report.used;
  return batch.add({.file = file, .references = *std::move(made), .identity = std::move(identity)});
}

}  // namespace

std::vector<dataset::SourceFile> list_expected(const dataset::DatasetSpec& spec,
                                               std::span<const dataset::Region> regions,
                                               std::span<const dataset::VariableIndex> variables) {
  std::vector<dataset::SourceFile> files;
  for (const auto& region : regions) {
    const auto more = spec.virtual_source->generate_source_file_coords(spec, region, variables);
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

core::Result<VirtualReport> run_virtual(const VirtualJob& job,
                                        std::span<const dataset::SourceFile> expected,
                                        const source::Discovery& discovery,
                                        const VirtualOptions& options, core::Progress& progress) {
  std::vector<bool> present(expected.size(), false);
  if (!options.rewrite) {
    TRY_ASSIGN(const auto view, job.repository.readonly_session(icechunk::BranchName(job.branch)));
    TRY_ASSIGN(present,
               filter_already_present(job.spec, job.resolver, expected, job.variables, view));
  }
  VirtualReport report;
  const auto todo = remaining(job, expected, discovery, present, report);
  TRY_ASSIGN(const auto tables, IndexTables::make(job.spec, expected, job.variables));

  progress.begin("reference source files", todo.size());
  std::optional<Batch> batch(std::in_place, job.spec, job.resolver, job.variables);
  for (std::size_t from = 0; from < todo.size(); from += kFilesAtOnce) {
    const auto part = std::span(todo).subspan(from, std::min(kFilesAtOnce, todo.size() - from));
    auto made = core::parallel_map(part, options.download_concurrency, [&](const auto& available) {
      const auto& file = expected[available.file];
      auto references =
          file_refs(job.spec, file, available, job.catalog, tables.of(file), options.verify);
      progress.advance(1);
      return references;
    });
    for (std::size_t i = 0; i < part.size(); ++i) {
      TRY(take(job, expected[part[i].file], std::move(made[i]),
               identity_of(part[i], options.record_source_identity), *batch, report));
      if (batch->references() < options.references_per_commit) continue;
      TRY(commit_batch(job, *batch, options, report));
      batch.emplace(job.spec, job.resolver, job.variables);
    }
  }
  if (!batch->empty()) TRY(commit_batch(job, *batch, options, report));
  return report;
}

}  // namespace icefield::region_job
