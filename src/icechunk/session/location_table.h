#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/strong.h"
#include "icechunk/format/chunk_reference.h"

namespace icefield::icechunk {

/// Number of a source object in a session; given by Session::add_location.
using LocationNumber = core::Strong<struct LocationNumberTag, std::uint32_t>;

/// The distinct source objects of one session, each kept once however many references name it:
/// about 20 bytes beside the text itself. Not for use by several threads while it grows.
class LocationTable {
 public:
  /// The number of `location`, adding it if it is new. The same text with another identity is
  /// another entry. Precondition: fewer than 2^32 entries.
  LocationNumber add(std::string_view location, const SourceIdentity& identity);

  /// The number of an entry that is there, or nothing.
  const LocationNumber* find(std::string_view location, const SourceIdentity& identity) const;

  std::size_t size() const noexcept { return ends_.size(); }

  /// The entry as a reference to `range` of it. Precondition: number < size(). Valid until add().
  VirtualView view(LocationNumber number, core::ByteRange range) const;

  /// Precondition: number < size(). Valid until the next add().
  std::string_view location(LocationNumber number) const;

  /// Bytes of memory held.
  std::size_t memory() const noexcept;

 private:
  bool same(LocationNumber number, std::string_view location, const SourceIdentity& identity) const;
  void grow();

  std::string text_;                   // all locations, one after the other
  std::vector<std::uint64_t> ends_;    // where location i ends in text_
  std::vector<LocationNumber> slots_;  // open addressing; kNoNumber: free
  std::unordered_map<std::uint32_t, SourceIdentity> identities_;  // of those that have one
};

}  // namespace icefield::icechunk
