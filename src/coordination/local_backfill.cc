#include "coordination/local_backfill.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "coordination/publish.h"
#include "coordination/store_setup.h"
#include "core/log.h"
#include "core/text.h"
#include "dataset/time_axis.h"
#include "icechunk/commit/commit.h"
#include "icechunk/commit/refs.h"
#include "region_job/presence.h"
#include "region_job/store_tree.h"

namespace icefield::coordination {
namespace {

using core::Error;
using core::ErrorCode;

constexpr const char* kBranch = "_job_local";

/// A century of hourly positions: more is a mistyped year, and would fill the memory.
constexpr std::uint64_t kMostPositions = 1'000'000;

/// All that follows from the arguments alone.
struct Work {
  dataset::Plan plan;
  dataset::Template tree;
  std::vector<dataset::CoordinateChunk> coordinates;
};

core::Result<Work> prepare(const LocalBackfill& backfill) {
  TRY_ASSIGN(const auto size,
             dataset::append_size_until(backfill.spec, backfill.job.append_dim_end));
  if (size > kMostPositions) {
    return Error(ErrorCode::kInvalidArgument,
                 core::text("the append-dim end ",
                            core::format_timestamp(backfill.job.append_dim_end), " asks for ", size,
                            " positions, more than ", kMostPositions, "; correct its year"));
  }
  TRY_ASSIGN(auto plan, dataset::plan_regions(backfill.spec, size, backfill.job.filters));
  if (plan.regions.empty()) {
    return Error(ErrorCode::kInvalidArgument,
                 "the filters leave no position to work on; widen --filter-start, --filter-end or "
                 "--filter-contains");
  }
  TRY_ASSIGN(auto tree, dataset::get_template(backfill.spec, size));
  TRY_ASSIGN(auto coordinates, dataset::coordinate_chunks(backfill.spec, size));
  return Work{
      .plan = std::move(plan), .tree = std::move(tree), .coordinates = std::move(coordinates)};
}

bool overwrites(const JobRecord& job) {
  return job.overwrite_chunks || job.overwrite_metadata;
}

bool has_filters(const dataset::Filters& filters) {
  return filters.start || filters.end || filters.contains || !filters.variable_names.empty();
}

/// Whether the store as it is allows what is asked for.
core::Status check_state(const LocalBackfill& backfill, StoreState state) {
  if (backfill.recreate && overwrites(backfill.job)) {
    return Error(ErrorCode::kInvalidArgument, "--recreate cannot be combined with --overwrite-...");
  }
  if (backfill.job.overwrite_metadata && !backfill.job.overwrite_chunks &&
      has_filters(backfill.job.filters)) {
    return Error(ErrorCode::kInvalidArgument,
                 "filters would have no effect with --overwrite-metadata alone; add "
                 "--overwrite-chunks to rewrite chunks too");
  }
  const bool nothing_there = state == StoreState::kAbsent || state == StoreState::kEmpty;
  if (nothing_there && overwrites(backfill.job)) {
    return Error(ErrorCode::kNotFound,
                 core::text("there is no store to overwrite at ", backfill.store->location(),
                            "; create it by running without --overwrite-..."));
  }
  if (state == StoreState::kPublished && !overwrites(backfill.job) && !backfill.recreate) {
    return Error(ErrorCode::kConflict,
                 core::text("a store already exists at ", backfill.store->location(),
                            "; use --overwrite-chunks or --overwrite-metadata to change it, or "
                            "(DYNAMICAL_ENV=dev only) --recreate to start over"));
  }
  return {};
}

/// Whether the template may be written over what main holds.
core::Status check_overwrite(const LocalBackfill& backfill, const Work& work,
                             const icechunk::Repository& repository) {
  TRY_ASSIGN(const auto main, repository.readonly_session(icechunk::BranchName("main")));
  TRY_ASSIGN(const auto existing, region_job::read_structure(main, backfill.spec));
  TRY_ASSIGN(const auto wanted,
             region_job::structure_of(work.tree, work.coordinates, backfill.spec));
  return dataset::check_overwrite(
      existing, wanted, std::string(backfill.spec.append_dimension().name), backfill.append_chunks,
      {.chunks = backfill.job.overwrite_chunks,
       .metadata = backfill.job.overwrite_metadata,
       .explicit_append_end = true});
}

/// Refuses to begin when the source holds nothing to begin with.
core::Status check_something_found(std::size_t expected, const source::Discovery& discovery,
                                   const source::Catalog& catalog) {
  if (!discovery.available.empty()) return {};
  std::vector<std::string> places;
  for (const auto& location : catalog.locations()) places.push_back(location.url);
  const auto why = discovery.incomplete.empty() ? std::string()
                                                : " (" + discovery.incomplete.front().reason + ")";
  return Error(ErrorCode::kNotFound,
               core::text("none of the ", expected, " expected source files can be used at ",
                          core::join(places, ", "), why,
                          "; check the append-dim end, the filters and --source"));
}

/// Metadata alone, straight to main: attributes and coordinate values of what is committed.
core::Result<BackfillResult> refresh_metadata(const LocalBackfill& backfill,
                                              const icechunk::Repository& repository) {
  TRY_ASSIGN(auto session, repository.writable_session("main"));
  TRY_ASSIGN(const auto size, region_job::committed_append_size(session, backfill.spec));
  if (!size) return Error(ErrorCode::kCorrupt, "the store has no append dimension");
  TRY_ASSIGN(const auto tree, dataset::get_template(backfill.spec, *size));
  TRY_ASSIGN(const auto coordinates, dataset::coordinate_chunks(backfill.spec, *size));
  TRY(region_job::write_tree(session, tree, coordinates));
  BackfillResult result{
      .snapshot = session.base(), .append_size = *size, .resumed = false, .files = {}};
  if (!session.has_changes()) return result;
  TRY_ASSIGN(const auto done, icechunk::commit(session, "Refresh metadata from template",
                                               to_metadata(backfill.job)));
  result.snapshot = done.snapshot;
  result.files.commits = 1;
  return result;
}

/// Positions to publish: the planned tail is cut as far as no file of it is there.
core::Result<std::uint64_t> published_size(const region_job::VirtualJob& job, const Work& work,
                                           std::span<const dataset::SourceFile> expected) {
  TRY_ASSIGN(const auto view, job.repository.readonly_session(icechunk::BranchName(job.branch)));
  TRY_ASSIGN(const auto present, region_job::filter_already_present(job.spec, job.resolver,
                                                                    expected, job.variables, view));
  std::uint64_t newest = 0;  // one past the newest position with data
  for (std::size_t file = 0; file < expected.size(); ++file) {
    if (!present[file]) continue;
    TRY_ASSIGN(const auto position, dataset::position_of(job.spec, expected[file].append));
    newest = std::max(newest, position + 1);
  }
  auto size = work.plan.append_size;
  for (auto region = work.plan.regions.rbegin(); region != work.plan.regions.rend(); ++region) {
    if (region->end != size || size <= newest) break;
    size = std::max(region->begin, newest);
  }
  return size;
}

core::Status trim(const LocalBackfill& backfill, const icechunk::Repository& repository,
                  std::uint64_t size) {
  TRY_ASSIGN(auto session, repository.writable_session(kBranch));
  TRY_ASSIGN(const auto tree, dataset::get_template(backfill.spec, size));
  TRY_ASSIGN(const auto coordinates, dataset::coordinate_chunks(backfill.spec, size));
  TRY(region_job::write_tree(session, tree, coordinates));
  if (!session.has_changes()) return {};
  auto done =
      icechunk::commit(session, "End at the newest position with data", to_metadata(backfill.job));
  if (!done) return std::move(done).error();
  return {};
}

/// Setup, the worker's part, finalize.
core::Result<BackfillResult> run_on_branch(const LocalBackfill& backfill, const Work& work,
                                           const icechunk::Repository& repository,
                                           const source::Catalog& catalog,
                                           std::span<const dataset::SourceFile> expected,
                                           const source::Discovery& discovery,
                                           core::Progress& progress) {
  const auto record = to_metadata(backfill.job);
  const bool first_run = !overwrites(backfill.job);
  if (first_run || backfill.job.overwrite_metadata) {
    TRY(set_up_branch(repository, kBranch, work.tree, work.coordinates, record));
  } else {
    TRY(set_up_branch(repository, kBranch, {}, {}, record));
  }
  TRY_ASSIGN(const auto resolver, dataset::ChunkResolver::make(backfill.spec, work.tree));
  const region_job::VirtualJob job{.spec = backfill.spec,
                                   .resolver = resolver,
                                   .catalog = catalog,
                                   .repository = repository,
                                   .branch = kBranch,
                                   .variables = work.plan.variables};
  auto options = backfill.options;
  options.rewrite = backfill.job.overwrite_chunks;
  options.commit_metadata = record;
  BackfillResult result;
  TRY_ASSIGN(result.files, region_job::run_virtual(job, expected, discovery, options, progress));
  result.append_size = work.plan.append_size;
  if (first_run) {
    if (result.files.used == 0) {
      return Error(ErrorCode::kNotFound,
                   core::text("none of the ", result.files.found(),
                              " source files found could be used; nothing was published (first: ",
                              result.files.skipped.front().url, ": ",
                              result.files.skipped.front().reason, ")"));
    }
    TRY_ASSIGN(result.append_size, published_size(job, work, expected));
    if (result.append_size < work.plan.append_size) {
      core::log_info(core::text("no source files for the last ",
                                work.plan.append_size - result.append_size,
                                " positions; the dataset ends before them"));
      TRY(trim(backfill, repository, result.append_size));
    }
  }
  TRY_ASSIGN(result.snapshot, publish(repository, kBranch));
  return result;
}

/// Explicit redirections first; where there is none, what the store has persisted.
core::Result<source::Catalog> open_catalog(
    const LocalBackfill& backfill, StoreState state,
    const std::shared_ptr<object_store::ObjectStore>& store) {
  auto overrides = backfill.sources;
  if (state != StoreState::kAbsent && state != StoreState::kEmpty && !backfill.recreate) {
    TRY_ASSIGN(const auto repository, icechunk::Repository::open(store));
    TRY_ASSIGN(const auto config, repository.config());
    for (auto& persisted : persisted_overrides(backfill.spec, config)) {
      const bool given = std::ranges::any_of(
          overrides, [&](const auto& one) { return one.prefix == persisted.prefix; });
      if (!given) overrides.push_back(std::move(persisted));
    }
  }
  return source::Catalog::open(*backfill.spec.virtual_config, overrides);
}

/// The repository to work in, made if need be.
core::Result<icechunk::Repository> open_or_create(
    const LocalBackfill& backfill, StoreState state, const source::Catalog& catalog,
    const std::shared_ptr<object_store::ObjectStore>& store) {
  if (state != StoreState::kAbsent) {
    if (state == StoreState::kUnfinished || state == StoreState::kPublished) {
      icechunk::RepositoryOptions options;
      TRY_ASSIGN(options.repointed, repointed_containers(catalog));
      return icechunk::Repository::open(store, std::move(options));
    }
    TRY_ASSIGN(const auto repository, icechunk::Repository::open(store));
    TRY_ASSIGN(const auto config, store_config(backfill.spec, catalog));
    TRY(icechunk::save_config(repository, config));
    return icechunk::Repository::open(store);
  }
  TRY_ASSIGN(const auto config, store_config(backfill.spec, catalog));
  return icechunk::Repository::create(store, config);
}

/// Where the store stands. What shall be recreated need not be readable.
core::Result<StoreState> state_for(const LocalBackfill& backfill) {
  if (backfill.recreate) {
    TRY_ASSIGN(const bool exists, icechunk::Repository::exists(*backfill.store));
    return exists ? StoreState::kPublished : StoreState::kAbsent;
  }
  auto state = store_state(backfill.store, kBranch);
  if (!state) return std::move(state).error().within("store " + backfill.store->location());
  return state;
}

/// The error of a run on the branch; says so when another process is behind it.
Error explained(Error error, const icechunk::Repository& repository) {
  const auto info = repository.info();
  const bool branch_gone = info && !(*info)->branches.contains(kBranch);
  const bool rival =
      error.code() == ErrorCode::kConflict || (error.code() == ErrorCode::kNotFound && branch_gone);
  if (!rival) return error;
  return std::move(error).within(
      "another process worked on this store at the same time; look at what it published (icefield "
      "store log) before running again");
}

/// Before anything is written to a store that is there: is this the job that its branch is of, and
/// does the store allow what it asks for?
core::Status check_existing(const LocalBackfill& backfill, const Work& work, bool resumed,
                            const icechunk::Repository& repository) {
  if (resumed) {
    TRY_ASSIGN(const auto branch, branch_state(repository, kBranch));
    TRY(check_same_job(branch, backfill.job, backfill.store->location()));
  }
  if (overwrites(backfill.job)) TRY(check_overwrite(backfill, work, repository));
  return {};
}

}  // namespace

core::Result<BackfillResult> run_local_backfill(const LocalBackfill& backfill,
                                                core::Progress& progress) {
  TRY_ASSIGN(const auto work, prepare(backfill));
  const auto& store = backfill.store;
  TRY_ASSIGN(auto state, state_for(backfill));
  TRY(check_state(backfill, state));
  TRY_ASSIGN(const auto catalog, open_catalog(backfill, state, store));

  const bool resumed = state == StoreState::kUnfinished;
  if (!backfill.recreate && (resumed || state == StoreState::kPublished)) {
    TRY_ASSIGN(const auto repository, icechunk::Repository::open(store));
    TRY(check_existing(backfill, work, resumed, repository));
    const bool metadata_alone = backfill.job.overwrite_metadata && !backfill.job.overwrite_chunks;
    if (metadata_alone) return refresh_metadata(backfill, repository);
  }

  const auto expected =
      region_job::list_expected(backfill.spec, work.plan.regions, work.plan.variables);
  TRY_ASSIGN(const auto discovery,
             source::discover_available_by_listing(backfill.spec, expected, catalog,
                                                   backfill.options.download_concurrency));
  if (!resumed) TRY(check_something_found(expected.size(), discovery, catalog));

  if (backfill.recreate && state != StoreState::kAbsent) {
    TRY(remove_store(*store));
    state = StoreState::kAbsent;
  }
  TRY_ASSIGN(const auto repository, open_or_create(backfill, state, catalog, store));
  auto result = run_on_branch(backfill, work, repository, catalog, expected, discovery, progress);
  if (!result) return explained(std::move(result).error(), repository);
  result->resumed = resumed;
  return result;
}

}  // namespace icefield::coordination
