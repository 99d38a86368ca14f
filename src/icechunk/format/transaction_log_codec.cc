#include "icechunk/format/transaction_log_codec.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <flatbuffers/flatbuffers.h>

#include "core/text.h"
#include "icechunk/format/envelope.h"
#include "icechunk/format/internal/log_writer.h"
#include "icechunk/format/internal/wire.h"
#include "icechunk/format/path.h"
#include "transaction_log_generated.h"

namespace icefield::icechunk {
namespace {

namespace fb = ::icechunk::fb;
using internal::corrupt;
using internal::invalid;
using internal::required;

constexpr unsigned kMaxDepth = 64;
constexpr std::uint64_t kMaxTables = 50'000'000;
constexpr int kLevel = 1;

core::Result<NodeIds> read_ids(const flatbuffers::Vector<const fb::ObjectId8*>& wire) {
  NodeIds ids;
  ids.reserve(wire.size());
  for (const fb::ObjectId8* id : wire) {
    const auto made = internal::to_id<NodeId>(*id);
    if (!ids.empty() && ids.back() >= made) return corrupt("node ids of a log out of order");
    ids.push_back(made);
  }
  return ids;
}

core::Result<ChunkIndexSet> read_positions(
    const flatbuffers::Vector<flatbuffers::Offset<fb::ChunkIndices>>& wire,
    internal::Budget& budget) {
  ChunkIndexSet positions;
  for (const fb::ChunkIndices* one : wire) {
    const auto& numbers = required(one->coords());
    const ChunkIndexView index(numbers.data(), numbers.size());
    if (positions.empty()) {
      TRY(budget.spend(index.size_bytes() * wire.size()));
      positions = ChunkIndexSet(index.size());
      positions.reserve(wire.size());
    }
    if (!positions.append(index)) {
      return corrupt("chunk positions of a log out of order or of different rank");
    }
  }
  return positions;
}

core::Status read_chunks(const fb::TransactionLog& wire, TransactionLog& log,
                         internal::Budget& budget) {
  NodeId last;
  for (const fb::ArrayUpdatedChunks* array : required(wire.updated_chunks())) {
    const auto node = internal::to_id<NodeId>(required(array->node_id()));
    if (!log.updated_chunks.empty() && last >= node) {
      return corrupt("arrays of a log out of order");
    }
    last = node;
    TRY_ASSIGN(auto positions, read_positions(required(array->chunks()), budget));
    if (!positions.empty()) log.updated_chunks.emplace(node, std::move(positions));
  }
  return {};
}

core::Status read_moves(const fb::TransactionLog& wire, TransactionLog& log,
                        internal::Budget& budget) {
  if (wire.moved_nodes() == nullptr) return {};
  for (const fb::MoveOperation* move : *wire.moved_nodes()) {
    if (move->from() == nullptr || move->to() == nullptr || move->node_id() == nullptr) {
      return corrupt("a move without paths or node");
    }
    if (move->node_type() > fb::NodeType_MAX) return corrupt("a move of an unknown kind of node");
    Move made{.node = internal::to_id<NodeId>(required(move->node_id())),
              .kind = static_cast<NodeKind>(move->node_type())};
    TRY_ASSIGN(made.from, internal::to_text(move->from(), budget));
    TRY_ASSIGN(made.to, internal::to_text(move->to(), budget));
    if (!log.moves.empty() && std::is_gteq(compare_by_segments(log.moves.back().to, made.to))) {
      return corrupt("moves of a log out of order");
    }
    log.moves.push_back(std::move(made));
  }
  return {};
}

core::Result<TransactionLog> read_log(const fb::TransactionLog& wire, std::size_t payload) {
  TransactionLog log{.id = internal::to_id<SnapshotId>(required(wire.id()))};
  TRY_ASSIGN(log.new_groups, read_ids(required(wire.new_groups())));
  TRY_ASSIGN(log.new_arrays, read_ids(required(wire.new_arrays())));
  TRY_ASSIGN(log.deleted_groups, read_ids(required(wire.deleted_groups())));
  TRY_ASSIGN(log.deleted_arrays, read_ids(required(wire.deleted_arrays())));
  TRY_ASSIGN(log.updated_arrays, read_ids(required(wire.updated_arrays())));
  TRY_ASSIGN(log.updated_groups, read_ids(required(wire.updated_groups())));
  internal::Budget budget(payload);
  TRY(read_chunks(wire, log, budget));
  TRY(read_moves(wire, log, budget));
  return log;
}

core::Status check_order(const TransactionLog& log) {
  for (const NodeIds* ids : {&log.new_groups, &log.new_arrays, &log.deleted_groups,
                             &log.deleted_arrays, &log.updated_arrays, &log.updated_groups}) {
    if (std::ranges::adjacent_find(*ids, std::greater_equal{}) != ids->end()) {
      return invalid("transaction log: node ids out of order");
    }
  }
  const auto disordered = [](const Move& left, const Move& right) {
    return std::is_gteq(compare_by_segments(left.to, right.to));
  };
  if (std::ranges::adjacent_find(log.moves, disordered) != log.moves.end()) {
    return invalid("transaction log: moves out of order");
  }
  for (const auto& [node, chunks] : log.updated_chunks) {
    if (chunks.empty()) return invalid("transaction log: an array without changed chunks");
  }
  const std::uint64_t changed = log.updated_chunk_count();
  if (changed > kMaxUpdatedChunks) {
    return invalid(core::text("a commit of ", changed, " chunks: readers stop at 50 million, ",
                              "commit in parts of at most ", kMaxUpdatedChunks));
  }
  return {};
}

}  // namespace

core::Result<TransactionLog> decode_transaction_log(std::span<const std::byte> file,
                                                    std::optional<SnapshotId> expected) {
  TRY_ASSIGN(const auto payload, open_envelope(file, FileType::kTransactionLog));
  const auto* data = internal::wire_bytes(payload.bytes);
  // No table is reached twice in a valid log, so that 8 bytes of each bound their number.
  const auto tables = std::min<std::uint64_t>(kMaxTables, payload.bytes.size() / 8 + 16);
  flatbuffers::Verifier verifier(data, payload.bytes.size(), kMaxDepth,
                                 static_cast<flatbuffers::uoffset_t>(tables));
  if (!verifier.VerifyBuffer<fb::TransactionLog>(nullptr)) {
    return corrupt("the transaction log's buffer does not follow its schema");
  }
  TRY_ASSIGN(auto log,
             read_log(*flatbuffers::GetRoot<fb::TransactionLog>(data), payload.bytes.size()));
  if (expected && log.id != *expected) {
    return corrupt(
        core::text("transaction log ", log.id.text(), " under the name of ", expected->text()));
  }
  return log;
}

core::Result<core::Bytes> encode_transaction_log(const TransactionLog& log) {
  TRY(check_order(log));
  TRY_ASSIGN(const auto payload, internal::write_log(log));
  return seal_envelope(FileType::kTransactionLog, payload, kLevel);
}

}  // namespace icefield::icechunk
