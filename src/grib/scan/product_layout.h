#pragma once

#include <cstdint>

namespace icefield::grib {

/// Where the parts of one product definition template stand: octet numbers within section 4, 0 for
/// a part that the template does not have. Category and number are at octets 10 and 11 in all.
struct ProductLayout {
  std::uint16_t template_number = 0;
  std::uint8_t process = 0;      // type of generating process
  std::uint8_t time_unit = 0;    // unit of forecast time; the time itself follows
  std::uint8_t surfaces = 0;     // first fixed surface (6 octets), then the second
  std::uint8_t member = 0;       // ensemble type, number, count
  std::uint8_t derived = 0;      // derived forecast type, count
  std::uint8_t probability = 0;  // number, count, type, two limits of 5 octets
  std::uint8_t percentile = 0;
  std::uint8_t interval = 0;  // end of the overall time interval, then the time ranges
  std::uint8_t octets = 0;    // shortest section that holds the fixed part
};

/// Where templates 4.`first` to 4.`last` say what the air is made of: the constituent's type is at
/// octets 12-13; an interval is its type, then twice a factor and a value (11 octets).
struct ConstituentLayout {
  std::uint16_t first = 0;
  std::uint16_t last = 0;
  std::uint8_t source_sink = 0;
  std::uint8_t size = 0;
  std::uint8_t wavelength = 0;
};

/// The layout that holds template 4.`number`, or nullptr for one without a constituent.
const ConstituentLayout* find_constituent_layout(std::uint16_t number);

/// The layout of template 4.`number`, or nullptr when it is not known.
const ProductLayout* find_product_layout(std::uint16_t number);

}  // namespace icefield::grib
