#pragma once

#include <cstddef>
#include <cstdint>

#include "core/result.h"

namespace icefield::icechunk::internal {

/// Limits what one file can make us copy. Tables of a flatbuffer may refer to one part as often as
/// they like, so that a small hostile file could unfold to any size; an honest one shares little.
class Budget {
 public:
  /// For a payload of so many bytes.
  explicit Budget(std::size_t payload) : left_(kPerByte * std::uint64_t{payload} + kFloor) {}

  /// Errors: kCorrupt when more has been asked for than an honest file holds.
  core::Status spend(std::uint64_t bytes) {
    if (bytes > left_) {
      return core::Error(core::ErrorCode::kCorrupt, "parts of the file are shared too often");
    }
    left_ -= bytes;
    return {};
  }

 private:
  static constexpr std::uint64_t kPerByte = 16;
  static constexpr std::uint64_t kFloor = std::uint64_t{64} * 1024;
  std::uint64_t left_;
};

}  // namespace icefield::icechunk::internal
