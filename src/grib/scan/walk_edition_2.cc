#include <utility>

#include "core/text.h"
#include "grib/internal/octets.h"
#include "grib/internal/times.h"
#include "grib/internal/walk.h"

namespace icefield::grib {
namespace {

constexpr std::uint64_t kSectionHeader = 5;  // length and number
constexpr std::uint64_t kIndicatorOctets = 16;
constexpr std::uint64_t kEndOctets = 4;  // "7777"

/// Why a section could not be understood; the field is listed all the same.
struct Trouble {
  std::uint8_t section = 0;
  std::optional<std::uint16_t> template_number;
  std::string reason;
};

/// What sections 1 to 6 have said so far; sections may repeat and replace what was said.
class MessageWalk {
 public:
  MessageWalk(HeaderWindow& window, const Envelope& envelope, GridTable& grids, Scan& scan)
      : window_(window), envelope_(envelope), grids_(grids), scan_(scan) {
    field_.message = envelope.message;
    field_.range = envelope.range;
    field_.discipline = envelope.discipline;
  }

  core::Status run() {
    auto at = envelope_.range.offset + kIndicatorOctets;
    const auto end = envelope_.range.end() - kEndOctets;
    while (at < end) {
      if (end - at < kSectionHeader) return stop(0, "octets behind the last section");
      TRY_ASSIGN(const auto header, window_.at(at, kSectionHeader));
      const core::ByteRange range{at, core::load_big_endian<std::uint32_t>(header)};
      const auto number = std::to_integer<std::uint8_t>(header[4]);
      if (range.length < kSectionHeader || range.length > end - at) {
        return stop(number, core::text("section length ", range.length, " does not fit"));
      }
      TRY_ASSIGN(const bool go_on, read_section(number, range));
      if (!go_on) return {};
      at += range.length;
    }
    if (fields_ == 0) return stop(7, "message without a data section");
    return {};
  }

 private:
  /// False when the message was given up (and reported).
  core::Result<bool> read_section(std::uint8_t number, const core::ByteRange& range) {
    switch (number) {
      case 1:
        return read_octets(range, &MessageWalk::read_identification);
      case 2:
        field_.local_use = range;
        return true;
      case 3:
        return read_octets(range, &MessageWalk::read_grid);
      case 4:
        return read_octets(range, &MessageWalk::read_product);
      case 5:
        field_.representation = range;
        return read_octets(range, &MessageWalk::read_representation);
      case 6:
        return read_bitmap(range);
      case 7:
        return finish_field(range);
      default:
        TRY(stop(number, core::text("section number ", int{number})));
        return false;
    }
  }

  using Reader = void (MessageWalk::*)(std::span<const std::byte>);
  core::Result<bool> read_octets(const core::ByteRange& range, Reader reader) {
    if (range.length > kLargestSection) {
      TRY(stop(0, core::text("section of ", range.length, " octets where headers are expected")));
      return false;
    }
    TRY_ASSIGN(const auto octets, window_.at(range.offset, range.length));
    (this->*reader)(octets);
    return true;
  }

  void read_identification(std::span<const std::byte> octets) {
    Octets section(octets);
    auto& id = field_.identification;
    id.centre = section.u16(6);
    id.subcentre = section.u16(8);
    id.master_tables = section.u8(10);
    id.local_tables = section.u8(11);
    id.significance = section.u8(12);
    id.reference_time = read_time(section, 13);
    id.status = section.u8(20);
    id.data_type = section.u8(21);
  }

  void read_grid(std::span<const std::byte> octets) {
    grid_trouble_.reset();
    has_grid_ = true;
    auto grid = grids_.find_or_parse(octets, 2, scan_);
    if (grid) {
      field_.grid = *grid;
      return;
    }
    Octets section(octets);
    GridDefinition unplaced;
    unplaced.n_points = section.u32(7);
    unplaced.template_number = section.u16(13);
    grid_trouble_ = Trouble{3, unplaced.template_number, grid.error().message()};
    field_.grid = static_cast<std::uint32_t>(scan_.grids.size());
    scan_.grids.push_back(std::move(unplaced));
  }

  void read_product(std::span<const std::byte> octets) {
    product_trouble_.reset();
    has_product_ = true;
    auto product = parse_product(octets);
    if (product) {
      field_.product = *std::move(product);
      return;
    }
    Octets section(octets);
    field_.product = {};
    field_.product.template_number = section.u16(8);
    field_.product.category = section.u8(10);
    field_.product.number = section.u8(11);
    product_trouble_ = Trouble{4, field_.product.template_number, product.error().message()};
  }

  void read_representation(std::span<const std::byte> octets) {
    Octets section(octets);
    field_.n_packed = section.u32(6);
    field_.packing_template = section.u16(10);
  }

  core::Result<bool> read_bitmap(const core::ByteRange& range) {
    constexpr std::uint64_t kFixedOctets = 6;
    constexpr std::uint8_t kOwn = 0;
    constexpr std::uint8_t kEarlier = 254;
    if (range.length < kFixedOctets) {
      TRY(stop(6, "section 6 is too short"));
      return false;
    }
    TRY_ASSIGN(const auto octets, window_.at(range.offset, kFixedOctets));
    field_.bitmap_indicator = std::to_integer<std::uint8_t>(octets[5]);
    if (field_.bitmap_indicator == kOwn) {
      last_bitmap_ = {range.offset + kFixedOctets, range.length - kFixedOctets};
    }
    const bool bits = field_.bitmap_indicator == kOwn || field_.bitmap_indicator == kEarlier;
    field_.bitmap = bits ? last_bitmap_ : core::ByteRange{};
    return true;
  }

  core::Result<bool> finish_field(const core::ByteRange& range) {
    if (!has_grid_ || !has_product_ || field_.representation.length == 0) {
      TRY(stop(7, "data section before sections 3, 4 and 5"));
      return false;
    }
    field_.data = range;
    field_.submessage = fields_++;
    field_.reported.reset();
    for (const auto* trouble : {&grid_trouble_, &product_trouble_}) {
      if (!*trouble) continue;
      field_.reported = static_cast<std::uint32_t>(scan_.reported.size());
      report(**trouble);
    }
    scan_.fields.push_back(field_);
    has_product_ = false;  // each field has sections 4 and 5 of its own
    field_.representation = {};
    return true;
  }

  void report(Trouble trouble) {
    scan_.reported.push_back({envelope_.range.offset, envelope_.range.length, envelope_.message,
                              field_.submessage, trouble.section, trouble.template_number,
                              std::move(trouble.reason)});
  }

  core::Status stop(std::uint8_t section, std::string reason) {
    field_.submessage = fields_;
    report({section, std::nullopt, std::move(reason)});
    return {};
  }

  HeaderWindow& window_;
  const Envelope& envelope_;
  GridTable& grids_;
  Scan& scan_;
  Field field_;
  core::ByteRange last_bitmap_;
  std::optional<Trouble> grid_trouble_;
  std::optional<Trouble> product_trouble_;
  std::uint32_t fields_ = 0;
  bool has_grid_ = false;
  bool has_product_ = false;
};

}  // namespace

core::Status walk_edition_2(HeaderWindow& window, const Envelope& envelope, GridTable& grids,
                            Scan& scan) {
  return MessageWalk(window, envelope, grids, scan).run();
}

}  // namespace icefield::grib
