#include "grib/index/verify.h"

#include <algorithm>
#include <utility>

#include "core/random.h"
#include "core/text.h"
#include "grib/scan/indicator.h"

namespace icefield::grib {
namespace {

/// Positions of the claims to read, ascending; of claims with one offset only the first.
std::vector<std::size_t> choose(std::span<const MessageClaim> claims,
                                const VerifyOptions& options) {
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (distinct.empty() || claims[distinct.back()].range != claims[i].range) distinct.push_back(i);
  }
  if (options.mode == VerifyMode::kNone) return {};
  if (options.mode == VerifyMode::kAll || distinct.size() <= options.sample + 2) return distinct;

  std::vector<std::size_t> chosen{distinct.front(), distinct.back()};
  auto state = options.seed;
  // one of each of `sample` equal stretches, so that the choice covers the file
  const std::size_t inner = distinct.size() - 2;
  for (std::size_t part = 0; part < options.sample; ++part) {
    const auto begin = 1 + inner * part / options.sample;
    const auto end = 1 + inner * (part + 1) / options.sample;
    chosen.push_back(distinct[begin + core::splitmix64(state) % (end - begin)]);
  }
  std::ranges::sort(chosen);
  return chosen;
}

/// The reason why `claim` does not hold, or nothing.
std::string fault(const MessageClaim& claim, const Indicator* indicator, std::uint64_t available,
                  const VerifyOptions& options) {
  if (indicator == nullptr) return "no GRIB message at the offset";
  const bool edition_1 = indicator->edition == 1 && options.accept_edition_1;
  if (indicator->edition != 2 && !edition_1) {
    return core::text("GRIB edition ", int{indicator->edition}, " where edition 2 is expected");
  }
  if (indicator->length > available) return "data file ends inside the message";
  if (indicator->length != claim.range.length) {
    return core::text("declared message length differs from index span (", indicator->length,
                      " and ", claim.range.length, " octets)");
  }
  return {};
}

}  // namespace

core::Result<Verification> verify_claims(std::span<const MessageClaim> claims,
                                         std::uint64_t data_size, const FetchRanges& fetch,
                                         const VerifyOptions& options) {
  Verification verification;
  std::vector<std::size_t> to_read;
  std::vector<core::ByteRange> headers;
  for (const auto i : choose(claims, options)) {
    const auto offset = claims[i].range.offset;
    if (offset >= data_size || data_size - offset < Indicator::kOctets) {
      const auto available = offset >= data_size ? 0 : data_size - offset;
      const auto* reason = available == 0 ? "offset past end of data file"
                                          : "data file ends inside the message header";
      verification.broken.push_back({claims[i], 0, available, reason});
      continue;
    }
    to_read.push_back(i);
    headers.push_back({offset, Indicator::kOctets});
  }
  auto read = headers.empty() ? std::vector<core::Result<core::Bytes>>{} : fetch(headers);
  if (read.size() != headers.size()) {
    return core::Error(core::ErrorCode::kInvalidArgument, "fetch gave another number of results");
  }
  for (std::size_t i = 0; i < to_read.size(); ++i) {
    const auto& claim = claims[to_read[i]];
    TRY_ASSIGN(const auto header, std::move(read[i]));
    const auto indicator = read_indicator(header);
    const auto available = data_size - claim.range.offset;
    auto reason = fault(claim, indicator ? &*indicator : nullptr, available, options);
    if (reason.empty()) continue;
    verification.broken.push_back(
        {claim, indicator ? indicator->length : 0, available, std::move(reason)});
  }
  verification.checked = to_read.size();
  std::ranges::stable_sort(verification.broken, {},
                           [](const BrokenClaim& broken) { return broken.claim.range.offset; });
  return verification;
}

core::Result<Verification> verify_claims(std::span<const MessageClaim> claims,
                                         const core::RangeReader& data,
                                         const VerifyOptions& options) {
  const auto fetch = [&data](std::span<const core::ByteRange> ranges) {
    std::vector<core::Result<core::Bytes>> results;
    results.reserve(ranges.size());
    for (const auto& range : ranges) {
      core::Bytes bytes(range.length);
      auto status = data.read_exactly(range.offset, bytes);
      if (status) {
        results.emplace_back(std::move(bytes));
      } else {
        results.emplace_back(std::move(status).error());
      }
    }
    return results;
  };
  return verify_claims(claims, data.size(), fetch, options);
}

std::vector<MessageClaim> message_claims(std::span<const NoaaIdxEntry> entries) {
  std::vector<MessageClaim> claims;
  claims.reserve(entries.size());
  for (const auto& entry : entries) claims.push_back({entry.message, entry.range});
  return claims;
}

std::vector<MessageClaim> message_claims(std::span<const EcmwfIndexRow> rows) {
  std::vector<MessageClaim> claims;
  claims.reserve(rows.size());
  for (const auto& row : rows) claims.push_back({row.line, row.range});
  return claims;
}

std::string describe(const Verification& verification) {
  const auto& first = verification.broken.front();
  auto line = core::text("message ", first.claim.message, ": ", first.reason);
  if (first.declared > first.available) {
    line += core::text(" (declared ", first.declared, " octets, ", first.available, " available)");
  }
  if (verification.broken.size() > 1) {
    line += core::text("; ", verification.broken.size(), " of ", verification.checked,
                       " messages checked do not hold");
  }
  return line;
}

}  // namespace icefield::grib
