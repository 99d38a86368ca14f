#include "icechunk/format/internal/reference_block.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <variant>
#include <vector>

#include <zstd.h>

#include "core/bytes.h"
#include "icechunk/format/internal/lanes.h"

namespace icefield::icechunk::internal {
namespace {

// One record: vtable, table, index vector, then location, entity tag or inline bytes. The vtable
// is repeated in every record: so the way from the table to it is the same number everywhere.
constexpr std::size_t kTable = 20;         // the table's place: offset and length are 8-aligned
constexpr std::size_t kRangeAt = 4;        // in the table: u64 offset, u64 length
constexpr std::size_t kIndexAt = 20;       // way to the index vector
constexpr std::size_t kTextAt = 24;        // way to the location; of native chunks the id itself
constexpr std::size_t kIdentityAt = 28;    // way to the entity tag, or u32 seconds
constexpr std::size_t kInlineIndexAt = 4;  // tables of inline chunks hold only two ways
constexpr std::size_t kInlineTextAt = 8;

struct TableForm {
  std::uint16_t vtable[10];  // its size, the table's, then the slots of ChunkRef (manifest.fbs)
  std::size_t table_size;    // rounded up to 4
};
// slots:      size table index inline offset length chunk_id location etag last_modified
constexpr TableForm kForms[] = {
    {{16, 28, 20, 0, 4, 12, 0, 24, 0, 0}, 28},   // kVirtual
    {{18, 32, 20, 0, 4, 12, 0, 24, 28, 0}, 32},  // kVirtualTagged
    {{20, 32, 20, 0, 4, 12, 0, 24, 0, 28}, 32},  // kVirtualDated
    {{14, 36, 20, 0, 4, 12, 24, 0, 0, 0}, 36},   // kNative
    {{8, 12, 4, 8, 0, 0, 0, 0, 0, 0}, 12},       // kInline
};

/// References from which on it pays to compress samples; below, they are compared.
constexpr std::size_t kWorthMeasuring = 1024;

constexpr std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// A string or byte vector: length, bytes, and for strings a zero that does not count.
constexpr std::size_t text_bytes(std::size_t size) {
  return round_up(4 + size + 1, 4);
}

void put_u32(std::byte* at, std::uint64_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  std::memcpy(at, &number, sizeof(number));
}

void put_u64(std::byte* at, std::uint64_t value) {
  std::memcpy(at, &value, sizeof(value));
}

void put_text(std::byte* at, std::span<const std::byte> text) {
  put_u32(at, text.size());
  if (!text.empty()) std::memcpy(at + 4, text.data(), text.size());
}

/// Bytes that differ, and places where differing begins: each place costs zstd a sequence.
double difference(std::span<const std::byte> left, std::span<const std::byte> right) {
  constexpr double kPerByte = 0.9;
  constexpr double kPerPlace = 1.2;
  const std::size_t both = std::min(left.size(), right.size());
  double cost = 0;
  bool differing = false;
  for (std::size_t i = 0; i < both; ++i) {
    if (left[i] == right[i]) {
      differing = false;
      continue;
    }
    cost += differing ? kPerByte : kPerByte + kPerPlace;
    differing = true;
  }
  return cost + (left.size() == right.size() ? 0 : kPerPlace);
}

}  // namespace

std::size_t ReferenceBlock::record_size(const Staged& staged) const {
  const auto& form = kForms[static_cast<std::size_t>(staged.kind)];
  std::size_t size = kTable + form.table_size + 4 + 4 * rank_;
  if (staged.kind != Kind::kNative) size += text_bytes(staged.text_size);
  if (staged.kind == Kind::kVirtualTagged) size += text_bytes(staged.identity);
  return size;
}

void ReferenceBlock::stage_text(Staged& staged, std::span<const std::byte> text,
                                std::span<const std::byte> tag) {
  staged.text_size = static_cast<std::uint32_t>(text.size());
  if (tag.empty() && !staged_.empty() && staged_.back().text_size == text.size()) {
    const Staged& before = staged_.back();  // levels of one file follow each other
    if (text.empty() ||
        std::memcmp(texts_.data() + before.text_at, text.data(), text.size()) == 0) {
      staged.text_at = before.text_at;
      return;
    }
  }
  staged.text_at = static_cast<std::uint32_t>(texts_.size());
  texts_.insert(texts_.end(), text.begin(), text.end());
  texts_.insert(texts_.end(), tag.begin(), tag.end());
}

void ReferenceBlock::expect(std::size_t references, std::size_t rank, std::size_t text_bytes) {
  constexpr std::size_t kMostText = std::size_t{64} << 20U;  // the first may be an exception
  staged_.reserve(references);
  numbers_.reserve(references * rank);
  texts_.reserve(std::min(references * text_bytes, kMostText));
}

void ReferenceBlock::add(ChunkIndexView index, const ReferenceView& reference) {
  if (staged_.empty()) rank_ = index.size();
  Staged staged;
  if (const auto* view = std::get_if<VirtualView>(&reference)) {
    staged.range = view->range;
    if (!view->entity_tag.empty()) {
      staged.kind = Kind::kVirtualTagged;
      staged.identity = static_cast<std::uint32_t>(view->entity_tag.size());
    } else if (view->last_modified != 0) {
      staged.kind = Kind::kVirtualDated;
      staged.identity = view->last_modified;
    }
    stage_text(staged, core::as_bytes(view->location), core::as_bytes(view->entity_tag));
  } else if (const auto* chunk = std::get_if<NativeChunk>(&reference)) {
    staged.kind = Kind::kNative;
    staged.range = chunk->range;
    stage_text(staged, std::as_bytes(std::span(chunk->id.bytes())), {});
  } else {
    staged.kind = Kind::kInline;
    stage_text(staged, std::get<InlineView>(reference).bytes, {});
  }
  numbers_.insert(numbers_.end(), index.begin(), index.end());
  const std::size_t size = round_up(record_size(staged), 8);
  largest_ = std::max(largest_, size);
  record_bytes_ += size + 4;
  staged_.push_back(staged);
}

void ReferenceBlock::write_record(const Staged& staged, ChunkIndexView index,
                                  std::byte* record) const {
  const auto& form = kForms[static_cast<std::size_t>(staged.kind)];
  std::memcpy(record, form.vtable, form.vtable[0]);
  std::byte* const table = record + kTable;
  const std::size_t index_at = form.table_size;  // from the table
  const std::size_t text_at = index_at + 4 + 4 * index.size();
  put_u32(table, kTable);
  put_u32(table + index_at, index.size());
  if (!index.empty()) std::memcpy(table + index_at + 4, index.data(), index.size_bytes());

  const auto text = text_of(staged);
  if (staged.kind == Kind::kInline) {
    put_u32(table + kInlineIndexAt, index_at - kInlineIndexAt);
    put_u32(table + kInlineTextAt, text_at - kInlineTextAt);
    put_text(table + text_at, text);
    return;
  }
  put_u64(table + kRangeAt, staged.range.offset);
  put_u64(table + kRangeAt + 8, staged.range.length);
  put_u32(table + kIndexAt, index_at - kIndexAt);
  if (staged.kind == Kind::kNative) {
    std::memcpy(table + kTextAt, text.data(), text.size());
    return;
  }
  put_u32(table + kTextAt, text_at - kTextAt);
  put_text(table + text_at, text);
  if (staged.kind == Kind::kVirtualDated) put_u32(table + kIdentityAt, staged.identity);
  if (staged.kind == Kind::kVirtualTagged) {
    const std::size_t tag_at = text_at + text_bytes(staged.text_size);
    put_u32(table + kIdentityAt, tag_at - kIdentityAt);
    put_text(table + tag_at,
             std::span(texts_).subspan(staged.text_at + staged.text_size, staged.identity));
  }
}

/// From how much a record differs from its neighbour in the lane.
double ReferenceBlock::estimated_cost(std::size_t lanes) const {
  constexpr std::size_t kPairs = 32;
  const std::size_t pairs = staged_.size() - lanes;
  const std::size_t looked_at = std::min(kPairs, pairs);
  double sum = 0;
  for (std::size_t s = 0; s < looked_at; ++s) {
    const std::size_t i = pairs * s / looked_at;
    sum += difference(std::as_bytes(index_of(i)), std::as_bytes(index_of(i + lanes))) +
           difference(text_of(staged_[i]), text_of(staged_[i + lanes]));
  }
  return sum / static_cast<double>(looked_at);
}

/// From compressing stretches of two lanes.
double ReferenceBlock::measured_cost(std::size_t lanes, std::size_t stride) const {
  constexpr std::size_t kStretch = 96;
  const std::size_t rows = std::min(kStretch, staged_.size() / lanes);
  core::Bytes sample(2 * rows * stride);
  std::byte* next = sample.data();
  for (const std::size_t lane : {std::size_t{0}, lanes / 2}) {
    const std::size_t first = (staged_.size() / lanes - rows) / 2 * lanes + lane;
    for (std::size_t row = 0; row < rows; ++row, next += stride) {
      const std::size_t i = first + row * lanes;
      write_record(staged_[i], index_of(i), next);
    }
  }
  core::Bytes compressed(ZSTD_compressBound(sample.size()));
  const std::size_t size =
      ZSTD_compress(compressed.data(), compressed.size(), sample.data(), sample.size(), 1);
  return static_cast<double>(size) / static_cast<double>(2 * rows);
}

void ReferenceBlock::write(core::Bytes& out) {
  const std::size_t count = staged_.size();
  const std::size_t vector_at = out.size();
  const std::size_t records_at = round_up(vector_at + 4 + 4 * count, 8);
  Lanes lanes{.lanes = 1, .stride = 0, .rows = count};
  if (largest_ * count <= record_bytes_ + record_bytes_ / 4) {  // records of about one size
    lanes = choose_lanes(count, largest_, 8, [this](std::size_t wanted, std::size_t stride) {
      return size() < kWorthMeasuring ? estimated_cost(wanted) : measured_cost(wanted, stride);
    });
  }
  const bool in_lanes = lanes.lanes > 1;
  const std::uint64_t records = in_lanes ? lanes.bytes() : record_bytes_ - 4 * count;
  out.resize(records_at + records);
  put_u32(out.data() + vector_at, count);
  std::size_t next = records_at;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t record = in_lanes ? records_at + lanes.position(i) : next;
    const std::size_t entry = vector_at + 4 + 4 * i;
    put_u32(out.data() + entry, record + kTable - entry);
    write_record(staged_[i], index_of(i), out.data() + record);
    next += round_up(record_size(staged_[i]), 8);
  }
  staged_.clear();
  numbers_.clear();
  texts_.clear();
  largest_ = 0;
  record_bytes_ = 0;
}

}  // namespace icefield::icechunk::internal
