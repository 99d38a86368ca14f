#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/range_reader.h"
#include "core/result.h"
#include "grib/index/ecmwf_index.h"
#include "grib/index/noaa_idx.h"

namespace icefield::grib {

/// How many of an index's claims are checked against the data file.
enum class VerifyMode : std::uint8_t {
  kAll,
  kSample,  // first, last and a repeatable choice between
  kNone,
};

struct VerifyOptions {
  VerifyMode mode = VerifyMode::kSample;
  std::size_t sample = 6;  // messages between first and last (kSample)
  std::uint64_t seed = 0;  // varies the choice between files; same seed, same choice
  bool accept_edition_1 = false;
};

/// What an index says about one message: its place in the index and its octets in the data file.
struct MessageClaim {
  std::uint32_t message = 0;  // the index's own message number, for the report
  core::ByteRange range;
};

/// A claim that the data does not bear out.
struct BrokenClaim {
  MessageClaim claim;
  std::uint64_t declared = 0;   // octets that the message's header gives; 0 when it has none
  std::uint64_t available = 0;  // octets from its offset to the end of the data file
  std::string reason;           // "declared message length differs from index span", ...
};

struct Verification {
  std::size_t checked = 0;          // headers that were read
  std::vector<BrokenClaim> broken;  // in the order of the claims
  bool ok() const { return broken.empty(); }
};

/// Fetches many ranges of the data file in one call; result i belongs to range i.
using FetchRanges =
    std::function<std::vector<core::Result<core::Bytes>>(std::span<const core::ByteRange>)>;

/// Reads the 16 octets at the claims' offsets and compares (docs/formats/index_sidecars.md,
/// verification): "GRIB", edition 2, and a declared length equal to the claimed one and within
/// `data_size`. Claims that share an offset are read once. Claims may come from any index kind.
/// Errors: what `fetch` gave for a header (the source, not the index, failed).
core::Result<Verification> verify_claims(std::span<const MessageClaim> claims,
                                         std::uint64_t data_size, const FetchRanges& fetch,
                                         const VerifyOptions& options);

/// The same over one reader.
core::Result<Verification> verify_claims(std::span<const MessageClaim> claims,
                                         const core::RangeReader& data,
                                         const VerifyOptions& options);

/// What a parsed index claims; an ECMWF row's message number is its line.
std::vector<MessageClaim> message_claims(std::span<const NoaaIdxEntry> entries);
std::vector<MessageClaim> message_claims(std::span<const EcmwfIndexRow> rows);

/// One line for a report: "message 3: data file ends inside the message (declared 191 octets,
/// 40 available)". Precondition: !verification.ok().
std::string describe(const Verification& verification);

}  // namespace icefield::grib
