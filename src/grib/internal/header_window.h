#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bytes.h"
#include "core/range_reader.h"
#include "core/result.h"

namespace icefield::grib {

/// A small piece of a source kept in memory, so that neighbouring headers cost one read.
class HeaderWindow {
 public:
  explicit HeaderWindow(const core::RangeReader& source) : source_(source), size_(source.size()) {}

  std::uint64_t size() const { return size_; }

  /// The `count` octets at `offset`; valid until the next call.
  /// Precondition: offset + count <= size().
  core::Result<std::span<const std::byte>> at(std::uint64_t offset, std::size_t count) {
    if (offset < begin_ || offset + count > begin_ + length_) {
      TRY(load(offset, std::max(count, kUsual)));
    }
    return std::span<const std::byte>(bytes_).subspan(offset - begin_, count);
  }

  /// What is held from `offset` on: at least `least` octets, or all up to the end of the source.
  /// Precondition: offset <= size().
  core::Result<std::span<const std::byte>> from(std::uint64_t offset, std::size_t least) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(least, size_ - offset));
    TRY(at(offset, wanted));
    return std::span<const std::byte>(bytes_).first(length_).subspan(offset - begin_);
  }

 private:
  static constexpr std::size_t kUsual = 1024;

  core::Status load(std::uint64_t offset, std::size_t wanted) {
    length_ = 0;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, size_ - offset));
    if (bytes_.size() < count) bytes_.resize(count);
    TRY(source_.read_exactly(offset, std::span(bytes_).first(count)));
    begin_ = offset;
    length_ = count;
    return {};
  }

  const core::RangeReader& source_;
  std::uint64_t size_;
  std::uint64_t begin_ = 0;
  std::size_t length_ = 0;  // octets of bytes_ that are valid
  core::Bytes bytes_;
};

}  // namespace icefield::grib
