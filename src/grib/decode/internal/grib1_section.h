#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/result.h"
#include "grib/decode/grib1.h"
#include "grib/decode/internal/scaling.h"

namespace icefield::grib {

/// The octets that every binary data section of edition 1 begins with.
struct Grib1Header {
  Scaling scaling;
  unsigned bits = 0;  // octet 11: bits per value, or per first-order value
};

/// Precondition: grib1_packing() accepted the section.
Grib1Header read_grib1_header(const Grib1Field& field);

/// An IBM System/360 single precision number: sign, exponent to base 16, fraction of 24 bits.
double ibm_float(std::uint32_t bits);

/// Second-order packings: X of the groups, differences undone, scaled. `out`: the packed points in
/// packed order, as many as the bitmap keeps.
/// Errors: kCorrupt; kInvalidArgument for row lengths that do not fit. Allocates the groups'
/// lengths where a secondary bitmap gives them.
core::Status decode_grib1_second_order(const Grib1Field& field, Grib1Packing packing,
                                       std::span<float> out);
core::Status decode_grib1_second_order(const Grib1Field& field, Grib1Packing packing,
                                       std::span<double> out);

}  // namespace icefield::grib
