#include "icechunk/commit/internal/array_plan.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/text.h"
#include "icechunk/commit/internal/merge_lists.h"
#include "icechunk/commit/internal/window_cover.h"
#include "icechunk/session/box_index.h"

namespace icefield::icechunk {
namespace {

/// What becomes of one manifest of the array.
enum class Fate : std::uint8_t {
  kKept,
  kRewritten,  // alone: its references with their changes, inside its old box
  kMerged,     // into the windows that its references lie in
};

/// References that are covered together.
struct Group {
  std::vector<ReferenceList> held;  // one list per manifest
  ReferenceList changes;
};

class Planner {
 public:
  Planner(const ArrayPlanInput& input, const ManifestLoader& load)
      : input_(input),
        load_(load),
        index_(input.existing),
        grid_(whole_grid(*input.windows)),
        fates_(input.existing.size(), Fate::kKept) {}

  core::Result<ArrayPlan> run() {
    if (input_.changes) find_owners();
    mark_reaching_outside();
    mark_windows();
    while (true) {
      TRY(gather());
      build_pieces();
      if (absorb_obstacles()) continue;
      if (merge_small_manifests()) continue;
      break;
    }
    ArrayPlan plan;
    plan.sources = std::move(sources_);
    plan.deletes_unheld = deletes_unheld_;
    for (std::size_t i = 0; i < fates_.size(); ++i) {
      if (fates_[i] != Fate::kKept) plan.replaced.push_back(i);
    }
    plan.pieces = std::move(pieces_);
    return plan;
  }

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};

  /// Where a piece comes from: the manifest it is left of, if any.
  struct Origin {
    std::uint64_t window = 0;
    std::size_t owner = kNobody;
  };

  static ChunkBox whole_grid(const Windows& windows) {
    std::vector<ChunkRange> ranges;
    for (const std::uint32_t count : windows.num_chunks) ranges.push_back({.from = 0, .to = count});
    return ChunkBox(ranges);
  }

  bool has_windows() const { return input_.windows->count() > 0; }
  std::uint64_t window_of(ChunkIndexView index) const { return input_.windows->number_of(index); }

  /// Manifests in whose box a position changed; runs of changes with one owner.
  void find_owners() {
    std::size_t owner = kNobody;
    for (std::size_t at = 0; at < input_.changes->size(); ++at) {
      const ChunkIndexView index = input_.changes->index(at);
      const bool same = owner != kNobody && input_.existing[owner].extents.contains(index) &&
                        index_.find(index) == owner;
      if (!same) owner = index_.find(index).value_or(kNobody);
      if (owner != kNobody) fates_[owner] = Fate::kRewritten;
      if (owner == kNobody && input_.changes->deleted(at)) deletes_unheld_ = true;
      if (owners_.empty() || owners_.back().second != owner) owners_.emplace_back(at, owner);
    }
  }

  void mark_reaching_outside() {
    if (!input_.shape_changed) return;
    for (std::size_t i = 0; i < fates_.size(); ++i) {
      if (!grid_.covers(input_.existing[i].extents)) fates_[i] = Fate::kRewritten;
    }
  }

  void mark_windows() {
    std::set<std::uint64_t> windows = input_.merge_windows;
    if (input_.whole_windows && input_.changes && has_windows()) {
      for (std::size_t at = 0; at < input_.changes->size(); ++at) {
        const ChunkIndexView index = input_.changes->index(at);
        if (grid_.contains(index)) windows.insert(window_of(index));
      }
    }
    for (const std::uint64_t window : windows) {
      whole_.insert(window);
      for (const std::size_t at : index_.meeting(input_.windows->box(window))) {
        fates_[at] = Fate::kMerged;
      }
    }
  }

  /// Sorts references into groups by the fate of what holds them.
  core::Status gather() {
    sources_.clear();
    alone_.clear();
    windows_.clear();
    if (!has_windows()) return {};
    if (input_.changes) sort_changes();
    TRY(load_replaced());
    for (std::size_t at = fates_.size(); at-- > 0;) {  // of boxes that overlap the first one wins
      if (fates_[at] != Fate::kKept) TRY(sort_held(at, loaded_.at(input_.existing[at].id)));
    }
    return {};
  }

  core::Status load_replaced() {
    std::vector<ManifestId> ids;
    for (std::size_t at = 0; at < fates_.size(); ++at) {
      const ManifestId& id = input_.existing[at].id;
      if (fates_[at] != Fate::kKept && loaded_.try_emplace(id).second) ids.push_back(id);
    }
    TRY_ASSIGN(auto manifests, load_(ids));
    for (std::size_t i = 0; i < ids.size(); ++i) loaded_[ids[i]] = std::move(manifests[i]);
    return {};
  }

  void sort_changes() {
    sources_.emplace_back(input_.changes);
    std::size_t run = 0;
    std::uint64_t last_window = 0;
    bool was_alone = false;
    Group* group = nullptr;
    for (std::size_t at = 0; at < input_.changes->size(); ++at) {
      if (run < owners_.size() && owners_[run].first == at) ++run;
      const std::size_t owner = owners_[run - 1].second;
      const bool alone = owner != kNobody && fates_[owner] == Fate::kRewritten;
      const ChunkIndexView index = input_.changes->index(at);
      if (!grid_.contains(index)) continue;  // the array became smaller after it was staged
      const std::uint64_t window = alone ? 0 : window_of(index);
      if (alone) {
        group = &alone_[owner];
      } else if (group == nullptr || was_alone || window != last_window) {
        group = &windows_[window];
      }
      was_alone = alone;
      last_window = window;
      group->changes.append(0, at);
    }
  }

  core::Status sort_held(std::size_t at, std::shared_ptr<const Manifest> manifest) {
    const ManifestRef& ref = input_.existing[at];
    const auto array = manifest->find_array(input_.node);
    if (!array) {
      return core::Error(
          core::ErrorCode::kCorrupt,
          core::text("manifest ", ref.id.text(), " holds nothing of node ", input_.node.text()));
    }
    const auto number = static_cast<std::uint32_t>(sources_.size());
    sources_.emplace_back(std::move(manifest), *array);
    if (const auto window = common_window(array->box());
        window && ref.extents.covers(array->box()) && grid_.covers(array->box())) {
      Group& group = fates_[at] == Fate::kRewritten ? alone_[at] : windows_[*window];
      group.held.emplace_back().append_run(
          {.source = number, .begin = 0, .end = static_cast<std::uint32_t>(array->size())});
      return {};
    }
    std::map<std::uint64_t, ReferenceList> by_window;
    ReferenceList all;
    for (std::size_t i = 0; i < array->size(); ++i) {
      const ChunkIndexView index = array->index(i);
      // what readers do not find through this box is not carried over
      if (!ref.extents.contains(index) || !grid_.contains(index)) continue;
      if (fates_[at] == Fate::kRewritten) {
        all.append(number, i);
      } else {
        by_window[window_of(index)].append(number, i);
      }
    }
    if (!all.empty()) alone_[at].held.push_back(std::move(all));
    for (auto& [window, list] : by_window) windows_[window].held.push_back(std::move(list));
    return {};
  }

  ReferenceList merged(const Group& group) const {
    std::vector<ReferenceList> lists = group.held;
    lists.push_back(group.changes);  // last: changes win
    return merge_lists(lists, sources_);
  }

  void build_pieces() {
    pieces_.clear();
    origins_.clear();
    for (const auto& [owner, group] : alone_) {
      std::map<std::uint64_t, ReferenceList> by_window;
      merged(group).for_each(sources_,
                             [&](std::uint32_t source, std::size_t at, ChunkIndexView index) {
                               by_window[window_of(index)].append(source, at);
                             });
      for (auto& [window, list] : by_window) add_piece(window, owner, as_one(std::move(list)));
    }
    for (const auto& [window, group] : windows_) {
      ReferenceList list = merged(group);
      if (list.empty()) continue;
      if (whole_.contains(window) && input_.whole_windows) {
        add_piece(window, kNobody, as_one(std::move(list)));
        continue;
      }
      for (Piece& piece : cover_window(list, sources_)) {
        add_piece(window, kNobody, std::move(piece));
      }
    }
  }

  Piece as_one(ReferenceList list) const {
    const ChunkBox box = bounding_box(list, sources_);
    return {.box = box, .references = std::move(list)};
  }

  void add_piece(std::uint64_t window, std::size_t owner, Piece piece) {
    pieces_.push_back(std::move(piece));
    origins_.push_back({.window = window, .owner = owner});
  }

  /// A box with holes may meet a manifest that was to stay: that one is merged, too.
  bool absorb_obstacles() {
    bool absorbed = false;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (origins_[i].owner != kNobody) continue;  // inside the box of what it replaces
      for (const std::size_t at : index_.meeting(pieces_[i].box)) {
        if (fates_[at] == Fate::kMerged) continue;
        if (fates_[at] == Fate::kRewritten && !still_met(at, pieces_[i].box)) continue;
        fates_[at] = Fate::kMerged;
        absorbed = true;
      }
    }
    return absorbed;
  }

  /// True when what is left of a rewritten manifest lies in the way.
  bool still_met(std::size_t owner, const ChunkBox& box) const {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (origins_[i].owner == owner && pieces_[i].box.meets(box)) return true;
    }
    return false;
  }

  /// Keeps the number of manifests in bounds. Once there are too many, half of them go, so that
  /// this is done once in many commits and not with every one that follows.
  bool merge_small_manifests() {
    if (!has_windows()) return false;
    std::map<std::uint64_t, std::vector<std::size_t>> kept;
    std::map<std::uint64_t, std::size_t> count;
    for (std::size_t at = 0; at < fates_.size(); ++at) {
      if (fates_[at] != Fate::kKept || !grid_.covers(input_.existing[at].extents)) continue;
      const auto window = window_of(corner(input_.existing[at].extents));
      kept[window].push_back(at);
      ++count[window];
    }
    for (const Origin& origin : origins_) ++count[origin.window];
    std::size_t beside_first = 0;
    std::size_t open_windows = 0;
    for (const auto& [window, manifests] : count) {
      beside_first += manifests - 1;
      open_windows += manifests > 1 ? 1U : 0U;
    }
    const std::size_t most = most_beside(input_.most_manifests, open_windows);
    if (beside_first <= (draining_ ? most / 2 : most)) return false;
    draining_ = true;
    std::vector<std::vector<std::size_t>> fullest;
    for (auto& [window, manifests] : kept) fullest.push_back(std::move(manifests));
    std::ranges::sort(fullest, std::greater{}, [](const auto& all) { return all.size(); });
    std::size_t left = beside_first;
    for (auto& manifests : fullest) {
      if (left <= most / 2) break;
      left -= merge_cheap(manifests);
    }
    if (left < beside_first || beside_first <= most) return left < beside_first;
    // all that is left is large: whole windows, several at once for the same reason
    for (auto& manifests : fullest) {
      if (left <= most / 4 * 3) break;
      left -= merge_all(manifests);
    }
    return left < beside_first;
  }

  /// The window that holds the whole box, if one does.
  std::optional<std::uint64_t> common_window(const ChunkBox& box) const {
    const auto window = window_of(corner(box));
    if (input_.windows->box(window).covers(box)) return window;
    return std::nullopt;
  }

  static ChunkIndex corner(const ChunkBox& box) {
    ChunkIndex index;
    for (const ChunkRange& range : box.ranges()) index.push_back(range.from);
    return index;
  }

  /// Smallest first, as long as the next is not much larger than all before it together: a large
  /// manifest is written again only when much has gathered beside it. Gives how many fewer there
  /// are then, about.
  std::size_t merge_cheap(std::vector<std::size_t>& manifests) {
    constexpr std::uint64_t kMuchLarger = 4;
    const auto volume = [this](std::size_t at) { return input_.existing[at].extents.volume(); };
    std::ranges::sort(manifests, {}, volume);
    std::uint64_t taken = 0;
    std::size_t merged = 0;
    for (const std::size_t at : manifests) {
      if (merged > 0 && volume(at) > kMuchLarger * taken) break;
      taken += volume(at);
      ++merged;
    }
    if (merged < 2) return 0;
    for (std::size_t i = 0; i < merged; ++i) fates_[manifests[i]] = Fate::kMerged;
    return merged - 1;
  }

  std::size_t merge_all(const std::vector<std::size_t>& manifests) {
    if (manifests.size() < 2) return 0;
    for (const std::size_t at : manifests) fates_[at] = Fate::kMerged;
    return manifests.size() - 1;
  }

  const ArrayPlanInput& input_;
  const ManifestLoader& load_;
  BoxIndex index_;
  ChunkBox grid_;
  std::vector<Fate> fates_;                                  // of input_.existing
  std::vector<std::pair<std::size_t, std::size_t>> owners_;  // first change of a run, its owner
  std::set<std::uint64_t> whole_;                            // windows merged as a whole
  bool deletes_unheld_ = false;
  bool draining_ = false;  // there were too many manifests

  std::unordered_map<ManifestId, std::shared_ptr<const Manifest>> loaded_;

  // of the present attempt
  ReferenceSources sources_;            // 0: the changes, if there are any
  std::map<std::size_t, Group> alone_;  // by rewritten manifest
  std::map<std::uint64_t, Group> windows_;
  std::vector<Piece> pieces_;    // of alone_, then of windows_
  std::vector<Origin> origins_;  // of pieces_
};

}  // namespace

std::size_t most_beside(std::size_t most_manifests, std::size_t open_windows) {
  constexpr std::size_t kPerOpenWindow = 24;  // more than cover_window cuts one into
  return std::max(most_manifests, kPerOpenWindow * open_windows);
}

bool is_crowded(std::span<const ManifestRef> manifests, const Windows& windows) {
  if (windows.count() == 0) return false;
  std::map<std::uint64_t, std::size_t> count;
  for (const ManifestRef& ref : manifests) {
    ChunkIndex first;
    for (const ChunkRange& range : ref.extents.ranges()) first.push_back(range.from);
    ++count[windows.number_of(first)];
  }
  const auto open = static_cast<std::size_t>(
      std::ranges::count_if(count, [](const auto& entry) { return entry.second > 1; }));
  return manifests.size() - count.size() > most_beside(kMostManifests, open);
}

core::Result<ArrayPlan> plan_array(const ArrayPlanInput& input, const ManifestLoader& load) {
  return Planner(input, load).run();
}

}  // namespace icefield::icechunk
