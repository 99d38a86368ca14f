#pragma once

#include <cstdint>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "core/time.h"
#include "sample_source/grib_writer.h"
#include "sample_source/quantity.h"
#include "sample_source/record.h"

namespace icefield::sample_source {

/// Invents the field of a record and writes it as the provider would. Use one per thread.
class MessageWriter {
 public:
  /// Errors: as GribWriter::create.
  static core::Result<MessageWriter> create();

  /// A whole GRIB2 message. The same record, `initialized` and `seed` give the same bytes.
  /// Errors: kNotFound or kUnsupported for an element or level that the provider does not have.
  core::Result<core::Bytes> write(const Record& record, core::Timestamp initialized,
                                  std::uint64_t seed);

 private:
  explicit MessageWriter(GribWriter grib) : grib_(std::move(grib)) {}

  core::Result<core::Bytes> write_with_eccodes(const Product& product, const Quantity& quantity,
                                               double reference);
  core::Result<core::Bytes> write_differenced(const Product& product, const Quantity& quantity,
                                              double reference) const;

  GribWriter grib_;
  std::vector<std::int32_t> packed_;  // X of each point, or kMissingPoint; kept for its memory
};

}  // namespace icefield::sample_source
