#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/random.h"

namespace icefield::icechunk {

/// Crockford base 32, upper case, no padding: the bytes as one big-endian bit string, filled with
/// zero bits to a multiple of 5 (docs/formats/icechunk.md, Ids).
std::string crockford_text(std::span<const std::uint8_t> bytes);

/// The reverse into exactly out.size() bytes. Lower case, O for 0, and I or L for 1 are understood.
/// False, with `out` unspecified, for a wrong length, a foreign character or set filling bits.
bool parse_crockford(std::string_view text, std::span<std::uint8_t> out);

/// Identifier of N bytes; the tag keeps ids of different things apart.
/// Ordered by its bytes, which is the order of every list that the format bisects.
template <typename Tag, std::size_t N>
class Id {
 public:
  static constexpr std::size_t kSize = N;

  constexpr Id() = default;  // all zero: names nothing
  constexpr explicit Id(const std::array<std::uint8_t, N>& bytes) : bytes_(bytes) {}

  /// A random one, that nobody else will make.
  static Id random() {
    Id made;
    core::fill_random(std::as_writable_bytes(std::span(made.bytes_)));
    return made;
  }

  /// From its text, as in object names; nothing when the text is no id of this size.
  static std::optional<Id> parse(std::string_view text) {
    Id made;
    if (!parse_crockford(text, made.bytes_)) return std::nullopt;
    return made;
  }

  /// The id that follows in the order of bytes; after the last one the first, which names nothing.
  constexpr Id successor() const {
    Id made = *this;
    for (std::size_t i = N; i-- > 0 && ++made.bytes_[i] == 0;) {
    }
    return made;
  }

  /// 20 characters for 12 bytes, 13 for 8.
  std::string text() const { return crockford_text(bytes_); }

  constexpr const std::array<std::uint8_t, N>& bytes() const noexcept { return bytes_; }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;  // NOLINT: tidy 14 errs

 private:
  std::array<std::uint8_t, N> bytes_{};
};

using SnapshotId = Id<struct SnapshotIdTag, 12>;  // also names its transaction log
using ManifestId = Id<struct ManifestIdTag, 12>;
using ChunkId = Id<struct ChunkIdTag, 12>;
using BackupId = Id<struct BackupIdTag, 12>;
using NodeId = Id<struct NodeIdTag, 8>;

/// The first snapshot of every repository: 1CECHNKREP0F1RSTCMT0.
inline constexpr SnapshotId kInitialSnapshotId{
    {0x0b, 0x1c, 0xc8, 0xd6, 0x78, 0x75, 0x80, 0xf0, 0xe3, 0x3a, 0x65, 0x34}};

}  // namespace icefield::icechunk

template <typename Tag, std::size_t N>
struct std::hash<icefield::icechunk::Id<Tag, N>> {
  std::size_t operator()(const icefield::icechunk::Id<Tag, N>& id) const noexcept {
    static_assert(N >= sizeof(std::uint64_t));
    std::uint64_t first = 0;  // ids are random, or follow one that is: eight bytes are a hash
    std::memcpy(&first, id.bytes().data(), sizeof(first));
    return first;
  }
};
