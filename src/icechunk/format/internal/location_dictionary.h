#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "core/result.h"

namespace icefield::icechunk::internal {

/// The dictionary of a manifest's compressed locations, trained or raw content. Any threads.
class LocationDictionary {
 public:
  /// Errors: kCorrupt for a damaged trained dictionary.
  static core::Result<LocationDictionary> load(std::span<const std::byte> dictionary);

  /// Replaces `out` by the location in one zstd frame.
  /// Errors: kCorrupt for a damaged frame or a location of more than 64 KiB.
  core::Status decompress(std::span<const std::byte> frame, std::string& out) const;

 private:
  explicit LocationDictionary(std::shared_ptr<const void> prepared)
      : prepared_(std::move(prepared)) {}
  std::shared_ptr<const void> prepared_;  // the library's digested form
};

}  // namespace icefield::icechunk::internal
