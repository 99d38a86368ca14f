#include "icechunk/format/manifest.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <flatbuffers/flatbuffers.h>

#include "core/text.h"
#include "icechunk/format/envelope.h"
#include "icechunk/format/internal/location_dictionary.h"
#include "icechunk/format/internal/wire.h"
#include "manifest_generated.h"

namespace icefield::icechunk {
namespace {

namespace fb = ::icechunk::fb;
using internal::corrupt;
using internal::required;
using References = flatbuffers::Vector<flatbuffers::Offset<fb::ChunkRef>>;

constexpr unsigned kMaxDepth = 64;
constexpr std::uint64_t kMaxTables = 500'000'000;

/// One array of the file, with what one pass over its references found out.
struct Entry {
  NodeId node = {};
  const References* references = nullptr;
  std::size_t rank = 0;
  ChunkBox box = {};
};

ChunkIndexView index_of(const fb::ChunkRef& wire) {
  const auto& index = required(wire.index());
  return {index.data(), index.size()};
}

// Neighbours by position lie apart in a file whose records are in lanes.
void prefetch(const References& references, std::size_t at) {
  if (at >= references.size()) return;
  constexpr std::size_t kLine = 64;
  const auto* const place = reinterpret_cast<const char*>(
      references.Get(static_cast<flatbuffers::uoffset_t>(at)));  // NOLINT: an address, not read
  for (std::size_t line = 0; line < 3; ++line) __builtin_prefetch(place + line * kLine);
}

bool has_kind(const fb::ChunkRef& wire) {
  return wire.chunk_id() != nullptr || wire.compressed_location() != nullptr ||
         wire.location() != nullptr || wire.inline_() != nullptr;
}

/// The only pass over all references of an array.
core::Result<Entry> check_array(const fb::ArrayManifest& wire) {
  Entry entry{.node = internal::to_id<NodeId>(required(wire.node_id())),
              .references = &required(wire.refs())};
  if (entry.references->size() == 0) return corrupt("an array without references");
  ChunkIndexView last;
  for (flatbuffers::uoffset_t i = 0; i < entry.references->size(); ++i) {
    prefetch(*entry.references, i + Manifest::Array::kAhead);
    const fb::ChunkRef& reference = required(entry.references->Get(i));
    const ChunkIndexView index = index_of(reference);
    if (!has_kind(reference)) return corrupt("a reference that is of no kind");
    if (i == 0) {
      entry.rank = index.size();
      entry.box = ChunkBox::around(index);
    } else {
      if (index.size() != entry.rank) return corrupt("positions of different rank in one array");
      if (std::is_gteq(compare_indices(last, index))) return corrupt("references out of order");
      entry.box.extend(index);
    }
    last = index;
  }
  return entry;
}

core::Result<ReferenceView> virtual_view(const fb::ChunkRef& wire, std::string_view location) {
  if (!internal::is_utf8(location)) return corrupt("a location that is not UTF-8");
  VirtualView view{.location = location, .range = {wire.offset(), wire.length()}};
  if (const auto* tag = wire.checksum_etag()) {
    view.entity_tag = {tag->c_str(), tag->size()};
    if (!internal::is_utf8(view.entity_tag)) return corrupt("an entity tag that is not UTF-8");
  }
  if (view.entity_tag.empty()) view.last_modified = wire.checksum_last_modified();
  return ReferenceView(view);
}

}  // namespace

struct Manifest::Contents {
  ManifestId id = {};
  core::Bytes buffer = {};
  std::vector<Entry> arrays = {};  // ascending by node
  std::optional<internal::LocationDictionary> dictionary = std::nullopt;
  std::uint64_t reference_count = 0;
};

const ManifestId& Manifest::id() const noexcept {
  return contents_->id;
}

std::uint64_t Manifest::reference_count() const noexcept {
  return contents_->reference_count;
}

std::size_t Manifest::memory_bytes() const noexcept {
  return sizeof(Contents) + contents_->buffer.capacity() +
         contents_->arrays.capacity() * sizeof(Entry);
}

std::size_t Manifest::array_count() const noexcept {
  return contents_->arrays.size();
}

Manifest::Array Manifest::array(std::size_t at) const {
  return {*contents_, at};
}

std::optional<Manifest::Array> Manifest::find_array(const NodeId& node) const {
  const auto& arrays = contents_->arrays;
  const auto at = std::ranges::lower_bound(arrays, node, {}, &Entry::node);
  if (at == arrays.end() || at->node != node) return std::nullopt;
  return Array(*contents_, static_cast<std::size_t>(at - arrays.begin()));
}

core::Result<std::optional<ChunkReference>> Manifest::find(const NodeId& node,
                                                           ChunkIndexView index) const {
  const auto array = find_array(node);
  const auto at = array ? array->position_of(index) : std::nullopt;
  if (!at) return std::optional<ChunkReference>();
  TRY_ASSIGN(auto reference, array->reference(*at));
  return std::optional(std::move(reference));
}

bool Manifest::contains(const NodeId& node, ChunkIndexView index) const {
  const auto array = find_array(node);
  return array && array->position_of(index);
}

const NodeId& Manifest::Array::node() const noexcept {
  return contents_->arrays[at_].node;
}

std::size_t Manifest::Array::size() const noexcept {
  return contents_->arrays[at_].references->size();
}

std::size_t Manifest::Array::rank() const noexcept {
  return contents_->arrays[at_].rank;
}

const ChunkBox& Manifest::Array::box() const noexcept {
  return contents_->arrays[at_].box;
}

ChunkIndexView Manifest::Array::index(std::size_t at) const {
  const References& references = *contents_->arrays[at_].references;
  return index_of(required(references.Get(static_cast<flatbuffers::uoffset_t>(at))));
}

void Manifest::Array::prefetch(std::size_t at) const noexcept {
  icechunk::prefetch(*contents_->arrays[at_].references, at);
}

std::size_t Manifest::Array::lower_bound(ChunkIndexView index) const {
  std::size_t from = 0;
  std::size_t to = size();
  while (from < to) {
    const std::size_t middle = from + (to - from) / 2;
    if (std::is_lt(compare_indices(this->index(middle), index))) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

std::optional<std::size_t> Manifest::Array::position_of(ChunkIndexView index) const {
  const ChunkBox& bounds = box();
  if (index.size() != rank() || !bounds.contains(index)) return std::nullopt;
  // Row by row, no more than `before` references come before this one: exactly so many when the
  // box is full. So the search goes down from there, in steps that double.
  std::uint64_t before = 0;
  const std::uint64_t last = size() - 1;
  for (std::size_t d = 0; d < bounds.rank(); ++d) {
    const std::uint64_t extent = bounds[d].to - bounds[d].from;
    if (__builtin_mul_overflow(before, extent, &before)) before = last;
    before = std::min(before + (index[d] - bounds[d].from), std::uint64_t{1} << 62U);
  }
  std::size_t at = static_cast<std::size_t>(std::min(before, last));
  std::size_t end = size();
  for (std::size_t step = 1;; step *= 2) {
    const auto order = compare_indices(this->index(at), index);
    if (std::is_eq(order)) return at;
    if (std::is_lt(order)) break;
    end = at;
    if (at == 0) return std::nullopt;
    at = at > step ? at - step : 0;
  }
  for (std::size_t from = at + 1; from < end;) {
    const std::size_t middle = from + (end - from) / 2;
    const auto order = compare_indices(this->index(middle), index);
    if (std::is_eq(order)) return middle;
    if (std::is_lt(order)) {
      from = middle + 1;
    } else {
      end = middle;
    }
  }
  return std::nullopt;
}

core::Result<ReferenceView> Manifest::Array::view(std::size_t at, std::string& scratch) const {
  const References& references = *contents_->arrays[at_].references;
  const fb::ChunkRef& wire = required(references.Get(static_cast<flatbuffers::uoffset_t>(at)));
  // The order in which official readers look (docs/formats/icechunk.md, References).
  if (const auto* chunk = wire.chunk_id()) {
    return ReferenceView(NativeChunk{.id = internal::to_id<ChunkId>(*chunk),
                                     .range = {wire.offset(), wire.length()}});
  }
  if (const auto* frame = wire.compressed_location()) {
    if (!contents_->dictionary) return corrupt("a compressed location without its dictionary");
    TRY(contents_->dictionary->decompress(internal::to_span(*frame), scratch));
    return virtual_view(wire, scratch);
  }
  if (const auto* location = wire.location()) {
    return virtual_view(wire, {location->c_str(), location->size()});
  }
  return ReferenceView(InlineView{.bytes = internal::to_span(required(wire.inline_()))});
}

core::Result<ChunkReference> Manifest::Array::reference(std::size_t at) const {
  std::string scratch;
  TRY_ASSIGN(const auto shown, view(at, scratch));
  return own(shown);
}

core::Result<Manifest> decode_manifest(std::span<const std::byte> file,
                                       std::optional<ManifestId> expected) {
  TRY_ASSIGN(auto payload, open_envelope(file, FileType::kManifest));
  const auto contents = std::make_shared<Manifest::Contents>();
  contents->buffer = std::move(payload.bytes);
  const auto* data = internal::wire_bytes(contents->buffer);
  // No table is reached twice in a valid manifest, so that 8 bytes of each bound their number.
  const auto tables = std::min<std::uint64_t>(kMaxTables, contents->buffer.size() / 8 + 16);
  flatbuffers::Verifier verifier(data, contents->buffer.size(), kMaxDepth,
                                 static_cast<flatbuffers::uoffset_t>(tables));
  if (!verifier.VerifyBuffer<fb::Manifest>(nullptr)) {
    return corrupt("the manifest's buffer does not follow its schema");
  }
  const auto& wire = *flatbuffers::GetRoot<fb::Manifest>(data);
  contents->id = internal::to_id<ManifestId>(required(wire.id()));
  if (expected && contents->id != *expected) {
    return corrupt(
        core::text("manifest ", contents->id.text(), " under the name of ", expected->text()));
  }
  contents->arrays.reserve(required(wire.arrays()).size());
  for (const fb::ArrayManifest* array : required(wire.arrays())) {
    auto entry = check_array(*array);
    if (!entry) return std::move(entry).error().within(contents->id.text());
    if (!contents->arrays.empty() && contents->arrays.back().node >= entry->node) {
      return corrupt("arrays of a manifest out of order");
    }
    contents->reference_count += entry->references->size();
    contents->arrays.push_back(*std::move(entry));
  }
  const auto* dictionary = wire.location_dictionary();
  if (dictionary != nullptr && dictionary->size() > 0 && wire.compression_algorithm() == 1) {
    TRY_ASSIGN(auto loaded, internal::LocationDictionary::load(internal::to_span(*dictionary)));
    contents->dictionary.emplace(std::move(loaded));
  }
  return Manifest(contents);
}

}  // namespace icefield::icechunk
