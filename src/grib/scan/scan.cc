#include "grib/scan/scan.h"

#include <string_view>

#include "core/text.h"
#include "grib/internal/walk.h"
#include "grib/scan/indicator.h"

namespace icefield::grib {
namespace {

constexpr std::string_view kStart = "GRIB";
constexpr std::string_view kEnd = "7777";
constexpr std::size_t kSearchBlock = 64U << 10U;
constexpr std::uint64_t kEndOctets = 4;
constexpr std::uint64_t kLeastMessage = 12;  // of edition 1: indicator and end

/// The next "GRIB" at or behind `at`; the size of the source when there is none.
core::Result<std::uint64_t> find_start(HeaderWindow& window, std::uint64_t at) {
  while (window.size() - at >= kStart.size()) {
    TRY_ASSIGN(const auto held, window.from(at, kStart.size()));
    const auto text = core::as_text(held);
    const auto found = text.find(kStart);
    if (found != std::string_view::npos) return at + found;
    at += text.size() - (kStart.size() - 1);
    TRY(window.from(at, kSearchBlock));
  }
  return window.size();
}

/// Edition 1 has three octets for the length. ECMWF's messages above 8 MiB set the highest bit and
/// count in units of 120 octets; section 4's length octets then say how much to take off.
core::Result<std::uint64_t> long_length(HeaderWindow& window, std::uint64_t offset,
                                        std::uint64_t declared) {
  constexpr std::uint64_t kLongBit = 0x800000;
  constexpr std::uint64_t kUnit = 120;
  constexpr std::uint64_t kHeader = 8;  // also enough of section 1 for its flags
  if ((declared & kLongBit) == 0) return declared;
  const auto length_at = [&](std::uint64_t at) -> core::Result<std::uint64_t> {
    if (window.size() < 3 || at > window.size() - 3) return std::uint64_t{0};
    TRY_ASSIGN(const auto octets, window.at(at, 3));
    std::uint64_t value = 0;
    for (const auto octet : octets) value = (value << 8U) | std::to_integer<unsigned>(octet);
    return value;
  };
  auto at = offset + kHeader;
  if (window.size() - offset < 2 * kHeader) return declared;
  TRY_ASSIGN(const auto section1, window.at(at, kHeader));
  const auto flags = std::to_integer<unsigned>(section1[7]);
  TRY_ASSIGN(const auto first, length_at(at));
  at += first;
  for (const unsigned flag : {0x80U, 0x40U}) {
    if ((flags & flag) == 0) continue;
    TRY_ASSIGN(const auto length, length_at(at));
    at += length;
  }
  TRY_ASSIGN(const auto section4, length_at(at));
  const auto total = (declared & (kLongBit - 1)) * kUnit;
  return section4 < kUnit && total > section4 ? total - section4 + kEndOctets : declared;
}

std::string bad_length(const HeaderWindow& window, const core::ByteRange& range) {
  const auto available = window.size() - range.offset;
  if (range.length <= available)
    return core::text("message length ", range.length, " is too small");
  return core::text("data ends inside the message (declared ", range.length, " octets, ", available,
                    " available)");
}

/// Walks the message and says why it is none, if so; then nothing of it stays in `found`.
core::Result<std::string> walk(HeaderWindow& window, const Envelope& envelope, GridTable& grids,
                               Scan& found) {
  const auto [offset, length] = envelope.range;
  const auto least = envelope.edition == 1 ? kLeastMessage : Indicator::kOctets + kEndOctets;
  if (length < least || length > window.size() - offset) return bad_length(window, envelope.range);
  const auto fields = found.fields.size();
  const auto reported = found.reported.size();
  // the headers first, then the end: that is where the next message's headers are
  TRY((envelope.edition == 1 ? walk_edition_1 : walk_edition_2)(window, envelope, grids, found));
  TRY_ASSIGN(const auto end, window.at(offset + length - kEndOctets, kEndOctets));
  if (core::as_text(end) == kEnd) return std::string();
  found.fields.resize(fields);
  found.reported.resize(reported);
  return core::text("no 7777 at the end of the declared ", length, " octets");
}

}  // namespace

core::Result<Scan> scan(const core::RangeReader& source) {
  Scan found;
  HeaderWindow window(source);
  GridTable grids;
  std::uint64_t at = 0;
  while (true) {
    TRY_ASSIGN(at, find_start(window, at));
    if (at == window.size()) return found;
    TRY_ASSIGN(const auto octets, window.from(at, Indicator::kOctets));
    const auto indicator = read_indicator(octets);
    if (!indicator) {  // the letters stand in other data
      at += kStart.size();
      continue;
    }
    auto length = indicator->length;
    if (indicator->edition == 1) {
      TRY_ASSIGN(length, long_length(window, at, length));
    }
    const Envelope envelope{
        found.messages, {at, length}, indicator->edition, indicator->discipline};
    TRY_ASSIGN(auto problem, walk(window, envelope, grids, found));
    if (problem.empty()) {
      ++found.messages;
      at += length;
    } else {
      found.reported.push_back({at, length, found.messages, 0, 8, {}, std::move(problem)});
      at += kStart.size();
    }
  }
}

}  // namespace icefield::grib
