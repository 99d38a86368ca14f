#include "icechunk/commit/internal/merge_lists.h"

#include <algorithm>
#include <compare>
#include <queue>

namespace icefield::icechunk {
namespace {

/// Where one list stands.
class Cursor {
 public:
  Cursor(const ReferenceList& list, const ReferenceSources& sources, std::size_t rank)
      : runs_(&list.runs()), sources_(&sources), at_(list.runs().front().begin), rank_(rank) {}

  ChunkIndexView index() const { return source().index(at_); }
  bool deleted() const { return source().deleted(at_); }
  std::uint32_t source_number() const { return (*runs_)[run_].source; }
  std::size_t position() const { return at_; }
  std::size_t rank() const { return rank_; }  // of the list among all

  /// False at the end of the list.
  bool advance() {
    if (++at_ < (*runs_)[run_].end) return true;
    if (++run_ == runs_->size()) return false;
    at_ = (*runs_)[run_].begin;
    return true;
  }

 private:
  const ReferenceSource& source() const { return (*sources_)[source_number()]; }

  const std::vector<ReferenceList::Run>* runs_;
  const ReferenceSources* sources_;
  std::size_t run_ = 0;
  std::uint32_t at_;
  std::size_t rank_;
};

struct ComesLater {
  bool operator()(const Cursor& left, const Cursor& right) const {
    const auto order = compare_indices(left.index(), right.index());
    return std::is_eq(order) ? left.rank() < right.rank()
                             : std::is_gt(order);  // the last list first
  }
};

ChunkIndexView first_index(const ReferenceList& list, const ReferenceSources& sources) {
  return sources[list.runs().front().source].index(list.runs().front().begin);
}
ChunkIndexView last_index(const ReferenceList& list, const ReferenceSources& sources) {
  return sources[list.runs().back().source].index(list.runs().back().end - 1);
}

void append_present(const ReferenceList& from, const ReferenceSources& sources, ReferenceList& to) {
  for (const auto& run : from.runs()) {
    const ReferenceSource& source = sources[run.source];
    if (!source.may_delete()) {
      to.append_run(run);
      continue;
    }
    for (std::uint32_t at = run.begin; at < run.end; ++at) {
      if (!source.deleted(at)) to.append(run.source, at);
    }
  }
}

}  // namespace

ReferenceList merge_lists(const std::vector<ReferenceList>& lists,
                          const ReferenceSources& sources) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (!lists[i].empty()) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::is_lt(
        compare_indices(first_index(lists[a], sources), first_index(lists[b], sources)));
  });
  const auto out_of_order = std::ranges::adjacent_find(order, [&](std::size_t a, std::size_t b) {
    return std::is_gteq(
        compare_indices(last_index(lists[a], sources), first_index(lists[b], sources)));
  });
  ReferenceList merged;
  if (out_of_order == order.end()) {  // one after the other: no comparing
    for (const std::size_t i : order) append_present(lists[i], sources, merged);
    return merged;
  }
  std::priority_queue<Cursor, std::vector<Cursor>, ComesLater> queue;
  for (const std::size_t i : order) queue.emplace(lists[i], sources, i);
  ChunkIndexView last;
  bool any = false;
  while (!queue.empty()) {
    Cursor cursor = queue.top();
    queue.pop();
    const ChunkIndexView index = cursor.index();
    if (!any || !std::ranges::equal(index, last)) {
      if (!cursor.deleted()) merged.append(cursor.source_number(), cursor.position());
      last = index;
      any = true;
    }
    if (cursor.advance()) queue.push(cursor);
  }
  return merged;
}

}  // namespace icefield::icechunk
