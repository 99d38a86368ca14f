#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"

namespace icefield::object_store {

/// Which requests serve a set of ranges: neighbours whose gap costs less than a request are one.
struct RangePlan {
  struct Fetch {
    core::ByteRange range;
    std::vector<std::size_t> served;  // indices of the wanted ranges that lie inside
  };
  std::vector<Fetch> fetches;  // by offset; ranges that overflow 64 bits or are empty have none
};

/// `gap`: unwanted bytes between two ranges that may be fetched with them.
/// `most`: bytes of a joined fetch; a single wanted range may be longer.
RangePlan plan_ranges(std::span<const core::ByteRange> wanted, std::uint64_t gap = 64U << 10U,
                      std::uint64_t most = 4U << 20U);

/// Results by range from what the fetches gave: the bytes from fetch.range.offset on, possibly
/// fewer than asked when the object ends. Errors: a fetch's Error for each range that it serves;
/// kCorrupt, with `name`, when the object ends before the range does.
std::vector<core::Result<core::Bytes>> cut_ranges(std::span<const core::ByteRange> wanted,
                                                  const RangePlan& plan,
                                                  std::vector<core::Result<core::Bytes>> fetched,
                                                  const std::string& name);

}  // namespace icefield::object_store
