#include "grib/field.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/text.h"
#include "grib/decode/decode.h"
#include "grib/decode/grib1.h"

namespace icefield::grib {
namespace {

constexpr std::uint8_t kNoBitmap = 255;
constexpr std::uint8_t kOwnBitmap = 0;
constexpr std::uint8_t kEarlierBitmap = 254;
constexpr std::size_t kSection7Header = 5;

// A field may be constant and have no data at all; beyond this many points its data must be there.
constexpr std::uint64_t kUsualPoints = std::uint64_t{1} << 26U;
constexpr std::uint64_t kPointsPerOctet = 8192;  // more than any packing compresses real fields

/// The bytes that one field's values come from.
struct Pieces {
  std::span<const std::byte> representation;  // edition 1: section 4
  std::span<const std::byte> bitmap;
  std::span<const std::byte> data;  // edition 1: section 4 again
};

core::Status check_bitmap(const Field& field) {
  const auto indicator = field.bitmap_indicator;
  if (indicator == kNoBitmap || indicator == kOwnBitmap) return {};
  if (indicator != kEarlierBitmap) {
    return core::Error(core::ErrorCode::kUnsupported,
                       core::text("section 6: bitmap ", int{indicator}, " of a catalogue"));
  }
  if (field.bitmap.length > 0) return {};
  return core::Error(core::ErrorCode::kCorrupt, "section 6: no earlier bitmap in the message");
}

/// Points of each row in stored order: what second-order packings of edition 1 need.
std::vector<std::uint32_t> stored_rows(const GridDefinition& grid) {
  if (!grid.row_lengths.empty()) return grid.row_lengths;
  if (!grid.rectangular()) return {};
  const bool columns = grid.scan_mode && grid.scan_mode->j_consecutive();
  return std::vector<std::uint32_t>(columns ? grid.ni : grid.nj, columns ? grid.nj : grid.ni);
}

template <typename Value>
core::Status decode_pieces(const Pieces& pieces, const GridDefinition& grid, const Field& field,
                           std::span<Value> out) {
  TRY(check_bitmap(field));
  std::optional<std::span<const std::byte>> bitmap;
  if (field.bitmap_indicator != kNoBitmap) bitmap = pieces.bitmap;
  if (field.edition == 1) {
    const auto rows = stored_rows(grid);
    auto status = decode_grib1({.section4 = pieces.data,
                                .decimal_scale = field.decimal_scale,
                                .bitmap = bitmap,
                                .row_lengths = rows},
                               out);
    return status ? status : std::move(status).error().within("section 4");
  }
  auto representation = parse_representation(pieces.representation);
  if (!representation) return std::move(representation).error().within("section 5");
  if (pieces.data.size() < kSection7Header) {
    return core::Error(core::ErrorCode::kCorrupt, "section 7 is too short");
  }
  auto status = decode(*representation, {pieces.data.subspan(kSection7Header), bitmap}, out);
  if (status) return status;
  return std::move(status).error().within(
      core::text("section 7, packing template 5.", field.packing_template));
}

core::Status check_size(const Scan& scan, const Field& field, std::size_t slots) {
  TRY_ASSIGN(const auto points, point_count(scan, field));
  if (points == slots) return {};
  return core::Error(core::ErrorCode::kInvalidArgument,
                     core::text("room for ", slots, " values of ", points));
}

template <typename Value>
core::Status decode_mapped(std::span<const std::byte> file, const Scan& scan, const Field& field,
                           std::span<Value> out) {
  TRY(check_size(scan, field, out.size()));
  for (const auto& range : {field.representation, field.bitmap, field.data}) {
    if (range.offset > file.size() || range.length > file.size() - range.offset) {
      return core::Error(core::ErrorCode::kInvalidArgument, "the scan is not of this file");
    }
  }
  const auto piece = [&](const core::ByteRange& range) {
    return file.subspan(range.offset, range.length);
  };
  return decode_pieces({piece(field.representation), piece(field.bitmap), piece(field.data)},
                       scan.grids[field.grid], field, out);
}

template <typename Value>
core::Status decode_read(const core::RangeReader& source, const Scan& scan, const Field& field,
                         std::span<Value> out) {
  TRY(check_size(scan, field, out.size()));
  const auto size = source.size();
  const auto read = [&](const core::ByteRange& range) -> core::Result<core::Bytes> {
    if (range.offset > size || range.length > size - range.offset) {
      return core::Error(core::ErrorCode::kInvalidArgument, "the scan is not of this source");
    }
    core::Bytes bytes(range.length);
    TRY(source.read_exactly(range.offset, bytes));
    return bytes;
  };
  core::Bytes representation;
  if (field.edition != 1) {
    TRY_ASSIGN(representation, read(field.representation));
  }
  TRY_ASSIGN(const auto bitmap, read(field.bitmap));
  TRY_ASSIGN(const auto data, read(field.data));
  return decode_pieces({representation, bitmap, data}, scan.grids[field.grid], field, out);
}

}  // namespace

core::Result<std::size_t> point_count(const Scan& scan, const Field& field) {
  const std::uint64_t points = scan.grids[field.grid].n_points;
  if (points == 0) {
    return core::Error(core::ErrorCode::kUnsupported,
                       core::text("grid template 3.", scan.grids[field.grid].template_number,
                                  " does not say how many points it has"));
  }
  const auto justified = std::max(kUsualPoints, field.data.length * kPointsPerOctet);
  if (points > std::min(kLargestField, justified)) {
    return core::Error(
        core::ErrorCode::kUnsupported,
        core::text("grid of ", points, " points from ", field.data.length, " octets of data"));
  }
  if (field.bitmap.length > 0 && field.bitmap.length * 8 < points) {
    return core::Error(core::ErrorCode::kCorrupt, core::text("bitmap of ", field.bitmap.length,
                                                             " octets for ", points, " points"));
  }
  return static_cast<std::size_t>(points);
}

core::Status decode_field(std::span<const std::byte> file, const Scan& scan, const Field& field,
                          std::span<float> out) {
  return decode_mapped(file, scan, field, out);
}

core::Status decode_field(std::span<const std::byte> file, const Scan& scan, const Field& field,
                          std::span<double> out) {
  return decode_mapped(file, scan, field, out);
}

core::Status decode_field(const core::RangeReader& source, const Scan& scan, const Field& field,
                          std::span<float> out) {
  return decode_read(source, scan, field, out);
}

core::Status decode_field(const core::RangeReader& source, const Scan& scan, const Field& field,
                          std::span<double> out) {
  return decode_read(source, scan, field, out);
}

}  // namespace icefield::grib
