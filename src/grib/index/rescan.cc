#include "grib/index/rescan.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "core/text.h"
#include "grib/keys/ecmwf_labels.h"

namespace icefield::grib {
namespace {

constexpr std::uint8_t kProductSection = 4;

core::Result<Scan> scan_data(const core::RangeReader& data) {
  if (data.size() == 0) {
    return core::Error(core::ErrorCode::kUnavailable,
                       core::text(data.name(), ": data file is empty"));
  }
  return scan(data);
}

core::Error nothing_understood(const core::RangeReader& data,
                               const std::vector<Reported>& reported) {
  if (reported.empty()) {
    return {core::ErrorCode::kCorrupt, core::text(data.name(), ": no GRIB message")};
  }
  const auto& first = reported.front();
  return {core::ErrorCode::kCorrupt,
          core::text(data.name(), ": no message that is understood; the first, at offset ",
                     first.offset, ": ", first.reason)};
}

/// A field is named by its product: one of an unknown template has no name to be found by.
bool named(const Scan& scan, const Field& field) {
  return !field.reported || scan.reported[*field.reported].section != kProductSection;
}

/// Places that begin like messages and are none, and messages without a field.
std::size_t messages_left_out(const Scan& scan) {
  constexpr std::uint8_t kMessage = 8;
  std::size_t with_fields = 0;
  for (const auto& field : scan.fields) with_fields += field.submessage == 0 ? 1 : 0;
  const auto broken = std::ranges::count(scan.reported, kMessage, &Reported::section);
  return static_cast<std::size_t>(broken) + scan.messages - with_fields;
}

}  // namespace

core::Result<NoaaRescan> rescan_noaa(const core::RangeReader& data) {
  TRY_ASSIGN(auto found, scan_data(data));
  NoaaRescan out{NoaaInventory(found), {}, {}, messages_left_out(found)};
  for (std::size_t i = 0; i < found.fields.size(); ++i) {
    if (named(found, found.fields[i])) out.entries.push_back(out.inventory.entries()[i]);
  }
  out.left_out += found.fields.size() - out.entries.size();
  out.reported = std::move(found.reported);
  if (out.entries.empty()) return nothing_understood(data, out.reported);
  return out;
}

core::Result<EcmwfRescan> rescan_ecmwf(const core::RangeReader& data) {
  TRY_ASSIGN(auto found, scan_data(data));
  const auto left_out = messages_left_out(found) + found.fields.size();
  std::erase_if(found.fields, [&found](const Field& field) { return !named(found, field); });
  auto inventory = ecmwf_inventory(found);
  EcmwfRescan out{std::move(inventory.rows), std::move(found.reported), 0};
  out.left_out = left_out - out.rows.size();
  std::ranges::move(inventory.reported, std::back_inserter(out.reported));
  if (out.rows.empty()) return nothing_understood(data, out.reported);
  return out;
}

}  // namespace icefield::grib
