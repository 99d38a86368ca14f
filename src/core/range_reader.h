#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/result.h"

namespace icefield::core {

/// Random access to the bytes of one source: a mapped file, a buffer, a remote object.
/// Implementations may be used from many threads at once.
class RangeReader {
 public:
  RangeReader() = default;
  RangeReader(const RangeReader&) = delete;
  RangeReader& operator=(const RangeReader&) = delete;
  virtual ~RangeReader() = default;

  /// Bytes in the source.
  virtual std::uint64_t size() const = 0;

  /// The source's name for messages: a path or a URL.
  virtual const std::string& name() const = 0;

  /// Fills all of `out` from byte `offset`.
  /// Errors: kCorrupt when the source ends first; kUnavailable, kNotFound from the source.
  virtual Status read_exactly(std::uint64_t offset, std::span<std::byte> out) const = 0;
};

/// A RangeReader over memory that the caller keeps alive.
class BytesReader final : public RangeReader {
 public:
  BytesReader(std::span<const std::byte> bytes, std::string name)
      : bytes_(bytes), name_(std::move(name)) {}

  std::uint64_t size() const override { return bytes_.size(); }
  const std::string& name() const override { return name_; }
  Status read_exactly(std::uint64_t offset, std::span<std::byte> out) const override;

 private:
  std::span<const std::byte> bytes_;
  std::string name_;
};

}  // namespace icefield::core
