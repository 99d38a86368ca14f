#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bytes.h"
#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/chunk_reference.h"

namespace icefield::icechunk::internal {

/// References of one array, kept until all are known, then written as one relocatable block:
/// the vector of offsets and the records that it leads to (docs/formats/icechunk.md, Layout of
/// manifests). What is added must be valid and in order; the builder has checked it.
class ReferenceBlock {
 public:
  /// Makes room for so many references of a rank, each with about so many bytes of text.
  void expect(std::size_t references, std::size_t rank, std::size_t text_bytes);

  /// `index` has the rank of the first.
  void add(ChunkIndexView index, const ReferenceView& reference);

  std::size_t size() const noexcept { return staged_.size(); }
  std::size_t rank() const noexcept { return rank_; }

  /// The position added last. Precondition: size() > 0.
  ChunkIndexView last_index() const { return ChunkIndexView(numbers_).last(rank_); }

  /// Bytes that write() will append, not counting the gaps between records.
  std::uint64_t record_bytes() const noexcept { return record_bytes_; }

  /// Appends the block and forgets everything. Precondition: out.size() is a multiple of 8, and
  /// remains one.
  void write(core::Bytes& out);

 private:
  enum class Kind : std::uint8_t { kVirtual, kVirtualTagged, kVirtualDated, kNative, kInline };
  struct Staged {
    core::ByteRange range = {};
    std::uint32_t text_at = 0;  // location, chunk id or inline bytes, in texts_
    std::uint32_t text_size = 0;
    std::uint32_t identity = 0;  // size of the entity tag behind the location, or the seconds
    Kind kind = Kind::kVirtual;
  };

  std::size_t record_size(const Staged& staged) const;
  void stage_text(Staged& staged, std::span<const std::byte> text, std::span<const std::byte> tag);
  void write_record(const Staged& staged, ChunkIndexView index, std::byte* record) const;
  std::span<const std::byte> text_of(const Staged& staged) const {
    return std::span(texts_).subspan(staged.text_at, staged.text_size);
  }
  ChunkIndexView index_of(std::size_t i) const {
    return ChunkIndexView(numbers_).subspan(i * rank_, rank_);
  }
  double estimated_cost(std::size_t lanes) const;
  double measured_cost(std::size_t lanes, std::size_t stride) const;

  std::size_t rank_ = 0;
  std::size_t largest_ = 0;         // bytes of the largest record
  std::uint64_t record_bytes_ = 0;  // of all records and their entries
  std::vector<std::uint32_t> numbers_;
  std::vector<Staged> staged_;
  core::Bytes texts_;
};

}  // namespace icefield::icechunk::internal
