#include "core/range_reader.h"

#include <algorithm>

namespace icefield::core {

Status BytesReader::read_exactly(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset > bytes_.size() || out.size() > bytes_.size() - offset) {
    return Error(ErrorCode::kCorrupt,
                 name_ + ": ends before byte " + std::to_string(offset + out.size()));
  }
  std::ranges::copy(bytes_.subspan(offset, out.size()), out.begin());
  return {};
}

}  // namespace icefield::core
