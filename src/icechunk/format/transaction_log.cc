#include "icechunk/format/transaction_log.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "icechunk/format/path.h"

namespace icefield::icechunk {
namespace {

NodeIds join(const NodeIds& left, const NodeIds& right) {
  NodeIds both;
  both.reserve(left.size() + right.size());
  std::ranges::set_union(left, right, std::back_inserter(both));
  return both;
}

/// One entry per node: from where it was first to where it is last.
std::vector<Move> compose(const std::vector<Move>& earlier, const std::vector<Move>& later) {
  std::map<NodeId, Move> by_node;
  for (const Move& move : earlier) by_node.emplace(move.node, move);
  for (const Move& move : later) {
    const auto [at, added] = by_node.emplace(move.node, move);
    if (!added) at->second.to = move.to;
  }
  std::vector<Move> moves;
  moves.reserve(by_node.size());
  for (auto& [node, move] : by_node) {
    if (move.from != move.to) moves.push_back(std::move(move));
  }
  put_in_order(moves);
  return moves;
}

}  // namespace

bool TransactionLog::empty() const {
  return new_groups.empty() && new_arrays.empty() && deleted_groups.empty() &&
         deleted_arrays.empty() && updated_groups.empty() && updated_arrays.empty() &&
         updated_chunks.empty() && moves.empty();
}

std::uint64_t TransactionLog::updated_chunk_count() const {
  std::uint64_t count = 0;
  for (const auto& [node, chunks] : updated_chunks) count += chunks.size();
  return count;
}

bool holds(const NodeIds& ids, const NodeId& id) {
  return std::ranges::binary_search(ids, id);
}

void put_in_order(NodeIds& ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

void put_in_order(std::vector<Move>& moves) {
  std::ranges::sort(moves, [](const Move& left, const Move& right) {
    return std::is_lt(compare_by_segments(left.to, right.to));
  });
}

TransactionLog merge(const TransactionLog& earlier, const TransactionLog& later) {
  TransactionLog both{
      .id = later.id,
      .new_groups = join(earlier.new_groups, later.new_groups),
      .new_arrays = join(earlier.new_arrays, later.new_arrays),
      .deleted_groups = join(earlier.deleted_groups, later.deleted_groups),
      .deleted_arrays = join(earlier.deleted_arrays, later.deleted_arrays),
      .updated_groups = join(earlier.updated_groups, later.updated_groups),
      .updated_arrays = join(earlier.updated_arrays, later.updated_arrays),
      .updated_chunks = earlier.updated_chunks,
      .moves = compose(earlier.moves, later.moves),
  };
  for (const auto& [node, chunks] : later.updated_chunks) {
    auto& joined = both.updated_chunks[node];
    joined = ChunkIndexSet::join(joined, chunks);
  }
  return both;
}

}  // namespace icefield::icechunk
