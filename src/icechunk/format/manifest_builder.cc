#include "icechunk/format/manifest_builder.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "core/bytes.h"
#include "core/text.h"
#include "icechunk/format/envelope.h"
#include "icechunk/format/internal/reference_block.h"
#include "icechunk/format/internal/wire.h"

namespace icefield::icechunk {
namespace {

using internal::invalid;

// The head of the buffer, written last, when the number of arrays is known: root offset, file
// identifier, vtable and table of Manifest, vector of arrays (schemas/icechunk/manifest.fbs).
constexpr std::uint16_t kManifestVtable[] = {12, 24, 8, 4, 0, 20};  // id, arrays, -, algorithm
constexpr std::size_t kManifestVtableAt = 8;
constexpr std::size_t kManifestAt = 20;
constexpr std::size_t kArraysAt = 44;

// Before the references of each array, its vtable and table. The vtable is repeated: so every way
// from here is the same number in each array.
constexpr std::uint16_t kArrayVtable[] = {8, 16, 8, 4};  // node_id, refs
constexpr std::size_t kArrayTableAt = sizeof(kArrayVtable);
constexpr std::size_t kReferencesAt = kArrayTableAt + 16;

// What zstd looks for depends on the size (docs/formats/icechunk.md, Layout of manifests). Records
// repeat at the distance of their neighbour in the lane and little else does: where tables of
// places are small, or some places are skipped, other repetitions, which cost more to tell,
// are missed.
constexpr Compression kPlain{.level = 1};
constexpr Compression kSmallTables{.level = 1, .tables_log2 = 8};
constexpr Compression kSkipping{.level = 1, .step = 2};
constexpr Compression kLazy{.level = 12, .strategy = 5, .tables_log2 = 12};
constexpr Compression kOptimal{.level = 13, .strategy = 7, .tables_log2 = 12};

constexpr Compression kCommitFew[] = {kSmallTables, kPlain, kLazy};
constexpr Compression kCommitSome[] = {kPlain};
constexpr Compression kCommitMany[] = {kSkipping};
constexpr Compression kCompactSome[] = {kOptimal, kLazy, kSmallTables};
constexpr Compression kCompactMany[] = {kOptimal};
constexpr std::size_t kFew = std::size_t{128} << 10U;  // bytes: about 900 references
constexpr std::size_t kMany = std::size_t{1} << 20U;   // about 7,000

std::span<const Compression> choices(ManifestEffort effort, std::size_t size) {
  if (effort == ManifestEffort::kCompact) {
    if (size < kMany) return kCompactSome;
    return kCompactMany;
  }
  if (size < kFew) return kCommitFew;
  if (size < kMany) return kCommitSome;
  return kCommitMany;
}

/// Room that the records may take, so that gaps in lanes still leave the file below 2 GiB.
constexpr std::uint64_t kMaxRecordBytes = kMaxPayload / 7 * 4;

constexpr std::size_t head_size(std::size_t arrays) {
  return (kArraysAt + 4 + 4 * arrays + 7) / 8 * 8;
}

void put_u32(core::Bytes& out, std::size_t at, std::uint64_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  std::memcpy(out.data() + at, &number, sizeof(number));
}

core::Status check_range(const core::ByteRange& range) {
  if (range.length == 0) return invalid("a chunk reference of length 0");
  if (range.length > std::numeric_limits<std::uint64_t>::max() - range.offset) {
    return invalid("a chunk reference that ends after 2^64");
  }
  return {};
}

core::Status check_reference(const ReferenceView& reference) {
  if (const auto* view = std::get_if<VirtualView>(&reference)) {
    TRY(check_range(view->range));
    if (view->location.empty()) return invalid("a virtual chunk without location");
    if (!view->entity_tag.empty() && view->last_modified != 0) {
      return invalid("a virtual chunk with two identities of its source");
    }
    if (!internal::is_utf8(view->location) || !internal::is_utf8(view->entity_tag)) {
      return invalid("a location or entity tag that is not UTF-8");
    }
    return {};
  }
  if (const auto* chunk = std::get_if<NativeChunk>(&reference)) return check_range(chunk->range);
  if (std::get<InlineView>(reference).bytes.empty()) return invalid("an inline chunk of length 0");
  return {};
}

std::uint64_t variable_size(const ReferenceView& reference) {
  if (const auto* view = std::get_if<VirtualView>(&reference)) {
    return view->location.size() + view->entity_tag.size();
  }
  const auto* chunk = std::get_if<InlineView>(&reference);
  return chunk == nullptr ? 0 : chunk->bytes.size();
}

}  // namespace

class ManifestBuilder::Impl {
 public:
  Impl(ManifestId id, ManifestEffort effort) : id_(id), effort_(effort) {
    buffer_.resize(head_size(1));  // what one array needs; more arrays move the blocks
  }

  void expect(std::size_t references) { expected_ = references; }

  core::Status add(const NodeId& node, ChunkIndexView index, const ReferenceView& reference) {
    TRY(check_reference(reference));
    if (closed_bytes_ + block_.record_bytes() + variable_size(reference) + 4 * index.size() >
        kMaxRecordBytes) {
      return invalid("a manifest that readers could not take: over 2 GiB");
    }
    if (extents_.empty() || extents_.back().node != node) {
      if (!extents_.empty() && node < extents_.back().node) {
        return invalid("references of a manifest out of order: node ids must ascend");
      }
      close_block();
      extents_.push_back({.node = node, .box = ChunkBox::around(index), .references = 0});
      block_.expect(std::exchange(expected_, 0), index.size(), variable_size(reference));
    } else {
      if (index.size() != block_.rank()) return invalid("chunk positions of different rank");
      if (std::is_gteq(compare_indices(block_.last_index(), index))) {
        return invalid("references of a manifest out of order: positions must ascend");
      }
      extents_.back().box.extend(index);
    }
    block_.add(index, reference);
    ++extents_.back().references;
    ++count_;
    return {};
  }

  std::uint64_t reference_count() const noexcept { return count_; }
  std::uint64_t raw_bytes() const noexcept { return buffer_.size() + block_.record_bytes(); }

  core::Result<BuiltManifest> finish() && {
    if (count_ == 0) return invalid("a manifest without references");
    if (count_ > std::numeric_limits<std::uint32_t>::max()) return invalid("2^32 references");
    close_block();
    write_head();
    auto file = seal_envelope(FileType::kManifest, buffer_, choices(effort_, buffer_.size()));
    if (!file) return std::move(file).error();
    return BuiltManifest{.file = {.id = id_,
                                  .size_bytes = file->size(),
                                  .num_chunk_refs = static_cast<std::uint32_t>(count_)},
                         .bytes = *std::move(file),
                         .extents = std::move(extents_)};
  }

 private:
  /// Writes the last array with its references.
  void close_block() {
    if (block_.size() == 0) return;
    const std::size_t start = buffer_.size();
    const std::size_t table = start + kArrayTableAt;
    starts_.push_back(start - head_size(1));
    buffer_.resize(start + kReferencesAt);
    std::memcpy(buffer_.data() + start, kArrayVtable, sizeof(kArrayVtable));
    put_u32(buffer_, table, kArrayTableAt);
    put_u32(buffer_, table + 4, start + kReferencesAt - (table + 4));
    std::memcpy(buffer_.data() + table + 8, extents_.back().node.bytes().data(), NodeId::kSize);
    closed_bytes_ += kReferencesAt + block_.record_bytes();
    block_.write(buffer_);
  }

  void write_head() {
    const std::size_t arrays = extents_.size();
    const std::size_t head = head_size(arrays);
    buffer_.insert(buffer_.begin(), head - head_size(1), std::byte{0});
    put_u32(buffer_, 0, kManifestAt);
    std::memcpy(buffer_.data() + 4, internal::kFileIdentifier, 4);
    std::memcpy(buffer_.data() + kManifestVtableAt, kManifestVtable, sizeof(kManifestVtable));
    put_u32(buffer_, kManifestAt, kManifestAt - kManifestVtableAt);
    put_u32(buffer_, kManifestAt + 4, kArraysAt - (kManifestAt + 4));
    std::memcpy(buffer_.data() + kManifestAt + 8, id_.bytes().data(), ManifestId::kSize);
    // compression_algorithm stays 0, which has to be stored: the schema's default is 1

    put_u32(buffer_, kArraysAt, arrays);
    for (std::size_t i = 0; i < arrays; ++i) {
      const std::size_t entry = kArraysAt + 4 + 4 * i;
      put_u32(buffer_, entry, head + starts_[i] + kArrayTableAt - entry);
    }
  }

  ManifestId id_;
  ManifestEffort effort_;
  core::Bytes buffer_;               // head_size(1) bytes of room, then the finished blocks
  std::vector<std::size_t> starts_;  // of the blocks, from the end of the room
  std::vector<BuiltManifest::Extent> extents_;
  internal::ReferenceBlock block_;  // of the last array
  std::uint64_t closed_bytes_ = 0;
  std::size_t expected_ = 0;  // references of the array that comes next
  std::uint64_t count_ = 0;
};

ManifestBuilder::ManifestBuilder(ManifestId id, ManifestEffort effort)
    : impl_(std::make_unique<Impl>(id, effort)) {}
ManifestBuilder::ManifestBuilder(ManifestBuilder&&) noexcept = default;
ManifestBuilder& ManifestBuilder::operator=(ManifestBuilder&&) noexcept = default;
ManifestBuilder::~ManifestBuilder() = default;

void ManifestBuilder::expect(std::size_t references) {
  impl_->expect(references);
}

core::Status ManifestBuilder::add(const NodeId& node, ChunkIndexView index,
                                  const ReferenceView& reference) {
  return impl_->add(node, index, reference);
}

std::uint64_t ManifestBuilder::reference_count() const noexcept {
  return impl_->reference_count();
}

std::uint64_t ManifestBuilder::raw_bytes() const noexcept {
  return impl_->raw_bytes();
}

core::Result<BuiltManifest> ManifestBuilder::finish() && {
  return std::move(*impl_).finish();
}

}  // namespace icefield::icechunk
