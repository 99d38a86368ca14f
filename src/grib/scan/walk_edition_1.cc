#include <utility>

#include "core/text.h"
#include "grib/internal/walk.h"
#include "grib/scan/grib1.h"

namespace icefield::grib {
namespace {

constexpr std::uint64_t kIndicatorOctets = 8;
constexpr std::uint64_t kEndOctets = 4;  // "7777"
constexpr std::uint64_t kLengthOctets = 3;
constexpr std::uint64_t kBitmapHeader = 6;
constexpr std::uint64_t kFixedSection1 = 40;

/// Walks the sections of one message in their fixed order.
class Walk {
 public:
  Walk(HeaderWindow& window, const Envelope& envelope, GridTable& grids, Scan& scan)
      : window_(window), envelope_(envelope), grids_(grids), scan_(scan) {
    at_ = envelope.range.offset + kIndicatorOctets;
    end_ = envelope.range.end() - kEndOctets;
    field_.message = envelope.message;
    field_.range = envelope.range;
    field_.edition = 1;
    field_.discipline = 255;
  }

  core::Status run() {
    TRY_ASSIGN(const auto section1, next(1));
    if (section1.length == 0) return {};
    TRY_ASSIGN(const auto octets, window_.at(section1.offset, section1.length));
    auto definition = parse_grib1_definition(octets);
    if (!definition) return stop(1, definition.error().message());
    if (section1.length > kFixedSection1) {
      field_.local_use = {section1.offset + kFixedSection1, section1.length - kFixedSection1};
    }
    take(*std::move(definition));
    TRY_ASSIGN(const bool grid_read, read_grid());
    if (!grid_read) return {};
    TRY_ASSIGN(const bool bitmap_read, read_bitmap());
    if (!bitmap_read) return {};
    field_.data = {at_, end_ - at_};
    field_.representation = field_.data;
    scan_.fields.push_back(field_);
    return {};
  }

 private:
  /// The range of the next section; empty when it does not fit (then reported).
  core::Result<core::ByteRange> next(std::uint8_t number) {
    std::uint64_t length = 0;
    if (at_ <= end_ && end_ - at_ >= kLengthOctets) {
      TRY_ASSIGN(const auto header, window_.at(at_, kLengthOctets));
      for (const auto octet : header) length = (length << 8U) | std::to_integer<unsigned>(octet);
      if (length >= kLengthOctets && length <= end_ - at_) {
        const core::ByteRange range{at_, length};
        at_ += length;
        return range;
      }
    }
    TRY(stop(number, core::text("section ", int{number}, " of ", length, " octets does not fit")));
    return core::ByteRange{};
  }

  void take(Grib1Definition definition) {
    auto& id = field_.identification;
    id.centre = definition.centre;
    id.subcentre = definition.subcentre;
    id.master_tables = definition.table_version;
    id.reference_time = definition.reference_time;
    field_.product = std::move(definition.product);
    field_.decimal_scale = definition.decimal_scale;
    has_grid_ = definition.has_grid;
    has_bitmap_ = definition.has_bitmap;
  }

  core::Result<bool> read_grid() {
    if (!has_grid_) {
      TRY(stop(2, "grid by catalogue number: no section 2"));
      return false;
    }
    TRY_ASSIGN(const auto section2, next(2));
    if (section2.length == 0) return false;
    TRY_ASSIGN(const auto octets, window_.at(section2.offset, section2.length));
    auto grid = grids_.find_or_parse(octets, 1, scan_);
    if (!grid) {
      TRY(stop(2, grid.error().message()));
      return false;
    }
    field_.grid = *grid;
    return true;
  }

  core::Result<bool> read_bitmap() {
    if (!has_bitmap_) return true;
    TRY_ASSIGN(const auto section3, next(3));
    if (section3.length == 0) return false;
    if (section3.length < kBitmapHeader) {
      TRY(stop(3, "section 3 is too short"));
      return false;
    }
    TRY_ASSIGN(const auto header, window_.at(section3.offset, kBitmapHeader));
    const bool own = header[4] == std::byte{0} && header[5] == std::byte{0};
    field_.bitmap_indicator = own ? 0 : 1;
    if (own) {
      field_.bitmap = {section3.offset + kBitmapHeader, section3.length - kBitmapHeader};
    }
    return true;
  }

  core::Status stop(std::uint8_t section, std::string reason) {
    scan_.reported.push_back({envelope_.range.offset, envelope_.range.length, envelope_.message, 0,
                              section, std::nullopt, std::move(reason)});
    return {};
  }

  HeaderWindow& window_;
  const Envelope& envelope_;
  GridTable& grids_;
  Scan& scan_;
  Field field_;
  std::uint64_t at_ = 0;
  std::uint64_t end_ = 0;
  bool has_grid_ = false;
  bool has_bitmap_ = false;
};

}  // namespace

core::Status walk_edition_1(HeaderWindow& window, const Envelope& envelope, GridTable& grids,
                            Scan& scan) {
  return Walk(window, envelope, grids, scan).run();
}

}  // namespace icefield::grib
