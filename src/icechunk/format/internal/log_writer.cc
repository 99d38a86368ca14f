#include "icechunk/format/internal/log_writer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "icechunk/format/envelope.h"
#include "icechunk/format/internal/lanes.h"
#include "icechunk/format/internal/wire.h"

namespace icefield::icechunk::internal {
namespace {

// schemas/icechunk/transaction_log.fbs. Each vtable: its size, the table's, then the slots.
constexpr std::uint16_t kLogVtable[] = {22, 48, 4, 16, 20, 24, 28, 32, 36, 40, 44};
constexpr std::uint16_t kArrayVtable[] = {8, 16, 8, 4};          // node_id, chunks
constexpr std::uint16_t kChunkVtable[] = {6, 8, 4, 0};           // coords; two bytes of padding
constexpr std::uint16_t kMoveVtable[] = {12, 24, 4, 8, 12, 20};  // from, to, node_id, node_type
constexpr std::size_t kLogVtableAt = 8;
constexpr std::size_t kLogAt = 32;
constexpr std::size_t kListsAt = kLogAt + 16;  // ways to the eight lists
constexpr std::size_t kBodyAt = kLogAt + 48;
constexpr std::size_t kArraySize = 16;
constexpr std::size_t kMoveSize = 24;

constexpr std::size_t round_up_4(std::size_t value) {
  return (value + 3) / 4 * 4;
}

/// A position's record: vtable, table, vector of numbers.
constexpr std::size_t chunk_record(std::size_t rank) {
  return sizeof(kChunkVtable) + 12 + 4 * rank;
}

Lanes lanes_of(const ChunkIndexSet& chunks) {
  return choose_lanes(chunks.size(), chunk_record(chunks.rank()), 4,
                      [](std::size_t, std::size_t) { return 0.0; });  // the shortest stride
}

std::uint64_t body_size(const TransactionLog& log) {
  std::uint64_t size = kBodyAt + 32;  // the counts of eight lists
  for (const NodeIds* ids : {&log.new_groups, &log.new_arrays, &log.deleted_groups,
                             &log.deleted_arrays, &log.updated_arrays, &log.updated_groups}) {
    size += ids->size() * NodeId::kSize;
  }
  size += sizeof(kArrayVtable);
  for (const auto& [node, chunks] : log.updated_chunks) {
    size += 4 + kArraySize + 4 + 4 * chunks.size() + lanes_of(chunks).bytes();
  }
  size += sizeof(kMoveVtable);
  for (const Move& move : log.moves) {
    size += 4 + kMoveSize + round_up_4(5 + move.from.size()) + round_up_4(5 + move.to.size());
  }
  return size;
}

class Writer {
 public:
  explicit Writer(std::span<std::byte> out) : buffer_(out) {}

  /// Gives the bytes used.
  std::size_t write(const TransactionLog& log) {
    put(0, kLogAt);
    std::memcpy(buffer_.data() + 4, kFileIdentifier, 4);
    copy(kLogVtableAt, std::as_bytes(std::span(kLogVtable)));
    put(kLogAt, kLogAt - kLogVtableAt);
    copy(kLogAt + 4, std::as_bytes(std::span(log.id.bytes())));
    next_ = kBodyAt;
    const std::array lists{&log.new_groups,     &log.new_arrays,     &log.deleted_groups,
                           &log.deleted_arrays, &log.updated_arrays, &log.updated_groups};
    for (std::size_t i = 0; i < lists.size(); ++i) write_ids(kListsAt + 4 * i, *lists[i]);
    write_chunks(kListsAt + 24, log);
    write_moves(kListsAt + 28, log.moves);
    return next_;
  }

 private:
  void put(std::size_t at, std::size_t value) {
    const auto number = static_cast<std::uint32_t>(value);
    std::memcpy(buffer_.data() + at, &number, sizeof(number));
  }
  void copy(std::size_t at, std::span<const std::byte> bytes) {
    if (!bytes.empty()) std::memcpy(buffer_.data() + at, bytes.data(), bytes.size());
  }
  /// Makes the way at `from` lead to what is written next.
  void lead(std::size_t from) { put(from, next_ - from); }
  std::size_t take(std::size_t size) {
    const std::size_t at = next_;
    next_ += size;
    return at;
  }

  void write_ids(std::size_t from, const NodeIds& ids) {
    lead(from);
    put(take(4), ids.size());
    for (const NodeId& id : ids) copy(take(NodeId::kSize), std::as_bytes(std::span(id.bytes())));
  }

  void write_chunks(std::size_t from, const TransactionLog& log) {
    lead(from);
    put(take(4), log.updated_chunks.size());
    std::size_t entry = take(4 * log.updated_chunks.size());
    const std::size_t vtable = take(sizeof(kArrayVtable));
    copy(vtable, std::as_bytes(std::span(kArrayVtable)));
    for (const auto& [node, chunks] : log.updated_chunks) {
      const std::size_t table = take(kArraySize);
      put(entry, table - entry);
      put(table, table - vtable);
      copy(table + 8, std::as_bytes(std::span(node.bytes())));
      lead(table + 4);
      write_positions(chunks);
      entry += 4;
    }
  }

  /// The vector of one array's positions and, in lanes, their records.
  void write_positions(const ChunkIndexSet& chunks) {
    put(take(4), chunks.size());
    const std::size_t entries = take(4 * chunks.size());
    const Lanes lanes = lanes_of(chunks);
    const std::size_t records = take(lanes.bytes());
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const std::size_t record = records + lanes.position(i);
      const std::size_t table = record + sizeof(kChunkVtable);
      const ChunkIndexView index = chunks[i];
      put(entries + 4 * i, table - (entries + 4 * i));
      copy(record, std::as_bytes(std::span(kChunkVtable)));
      put(table, sizeof(kChunkVtable));
      put(table + 4, 4);
      put(table + 8, index.size());
      copy(table + 12, std::as_bytes(index));
    }
  }

  void write_text(std::size_t from, std::string_view text) {
    lead(from);
    const std::size_t at = take(round_up_4(5 + text.size()));
    put(at, text.size());
    copy(at + 4, core::as_bytes(text));
  }

  void write_moves(std::size_t from, const std::vector<Move>& moves) {
    lead(from);
    put(take(4), moves.size());
    std::size_t entry = take(4 * moves.size());
    const std::size_t vtable = take(sizeof(kMoveVtable));
    copy(vtable, std::as_bytes(std::span(kMoveVtable)));
    for (const Move& move : moves) {
      const std::size_t table = take(kMoveSize);
      put(entry, table - entry);
      put(table, table - vtable);
      copy(table + 12, std::as_bytes(std::span(move.node.bytes())));
      buffer_[table + 20] = static_cast<std::byte>(move.kind);
      write_text(table + 4, move.from);
      write_text(table + 8, move.to);
      entry += 4;
    }
  }

  std::span<std::byte> buffer_;
  std::size_t next_ = 0;
};

}  // namespace

core::Result<core::Bytes> write_log(const TransactionLog& log) {
  const std::uint64_t size = body_size(log);
  if (size > kMaxPayload) return invalid("a transaction log over 2 GiB");
  core::Bytes buffer(size);
  buffer.resize(Writer(buffer).write(log));
  return buffer;
}

}  // namespace icefield::icechunk::internal
