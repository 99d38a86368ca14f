#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/range_reader.h"
#include "core/result.h"
#include "core/time.h"
#include "grib/scan/grid_definition.h"
#include "grib/scan/product.h"

namespace icefield::grib {

/// Section 1 of a message: who made it, and when it starts from.
struct Identification {
  std::uint16_t centre = 0xFFFF;     // common code table C-11 (edition 1: C-1)
  std::uint16_t subcentre = 0;       // common code table C-12
  std::uint8_t master_tables = 255;  // version of the WMO tables (edition 1: of table 2)
  std::uint8_t local_tables = 0;     // version of the centre's tables
  std::uint8_t significance = 255;   // of the reference time, code table 1.2
  std::uint8_t status = 255;         // production status, code table 1.3
  std::uint8_t data_type = 255;      // code table 1.4
  std::optional<core::Timestamp> reference_time;  // UTC; absent when the date is no date
  friend bool operator==(const Identification&, const Identification&) = default;
};

/// One field of a file: what it is and where its bytes lie. Ranges are offsets in the file.
struct Field {
  std::uint32_t message = 0;     // number of its message in the file, from 0
  std::uint32_t submessage = 0;  // number of the field inside the message, from 0
  core::ByteRange range;         // the whole message
  std::uint8_t edition = 2;
  std::uint8_t discipline = 0;          // code table 0.0; edition 1: 255
  std::uint8_t bitmap_indicator = 255;  // code table 6.0: 0 own, 254 an earlier one, 255 none
  std::uint16_t packing_template = 0;   // 5.n; edition 1: 0
  std::uint32_t n_packed = 0;           // values in section 7; edition 1: 0
  int decimal_scale = 0;                // edition 1 (in edition 2 it is in section 5)
  std::uint32_t grid = 0;               // position in Scan::grids
  Identification identification;
  Product product;
  core::ByteRange local_use;       // section 2 (edition 1: octets 41.. of section 1), or empty
  core::ByteRange representation;  // section 5, whole (edition 1: section 4)
  core::ByteRange bitmap;          // the bits of the bitmap that applies, or empty
  core::ByteRange data;            // section 7, whole (edition 1: section 4)
  std::optional<std::uint32_t> reported;  // position in Scan::reported when not understood
};

/// Something that was found and could not be understood.
struct Reported {
  std::uint64_t offset = 0;   // of the message in the file
  std::uint64_t length = 0;   // octets the message claims
  std::uint32_t message = 0;  // number of the message, for one that is whole
  std::uint32_t submessage = 0;
  std::uint8_t section = 0;                      // where the trouble is
  std::optional<std::uint16_t> template_number;  // of that section
  std::string reason;
};

/// What a file holds. Every message found is in `fields` or in `reported`, or in both when a field
/// is listed whose meaning is not known.
struct Scan {
  std::uint32_t messages = 0;         // whole messages, from "GRIB" to "7777"
  std::vector<GridDefinition> grids;  // each once
  std::vector<Field> fields;          // in file order
  std::vector<Reported> reported;     // in file order
};

/// Finds the messages of editions 1 and 2 and reads their headers; never sections 6 and 7.
/// Bytes between messages are skipped; a message that is cut short, has no end or contradicts
/// itself is reported, and the search goes on behind its first octets. One read of about 1 KiB per
/// message, from the end of the one before. Memory: the fields, and at most 16 MiB for a section.
/// Errors: what `source` gives for a read; never the content. Any thread.
core::Result<Scan> scan(const core::RangeReader& source);

}  // namespace icefield::grib
