#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"

namespace icefield::sample_source {

/// What ecCodes reads out of one message. Points without a value are NaN.
struct Decoded {
  std::vector<double> values;  // in scanning order
  std::string packing_type;    // ecCodes' name, for example "grid_simple"
};

/// Decodes a whole GRIB2 message with ecCodes, the independent reader.
core::Result<Decoded> decode_with_eccodes(std::span<const std::byte> message);

/// The value of one key of the message as text. Errors: kNotFound when it has no such key.
core::Result<std::string> key_with_eccodes(std::span<const std::byte> message,
                                           const std::string& key);

/// A message on a grid of `points` x 1 points around the sections 5, 6 and 7 given.
core::Bytes wrap_sections(std::size_t points, std::span<const std::byte> section5,
                          std::span<const std::byte> section6, std::span<const std::byte> section7);

}  // namespace icefield::sample_source
