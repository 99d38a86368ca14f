#include "icechunk/commit/internal/box_cover.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace icefield::icechunk {
namespace {

constexpr std::size_t kMaxIntervals = 4096;  // of row-major numbers; more is no regular shape

/// Half-open interval of row-major numbers inside a bounding box.
struct Interval {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Row-major numbers of positions in a box. Precondition: its volume fits 64 bits.
class Numbering {
 public:
  explicit Numbering(const ChunkBox& box) : box_(box), strides_(box.rank(), 1) {
    for (std::size_t d = box.rank(); d-- > 1;) {
      strides_[d - 1] = strides_[d] * (box[d].to - box[d].from);
    }
  }

  std::uint64_t number(ChunkIndexView index) const {
    std::uint64_t number = 0;
    const auto ranges = box_.ranges();
    for (std::size_t d = 0; d < index.size(); ++d) {
      number += strides_[d] * (index[d] - ranges[d].from);
    }
    return number;
  }

  /// Adds the boxes that an interval consists of, with the dimensions before `d` fixed in `box`.
  void cut(Interval interval, std::size_t d, ChunkBox box, std::vector<ChunkBox>& out) const {
    if (interval.begin == interval.end) return;
    if (d == box_.rank()) {
      out.push_back(std::move(box));
      return;
    }
    const std::uint64_t stride = strides_[d];
    const std::uint64_t whole_from = (interval.begin + stride - 1) / stride;
    const std::uint64_t whole_to = interval.end / stride;
    const auto row = [&](std::uint64_t at, Interval inside) {
      ChunkBox fixed = box;
      fixed.set(d, range(d, at, at + 1));
      const std::uint64_t base = at * stride;
      cut({.begin = inside.begin - base, .end = inside.end - base}, d + 1, std::move(fixed), out);
    };
    if (whole_from > whole_to) {  // within one row
      row(whole_to, interval);
      return;
    }
    if (interval.begin < whole_from * stride) {
      row(whole_from - 1, {.begin = interval.begin, .end = whole_from * stride});
    }
    if (whole_from < whole_to) {
      ChunkBox whole = box_;
      for (std::size_t i = 0; i < d; ++i) whole.set(i, box[i]);
      whole.set(d, range(d, whole_from, whole_to));
      out.push_back(std::move(whole));
    }
    if (whole_to * stride < interval.end) {
      row(whole_to, {.begin = whole_to * stride, .end = interval.end});
    }
  }

 private:
  ChunkRange range(std::size_t d, std::uint64_t from, std::uint64_t to) const {
    return {.from = box_[d].from + static_cast<std::uint32_t>(from),
            .to = box_[d].from + static_cast<std::uint32_t>(to)};
  }

  ChunkBox box_;
  std::vector<std::uint64_t> strides_;
};

/// Joins boxes that differ only along `d` and touch there.
void join_along(std::size_t d, std::vector<ChunkBox>& boxes) {
  const auto before = [d](const ChunkBox& left, const ChunkBox& right) {
    for (std::size_t i = 0; i < left.rank(); ++i) {
      if (i != d && left[i] != right[i]) return left[i] < right[i];
    }
    return left[d] < right[d];
  };
  std::ranges::sort(boxes, before);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < boxes.size(); ++i) {
    ChunkBox joined = boxes[kept];
    joined.set(d, boxes[i][d]);
    if (joined == boxes[i] && boxes[kept][d].to == boxes[i][d].from) {
      boxes[kept].set(d, {.from = boxes[kept][d].from, .to = boxes[i][d].to});
    } else {
      boxes[++kept] = boxes[i];
    }
  }
  if (!boxes.empty()) boxes.resize(kept + 1);
}

std::optional<std::vector<Interval>> intervals_of(const ReferenceList& list,
                                                  const ReferenceSources& sources,
                                                  const Numbering& numbering) {
  std::vector<Interval> intervals;
  bool too_many = false;
  list.for_each(sources, [&](std::uint32_t, std::size_t, ChunkIndexView index) {
    if (too_many) return;
    const std::uint64_t number = numbering.number(index);
    if (!intervals.empty() && intervals.back().end == number) {
      ++intervals.back().end;
    } else if (intervals.size() < kMaxIntervals) {
      intervals.push_back({.begin = number, .end = number + 1});
    } else {
      too_many = true;
    }
  });
  if (too_many) return std::nullopt;
  return intervals;
}

std::vector<Piece> share_out(const ReferenceList& list, const ReferenceSources& sources,
                             const std::vector<ChunkBox>& boxes) {
  std::vector<Piece> pieces;
  pieces.reserve(boxes.size());
  for (const ChunkBox& box : boxes) pieces.push_back({.box = box, .references = {}});
  std::size_t last = 0;
  list.for_each(sources, [&](std::uint32_t source, std::size_t at, ChunkIndexView index) {
    while (!pieces[last].box.contains(index)) last = (last + 1) % pieces.size();
    pieces[last].references.append(source, at);
  });
  return pieces;
}

}  // namespace

std::optional<std::vector<Piece>> cover_with_full_boxes(const ReferenceList& list,
                                                        const ReferenceSources& sources,
                                                        std::size_t most) {
  const ChunkBox box = bounding_box(list, sources);
  if (box.volume() == list.size()) return std::vector<Piece>{{.box = box, .references = list}};
  if (box.volume() == std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
  const Numbering numbering(box);
  const auto intervals = intervals_of(list, sources, numbering);
  if (!intervals) return std::nullopt;
  std::vector<ChunkBox> boxes;
  for (const Interval& interval : *intervals) numbering.cut(interval, 0, box, boxes);
  for (std::size_t d = box.rank(); d-- > 0;) join_along(d, boxes);
  if (boxes.size() > most) return std::nullopt;
  return share_out(list, sources, boxes);
}

}  // namespace icefield::icechunk
