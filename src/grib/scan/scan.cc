#include "grib/scan/scan.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

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

core::Result<bool> has_end(HeaderWindow& window, const core::ByteRange& range) {
  TRY_ASSIGN(const auto end, window.at(range.end() - kEndOctets, kEndOctets));
  return core::as_text(end) == kEnd;
}

/// Walks the message and says why it is none, if so; then nothing of it stays in `found`.
/// `doubtful`: there was none before it, so that its end is looked at before its sections, lest
/// false starts within one another are each walked to the end.
core::Result<std::string> walk(HeaderWindow& window, const Envelope& envelope, bool doubtful,
                               GridTable& grids, Scan& found) {
  const auto [offset, length] = envelope.range;
  const auto least = envelope.edition == 1 ? kLeastMessage : Indicator::kOctets + kEndOctets;
  if (length < least || length > window.size() - offset) return bad_length(window, envelope.range);
  const auto no_end = [octets = length] {
    return core::text("no 7777 at the end of the declared ", octets, " octets");
  };
  if (doubtful) {
    TRY_ASSIGN(const bool ended, has_end(window, envelope.range));
    if (!ended) return no_end();
  }
  const auto fields = found.fields.size();
  const auto reported = found.reported.size();
  // the headers first, then the end: that is where the next message's headers are
  TRY((envelope.edition == 1 ? walk_edition_1 : walk_edition_2)(window, envelope, grids, found));
  TRY_ASSIGN(const bool ended, has_end(window, envelope.range));
  if (ended) return std::string();
  found.fields.resize(fields);
  found.reported.resize(reported);
  return no_end();
}

/// Why what begins with "GRIB" is no message; empty for the letters in other data. A message of
/// another edition has a small number where text has letters.
std::string refusal(std::span<const std::byte> octets) {
  constexpr std::size_t kEdition = 7;
  constexpr int kFirstOfText = 9;  // a tabulator
  const bool cut = octets.size() <= kEdition;
  const int edition = cut ? 2 : std::to_integer<int>(octets[kEdition]);
  if (edition >= kFirstOfText) return {};
  if (cut || edition == 2) {
    return core::text("data ends inside the message header (", octets.size(), " octets available)");
  }
  return core::text("GRIB edition ", edition, " is not supported");
}

/// Reports places that begin like messages and are none: each of the first ones, then their number.
class FalseStarts {
 public:
  void add(Scan& found, Reported reported) {
    if (++count_ <= kMostTold) {
      last_ = found.reported.size();
      found.reported.push_back(std::move(reported));
    }
  }
  void finish(Scan& found) const {
    if (count_ <= kMostTold) return;
    found.reported[last_].reason +=
        core::text("; ", count_ - kMostTold, " more places like this behind it");
  }

 private:
  static constexpr std::uint64_t kMostTold = 10'000;
  std::uint64_t count_ = 0;
  std::size_t last_ = 0;
};

}  // namespace

core::Result<Scan> scan(const core::RangeReader& source) {
  Scan found;
  HeaderWindow window(source);
  GridTable grids;
  FalseStarts false_starts;
  bool doubtful = false;
  std::uint64_t at = 0;
  while (true) {
    TRY_ASSIGN(at, find_start(window, at));
    if (at == window.size()) break;
    TRY_ASSIGN(const auto octets, window.from(at, Indicator::kOctets));
    const auto indicator = read_indicator(octets);
    if (!indicator) {
      if (auto reason = refusal(octets); !reason.empty()) {
        false_starts.add(found, {at, 0, found.messages, 0, 8, {}, std::move(reason)});
      }
      at += kStart.size();
      continue;
    }
    auto length = indicator->length;
    if (indicator->edition == 1) {
      TRY_ASSIGN(length, long_length(window, at, length));
    }
    const Envelope envelope{
        found.messages, {at, length}, indicator->edition, indicator->discipline};
    TRY_ASSIGN(auto problem, walk(window, envelope, doubtful, grids, found));
    doubtful = !problem.empty();
    if (problem.empty()) {
      ++found.messages;
      at += length;
    } else {
      false_starts.add(found, {at, length, found.messages, 0, 8, {}, std::move(problem)});
      at += kStart.size();
    }
  }
  false_starts.finish(found);
  return found;
}

}  // namespace icefield::grib
