#include "sample_source/generate.h"

#include <algorithm>
#include <limits>
#include <set>
#include <system_error>
#include <utility>

#include "core/parallel.h"
#include "core/text.h"
#include "dataset/source_file.h"
#include "sample_source/inventory.h"
#include "sample_source/provider.h"
#include "sample_source/source_writer.h"

namespace icefield::sample_source {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFewLevels = 3;
constexpr std::size_t kFewExtraMessages = 2;

/// One file of the tree, all decided.
struct Job {
  std::string key;
  fs::path path;
  core::Timestamp initialized;
  std::vector<Record> records;
  std::optional<FaultKind> fault;
};

core::Error wrong(std::string message) {
  return {core::ErrorCode::kInvalidArgument, std::move(message)};
}

core::Result<const Provider*> provider_of(const SampleRequest& request) {
  const auto& spec = *request.spec;
  const auto* provider = find_provider(spec.id);
  if (provider == nullptr || spec.virtual_source == nullptr || spec.virtual_config == nullptr ||
      spec.virtual_config->containers.empty()) {
    return core::Error(core::ErrorCode::kUnsupported,
                       core::text("no sample source is made for dataset ", spec.id, "; there is ",
                                  "one for ", provided_datasets()));
  }
  return provider;
}

/// The positions on the append dimension.
core::Result<dataset::Region> region_of(const SampleRequest& request) {
  const auto& spec = *request.spec;
  const auto since = request.start - spec.append_start;
  if (since < core::Seconds{0} || since % spec.append_every != core::Seconds{0}) {
    return wrong(core::text("start ", core::format_timestamp(request.start), " is no ",
                            spec.append_dimension().name, " of ", spec.id, ": there is one every ",
                            core::format_duration(spec.append_every), " from ",
                            core::format_timestamp(spec.append_start)));
  }
  constexpr std::size_t kMost = 100'000;
  if (request.inits == 0 || request.leads == 0 || request.inits > kMost) {
    return wrong(core::text("inits and leads are at least 1, inits at most ", kMost));
  }
  const auto begin = static_cast<std::uint64_t>(since / spec.append_every);
  return dataset::Region{.begin = begin, .end = begin + request.inits};
}

/// True for each row of the source's file types that is wanted.
core::Result<std::vector<bool>> wanted_types(const SampleRequest& request) {
  const auto types = request.spec->virtual_source->file_types;
  std::vector<bool> wanted(types.size(), request.file_types.empty());
  for (const auto& name : request.file_types) {
    const auto at = std::ranges::find(types, name);
    if (at == types.end()) {
      std::vector<std::string> known(types.begin(), types.end());
      return wrong(core::text("file type ", name, ": expected ", core::join(known, ", ")));
    }
    wanted[static_cast<std::size_t>(at - types.begin())] = true;
  }
  return wanted;
}

Selection selection_of(const SampleRequest& request,
                       std::vector<dataset::VariableIndex> variables) {
  constexpr auto kAll = std::numeric_limits<std::size_t>::max();
  Selection selection{.variables = std::move(variables)};
  selection.levels = request.levels;
  if (request.levels == 0) selection.levels = request.variables.empty() ? kFewLevels : kAll;
  const bool whole = std::ranges::find(request.variables, "all") != request.variables.end();
  selection.extra_messages = whole ? kAll : kFewExtraMessages;
  return selection;
}

/// The files of the first leads, as far as the model runs from each initialization.
std::vector<dataset::SourceFile> files_of(const SampleRequest& request,
                                          const dataset::Region& region,
                                          const std::vector<bool>& wanted) {
  const auto& spec = *request.spec;
  std::vector<dataset::VariableIndex> all(spec.variables.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<dataset::VariableIndex>(i);
  auto files = spec.virtual_source->generate_source_file_coords(spec, region, all);
  std::set<core::Seconds> leads;
  for (const auto& file : files) leads.insert(file.lead);
  const auto last =
      std::next(leads.begin(), static_cast<std::ptrdiff_t>(std::min(request.leads, leads.size())));
  leads.erase(last, leads.end());
  std::erase_if(files, [&](const dataset::SourceFile& file) {
    return !wanted[file.file_type] || !leads.contains(file.lead);
  });
  return files;
}

core::Result<std::vector<Job>> plan_jobs(const SampleRequest& request, const Provider& provider,
                                         const dataset::Region& region) {
  const auto& spec = *request.spec;
  TRY_ASSIGN(const auto wanted, wanted_types(request));
  TRY_ASSIGN(auto variables, select_sample_variables(spec, provider, request.variables));
  const auto selection = selection_of(request, std::move(variables));
  const auto& container = spec.virtual_config->containers.front();
  std::vector<Job> jobs;
  for (const auto& file : files_of(request, region, wanted)) {
    const std::string url = spec.virtual_source->get_url(spec, file);
    if (!url.starts_with(container.url_prefix)) return wrong(core::text(url, " is in no bucket"));
    Job job{.key = url.substr(container.url_prefix.size()),
            .path = {},
            .initialized = file.append,
            .records = list_records(spec, provider, file, selection),
            .fault = {}};
    job.path = request.out / container.name / job.key;
    jobs.push_back(std::move(job));
  }
  return jobs;
}

core::Status assign_faults(const SampleRequest& request, std::vector<Job>& jobs) {
  for (const auto& fault : request.faults) {
    if (std::ranges::none_of(jobs, [&fault](const Job& job) { return names(fault, job.key); })) {
      return wrong(core::text("fault ", name_of(fault.kind), "=", fault.pattern,
                              " names no file of this sample; the first one is ",
                              jobs.empty() ? "" : jobs.front().key));
    }
  }
  for (auto& job : jobs) job.fault = fault_of(request.faults, job.key);
  return {};
}

/// The late files that are delivered now are files like all others.
void deliver_late_files(std::vector<Job>& jobs) {
  for (auto& job : jobs) {
    if (job.fault == FaultKind::kLate) job.fault.reset();
  }
}

/// The folder as a URL: every octet that is neither unreserved nor '/' is percent-encoded.
std::string folder_url(const fs::path& folder) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string url = "file://";
  for (const char letter : folder.string()) {
    const auto octet = static_cast<unsigned char>(letter);
    const bool plain = (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z') ||
                       (octet >= '0' && octet <= '9') ||
                       std::string_view("-._~/").find(letter) != std::string_view::npos;
    if (plain) {
      url += letter;
    } else {
      url += {'%', kDigits[octet >> 4U], kDigits[octet & 15U]};
    }
  }
  return url + "/";
}

core::Result<SampleReport> describe(const SampleRequest& request, const dataset::Region& region,
                                    const std::vector<Job>& jobs) {
  const auto& spec = *request.spec;
  const auto& container = spec.virtual_config->containers.front();
  std::error_code failed;
  const fs::path out = fs::absolute(request.out, failed).lexically_normal();
  if (failed) return wrong(core::text("no such place: ", request.out.string()));
  SampleReport report;
  for (std::uint64_t at = region.begin; at < region.end; ++at) {
    report.inits.push_back(spec.append_start + spec.append_every * static_cast<std::int64_t>(at));
  }
  report.append_dim_end =
      spec.append_start + spec.append_every * static_cast<std::int64_t>(region.end);
  report.sources.push_back(core::text(container.url_prefix, "=", folder_url(out / container.name)));
  for (const auto& job : jobs) {
    if (job.fault) report.faults.push_back({.kind = *job.fault, .key = job.key});
  }
  return report;
}

core::Status write_jobs(const SampleRequest& request, std::vector<Job> jobs,
                        core::Progress& progress, SampleReport& report) {
  std::uint64_t messages = 0;
  for (const auto& job : jobs) messages += job.records.size();
  progress.begin("messages", messages);
  // the longest files first, so that no core is left with one at the end
  std::ranges::stable_sort(jobs, std::ranges::greater{},
                           [](const Job& job) { return job.records.size(); });
  const auto write = [&](const Job& job) -> core::Result<WrittenFile> {
    TRY_ASSIGN(auto writer, MessageWriter::create());
    return write_source_file({.path = job.path,
                              .records = job.records,
                              .initialized = job.initialized,
                              .seed = request.seed,
                              .fault = job.fault},
                             writer, progress);
  };
  const auto outcomes = core::parallel_map(std::span<const Job>(jobs), core::cores(), write);
  for (const auto& outcome : outcomes) {
    if (!outcome) return core::Error(outcome.error());
    report.files += outcome->has_data ? 1U : 0U;
    report.bytes += outcome->data_bytes + outcome->index_bytes;
    report.changed += outcome->changed ? 1U : 0U;
  }
  return {};
}

}  // namespace

core::Result<SampleReport> generate(const SampleRequest& request, core::Progress& progress) {
  TRY_ASSIGN(const auto* provider, provider_of(request));
  TRY_ASSIGN(const auto region, region_of(request));
  TRY_ASSIGN(auto jobs, plan_jobs(request, *provider, region));
  TRY(assign_faults(request, jobs));
  if (request.late_files == SampleRequest::LateFiles::kDeliver) deliver_late_files(jobs);
  TRY_ASSIGN(auto report, describe(request, region, jobs));
  TRY(write_jobs(request, std::move(jobs), progress, report));
  return report;
}

}  // namespace icefield::sample_source
