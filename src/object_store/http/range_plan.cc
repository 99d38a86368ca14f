#include "object_store/http/range_plan.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/text.h"

namespace icefield::object_store {
namespace {

bool overflows(core::ByteRange range) {
  return range.length > std::numeric_limits<std::uint64_t>::max() - range.offset;
}

}  // namespace

RangePlan plan_ranges(std::span<const core::ByteRange> wanted, std::uint64_t gap,
                      std::uint64_t most) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].length != 0 && !overflows(wanted[i])) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&wanted](std::size_t i) { return wanted[i]; });
  RangePlan plan;
  for (const auto i : order) {
    const auto range = wanted[i];
    if (!plan.fetches.empty()) {
      auto& last = plan.fetches.back();
      const auto end = std::max(last.range.end(), range.end());
      const bool near = range.offset <= last.range.end() || range.offset - last.range.end() <= gap;
      if (range.end() <= last.range.end() || (near && end - last.range.offset <= most)) {
        last.range.length = end - last.range.offset;
        last.served.push_back(i);
        continue;
      }
    }
    plan.fetches.push_back({range, {i}});
  }
  return plan;
}

std::vector<core::Result<core::Bytes>> cut_ranges(std::span<const core::ByteRange> wanted,
                                                  const RangePlan& plan,
                                                  std::vector<core::Result<core::Bytes>> fetched,
                                                  const std::string& name) {
  std::vector<core::Result<core::Bytes>> results(wanted.size(), core::Bytes{});
  const auto ends_early = [&name](core::ByteRange range) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text(name, ": ends before byte ", range.offset, " + ", range.length));
  };
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (overflows(wanted[i])) results[i] = ends_early(wanted[i]);
  }
  for (std::size_t f = 0; f < plan.fetches.size(); ++f) {
    const auto& fetch = plan.fetches[f];
    for (const auto i : fetch.served) {
      if (!fetched[f]) {
        results[i] = fetched[f].error();
        continue;
      }
      const auto from = wanted[i].offset - fetch.range.offset;
      auto& bytes = *fetched[f];
      if (from + wanted[i].length > bytes.size()) {
        results[i] = ends_early(wanted[i]);
      } else if (fetch.served.size() == 1 && bytes.size() == wanted[i].length) {
        results[i] = std::move(bytes);
      } else {
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(from);
        results[i] = core::Bytes(first, first + static_cast<std::ptrdiff_t>(wanted[i].length));
      }
    }
  }
  return results;
}

}  // namespace icefield::object_store
