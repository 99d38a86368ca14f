#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "core/bytes.h"

namespace icefield::icechunk {

/// Immutable bytes that several values share: copying costs a counter, not the bytes.
/// May be a part of a larger buffer, which then lives as long as the part.
class SharedBytes {
 public:
  SharedBytes() = default;
  explicit SharedBytes(core::Bytes bytes)
      : owner_(std::make_shared<const core::Bytes>(std::move(bytes))), bytes_(*owner_) {}

  /// Precondition: `part` lies inside *owner.
  SharedBytes(std::shared_ptr<const core::Bytes> owner, std::span<const std::byte> part)
      : owner_(std::move(owner)), bytes_(part) {}

  std::span<const std::byte> view() const noexcept { return bytes_; }
  std::size_t size() const noexcept { return bytes_.size(); }
  bool empty() const noexcept { return bytes_.empty(); }

  /// A part of this value. Precondition: `part` lies inside view().
  SharedBytes part(std::span<const std::byte> part) const { return {owner_, part}; }

  friend bool operator==(const SharedBytes& left, const SharedBytes& right) {
    return std::ranges::equal(left.bytes_, right.bytes_);
  }

 private:
  std::shared_ptr<const core::Bytes> owner_;
  std::span<const std::byte> bytes_;
};

}  // namespace icefield::icechunk
