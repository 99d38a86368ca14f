#include "icechunk/commit/internal/window_cover.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace icefield::icechunk {
namespace {

constexpr std::size_t kMostFullBoxes = 16;
constexpr std::size_t kMostFullBoxesOfRow = 8;
constexpr std::size_t kMostGrowingRows = 16;

/// References with one position along the first dimension.
struct Row {
  std::uint32_t at = 0;
  std::size_t references = 0;
};

std::vector<Row> rows_of(const ReferenceList& list, const ReferenceSources& sources) {
  std::vector<Row> rows;
  list.for_each(sources, [&rows](std::uint32_t, std::size_t, ChunkIndexView index) {
    if (rows.empty() || rows.back().at != index[0]) rows.push_back({.at = index[0]});
    ++rows.back().references;
  });
  return rows;
}

/// How many rows at the end hold less than the fullest one.
std::size_t growing_rows(const std::vector<Row>& rows) {
  const std::size_t fullest = std::ranges::max(rows, {}, &Row::references).references;
  std::size_t growing = 0;
  while (growing < rows.size() && growing < kMostGrowingRows &&
         rows[rows.size() - 1 - growing].references < fullest) {
    ++growing;
  }
  return growing;
}

Piece as_one(ReferenceList list, const ReferenceSources& sources) {
  const ChunkBox box = bounding_box(list, sources);
  return {.box = box, .references = std::move(list)};
}

}  // namespace

std::vector<Piece> cover_window(const ReferenceList& list, const ReferenceSources& sources) {
  if (auto full = cover_with_full_boxes(list, sources, kMostFullBoxes)) return *std::move(full);
  const auto rows = rows_of(list, sources);
  const std::size_t closed = rows.size() - growing_rows(rows);
  std::vector<ReferenceList> parts(rows.size() - closed + 1);  // the closed rows, then one each
  std::size_t row = 0;
  list.for_each(sources, [&](std::uint32_t source, std::size_t at, ChunkIndexView index) {
    while (rows[row].at != index[0]) ++row;
    parts[row < closed ? 0 : row - closed + 1].append(source, at);
  });
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    auto full =
        i == 0 ? std::nullopt : cover_with_full_boxes(parts[i], sources, kMostFullBoxesOfRow);
    if (full) {
      std::ranges::move(*full, std::back_inserter(pieces));
    } else {
      pieces.push_back(as_one(std::move(parts[i]), sources));
    }
  }
  return pieces;
}

}  // namespace icefield::icechunk
