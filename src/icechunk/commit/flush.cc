#include "icechunk/commit/internal/flush.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/parallel.h"
#include "core/text.h"

namespace icefield::icechunk {
namespace {

constexpr std::size_t kPutsAtOnce = 16;  // of small manifests: they wait for the store
constexpr std::size_t kReadsAtOnce = 8;  // of one array's manifests
constexpr std::size_t kPlansAtOnce = 8;  // while they are small; each may hold two manifests
constexpr std::uint64_t kManyChanges = 4'000'000;

std::vector<std::uint32_t> num_chunks(const NodeState& array) {
  std::vector<std::uint32_t> counts;
  for (const DimensionShape& dimension : *array.shape) counts.push_back(dimension.num_chunks);
  return counts;
}

ChunkBox grid_of(const NodeState& array) {
  std::vector<ChunkRange> ranges;
  for (const std::uint32_t count : num_chunks(array)) ranges.push_back({.from = 0, .to = count});
  return ChunkBox(ranges);
}

/// True when the session replaced the document of an array of the base.
bool has_new_shape(const NodeState& array) {
  return array.base != nullptr && array.geometry != &*array.base->array;
}

std::span<const ManifestRef> held_by(const NodeState& array) {
  if (array.base == nullptr) return {};
  return array.base->array->manifests;
}

/// Windows of an array with more manifests than are to be kept, or with one that reaches out,
/// and how many manifests begin in each.
std::map<std::uint64_t, std::size_t> crowded_windows(const NodeState& array, const Windows& windows,
                                                     const FlushOptions& options) {
  std::map<std::uint64_t, std::size_t> manifests;
  if (options.keep_manifests == 0 || !options.arrays(array.path) || windows.count() == 0) return {};
  std::set<std::uint64_t> crowded;
  for (const ManifestRef& ref : held_by(array)) {
    ChunkIndex first;
    for (const ChunkRange& range : ref.extents.ranges()) first.push_back(range.from);
    const auto window = windows.number_of(first);
    const bool inside = windows.box(window).covers(ref.extents);
    if (++manifests[window] > options.keep_manifests || !inside) crowded.insert(window);
  }
  std::erase_if(manifests, [&](const auto& entry) { return !crowded.contains(entry.first); });
  return manifests;
}

}  // namespace

Crowd find_crowded_windows(const SessionState& state, const FlushOptions& options) {
  const Splitter splitter(state.context().config.splitting());
  Crowd crowd;
  for (const NodeState& array : state.nodes("/")) {
    if (!array.is_array()) continue;
    const auto crowded =
        crowded_windows(array, splitter.windows(array.path, *array.geometry), options);
    crowd.windows += crowded.size();
    for (const auto& [window, manifests] : crowded) crowd.manifests += manifests;
  }
  return crowd;
}

/// From the snapshot to pieces, and which manifest each piece came to lie in.
struct Flush::Work {
  NodeState array;
  ArrayPlanInput input;
  Windows windows;
  ArrayPlan plan;
  std::vector<ManifestFile> written;    // of large pieces
  std::vector<ManifestId> manifest_of;  // per piece
  std::vector<std::uint64_t> size_of;   // per piece; 0: written
  std::size_t manifests_before = 0;     // in the windows that are merged
};

Flush::Flush(const SessionState& state, FlushOptions options)
    : state_(state), options_(std::move(options)), splitter_(state.context().config.splitting()) {}

core::Result<std::vector<std::shared_ptr<const Manifest>>> Flush::load(
    std::span<const ManifestId> ids) const {
  const auto read = core::parallel_map(
      ids, kReadsAtOnce,
      [this](const ManifestId& id) -> core::Result<std::shared_ptr<const Manifest>> {
        const ManifestFile* file = state_.base().find_manifest(id);
        auto& assets = *state_.context().assets;
        // one that serves many arrays is small, and read for each of them
        if (file != nullptr && file->size_bytes <= kSharedManifestBytes) {
          return assets.manifest(*file);
        }
        if (file != nullptr) return assets.manifest_once(*file);
        return core::Error(core::ErrorCode::kCorrupt,
                           core::text("manifest ", id.text(), " is not in its snapshot's list"));
      });
  std::vector<std::shared_ptr<const Manifest>> manifests;
  for (const auto& manifest : read) {
    if (!manifest) return manifest.error();
    manifests.push_back(*manifest);
  }
  return manifests;
}

bool Flush::still_right(const Outcome& outcome, const NodeState& array) const {
  const ArrayChanges* chunks = state_.changes().chunks_of(array.id);
  if (outcome.deletes_unheld || outcome.num_chunks != num_chunks(array) ||
      outcome.changes != (chunks == nullptr ? 0 : chunks->size())) {
    return false;
  }
  std::vector<ManifestRef> left;
  std::size_t found = 0;
  const ChunkBox grid = grid_of(array);
  for (const ManifestRef& ref : held_by(array)) {
    if (std::ranges::find(outcome.removed, ref) != outcome.removed.end()) {
      ++found;
    } else if (has_new_shape(array) && !grid.covers(ref.extents)) {
      return false;  // theirs reaches out of the grid that ours makes smaller
    } else {
      left.push_back(ref);
    }
  }
  if (found != outcome.removed.size()) return false;
  const BoxIndex boxes(left);
  return std::ranges::all_of(outcome.added, [&boxes](const ManifestRef& added) {
    return boxes.meeting(added.extents).empty();
  });
}

/// True when the array has too many manifests after what is known to become of it.
bool Flush::is_crowded_with(const Outcome& outcome, const NodeState& array) const {
  const std::size_t after = held_by(array).size() - outcome.removed.size() + outcome.added.size();
  return after > kMostManifests &&
         is_crowded(manifests_of(array), splitter_.windows(array.path, *array.geometry));
}

std::vector<Flush::Work> Flush::find_work(Crowding crowding) {
  const bool same_base = base_ == state_.base().id;
  base_ = state_.base().id;
  std::vector<Work> work;
  for (const NodeState& array : state_.nodes("/")) {
    if (!array.is_array()) continue;
    const ArrayChanges* chunks = state_.changes().chunks_of(array.id);
    const bool new_shape = has_new_shape(array);
    if (chunks == nullptr && !new_shape && options_.keep_manifests == 0) {
      outcomes_.erase(array.id);
      continue;
    }
    const auto known = outcomes_.find(array.id);
    const bool merge = crowding == Crowding::kMerge;
    if (known != outcomes_.end()) {
      const Outcome& outcome = known->second;
      const bool right = same_base || still_right(outcome, array);
      const bool merged = same_base && outcome.merged;  // as far as it goes
      if (right && (!merge || merged || !is_crowded_with(outcome, array))) continue;
    }
    Work item;
    item.array = array;
    item.windows = splitter_.windows(array.path, *array.geometry);
    for (const auto& [window, manifests] : crowded_windows(array, item.windows, options_)) {
      item.input.merge_windows.insert(window);
      item.manifests_before += manifests;
    }
    if (chunks == nullptr && !new_shape && item.input.merge_windows.empty()) {
      outcomes_.erase(array.id);
      continue;
    }
    item.input.node = array.id;
    item.input.existing = held_by(array);
    item.input.shape_changed = new_shape;
    item.input.whole_windows = options_.layout == ManifestLayout::kWindows;
    if (!merge) item.input.most_manifests = std::numeric_limits<std::size_t>::max();
    work.push_back(std::move(item));
  }
  for (Work& item : work) item.input.windows = &item.windows;  // where they stay
  return work;
}

core::Status Flush::plan(Work& work) const {
  if (const auto* chunks = state_.changes().chunks_of(work.array.id)) {
    work.input.changes = chunks->sorted(state_.locations());
  }
  auto planned =
      plan_array(work.input, [this](std::span<const ManifestId> ids) { return load(ids); });
  if (!planned) return std::move(planned).error().within(work.array.path);
  work.plan = *std::move(planned);
  return write_large(work);
}

/// Large pieces are written at once, so that what they were made of need not be kept.
core::Status Flush::write_large(Work& work) const {
  bool some_small = false;
  work.manifest_of.resize(work.plan.pieces.size());
  for (std::size_t i = 0; i < work.plan.pieces.size(); ++i) {
    const ManifestEntry entry{
        .node = work.array.id, .sources = &work.plan.sources, .piece = &work.plan.pieces[i]};
    TRY_ASSIGN(const auto size, estimated_bytes(entry));
    work.size_of.push_back(size);
    if (size <= kOwnManifestBytes) {
      some_small = true;
      continue;
    }
    TRY_ASSIGN(const auto file, write_manifest(*state_.context().assets, {entry}, options_.effort));
    work.manifest_of[i] = file.id;
    work.written.push_back(file);
    work.size_of.back() = 0;
    work.plan.pieces[i].references = {};
  }
  if (!some_small) work.plan.sources.clear();
  return {};
}

core::Status Flush::write_shared(std::vector<Work>& work) {
  std::vector<ManifestEntry> entries;
  std::vector<std::uint64_t> sizes;
  std::vector<ManifestId*> targets;
  for (Work& item : work) {
    for (std::size_t i = 0; i < item.plan.pieces.size(); ++i) {
      if (item.size_of[i] == 0) continue;
      entries.push_back(
          {.node = item.array.id, .sources = &item.plan.sources, .piece = &item.plan.pieces[i]});
      sizes.push_back(item.size_of[i]);
      targets.push_back(&item.manifest_of[i]);
    }
  }
  const auto packed = pack(entries, sizes);
  const auto files = core::parallel_map(
      std::span(packed), kPutsAtOnce, [&](const std::vector<std::size_t>& members) {
        std::vector<ManifestEntry> chosen;
        chosen.reserve(members.size());
        for (const std::size_t at : members) chosen.push_back(entries[at]);
        return write_manifest(*state_.context().assets, std::move(chosen), options_.effort);
      });
  for (std::size_t i = 0; i < packed.size(); ++i) {
    TRY_ASSIGN(const auto file, core::Result<ManifestFile>(files[i]));
    files_.push_back(file);
    for (const std::size_t at : packed[i]) *targets[at] = file.id;
  }
  return {};
}

/// True when a plan may hold whole windows in memory, and works more than it waits.
bool Flush::has_large_plans() const {
  if (options_.layout == ManifestLayout::kWindows || options_.keep_manifests > 0) return true;
  std::uint64_t changes = 0;
  for (const auto& [node, chunks] : state_.changes().chunks) changes += chunks.size();
  return changes > kManyChanges;
}

core::Status Flush::run(Crowding crowding) {
  auto work = find_work(crowding);
  std::vector<Work*> items;
  items.reserve(work.size());
  for (Work& item : work) items.push_back(&item);
  const std::size_t workers = has_large_plans() ? state_.context().workers
                                                : std::max(state_.context().workers, kPlansAtOnce);
  const auto planned = core::parallel_map(std::span<Work* const>(items), workers,
                                          [this](Work* item) { return plan(*item); });
  for (const core::Status& status : planned) TRY(core::Status(status));
  const std::size_t before = files_.size();
  for (const Work& item : work) {
    files_.insert(files_.end(), item.written.begin(), item.written.end());
  }
  TRY(write_shared(work));
  for (std::size_t i = before; i < files_.size(); ++i) {
    ++statistics_.manifests;
    statistics_.bytes += files_[i].size_bytes;
  }
  for (const Work& item : work) keep_outcome(item, crowding == Crowding::kMerge);
  return {};
}

void Flush::keep_outcome(const Work& work, bool merged) {
  Outcome outcome{.merged = merged};
  const ArrayChanges* chunks = state_.changes().chunks_of(work.array.id);
  outcome.changes = chunks == nullptr ? 0 : chunks->size();
  outcome.num_chunks = num_chunks(work.array);
  outcome.deletes_unheld = work.plan.deletes_unheld;
  outcome.windows_merged = work.input.merge_windows.size();
  outcome.manifests_before = work.manifests_before;
  for (const std::size_t at : work.plan.replaced) {
    outcome.removed.push_back(work.input.existing[at]);
  }
  for (std::size_t i = 0; i < work.plan.pieces.size(); ++i) {
    outcome.added.push_back({.id = work.manifest_of[i], .extents = work.plan.pieces[i].box});
  }
  outcomes_.insert_or_assign(work.array.id, std::move(outcome));
}

Flush::Statistics Flush::statistics() const {
  Statistics all = statistics_;
  for (const auto& [node, outcome] : outcomes_) {
    all.windows_merged += outcome.windows_merged;
    all.manifests_before += outcome.manifests_before;
    if (outcome.windows_merged > 0) all.manifests_after += outcome.added.size();
  }
  return all;
}

ManifestList Flush::manifests_of(const NodeState& array) const {
  const auto held = held_by(array);
  const auto outcome = outcomes_.find(array.id);
  if (outcome == outcomes_.end()) {
    return array.base == nullptr ? ManifestList() : array.base->array->manifests;
  }
  std::vector<ManifestRef> manifests;
  std::ranges::copy_if(held, std::back_inserter(manifests), [&](const ManifestRef& ref) {
    return std::ranges::find(outcome->second.removed, ref) == outcome->second.removed.end();
  });
  std::ranges::copy(outcome->second.added, std::back_inserter(manifests));
  // by place in the grid, as official writers list them
  std::ranges::sort(manifests, [](const ManifestRef& left, const ManifestRef& right) {
    return std::ranges::lexicographical_compare(left.extents.ranges(), right.extents.ranges());
  });
  return manifests;
}

}  // namespace icefield::icechunk
