#include "sample_source/testing/eccodes_decode.h"

#include <cmath>
#include <limits>
#include <memory>

#include <eccodes.h>

#include "core/text.h"

namespace icefield::sample_source {
namespace {

struct DeleteHandle {
  void operator()(codes_handle* handle) const { codes_handle_delete(handle); }
};
using Handle = std::unique_ptr<codes_handle, DeleteHandle>;

core::Error failure(const char* doing, int code) {
  return {core::ErrorCode::kCorrupt, core::text(doing, ": ", codes_get_error_message(code))};
}

core::Result<std::string> text_key(codes_handle* handle, const char* key) {
  std::string value(256, '\0');
  std::size_t length = value.size();
  if (const int code = codes_get_string(handle, key, value.data(), &length); code != 0) {
    return core::Error(core::ErrorCode::kNotFound,
                       core::text(key, ": ", codes_get_error_message(code)));
  }
  value.resize(value.find('\0'));
  return value;
}

Handle open(std::span<const std::byte> message) {
  return Handle(codes_handle_new_from_message_copy(nullptr, message.data(), message.size()));
}

}  // namespace

core::Result<Decoded> decode_with_eccodes(std::span<const std::byte> message) {
  constexpr double kMark = -1.0e30;
  const Handle handle = open(message);
  if (!handle) return core::Error(core::ErrorCode::kCorrupt, "ecCodes sees no message");
  Decoded decoded;
  TRY_ASSIGN(decoded.packing_type, text_key(handle.get(), "packingType"));
  std::size_t count = 0;
  if (const int code = codes_get_size(handle.get(), "values", &count); code != 0) {
    return failure("number of values", code);
  }
  if (const int code = codes_set_double(handle.get(), "missingValue", kMark); code != 0) {
    return failure("missingValue", code);
  }
  decoded.values.resize(count);
  if (const int code =
          codes_get_double_array(handle.get(), "values", decoded.values.data(), &count);
      code != 0) {
    return failure("values", code);
  }
  for (double& value : decoded.values) {
    if (value == kMark) value = std::numeric_limits<double>::quiet_NaN();
  }
  return decoded;
}

core::Result<std::string> key_with_eccodes(std::span<const std::byte> message,
                                           const std::string& key) {
  const Handle handle = open(message);
  if (!handle) return core::Error(core::ErrorCode::kCorrupt, "ecCodes sees no message");
  return text_key(handle.get(), key.c_str());
}

core::Bytes wrap_sections(std::size_t points, std::span<const std::byte> section5,
                          std::span<const std::byte> section6,
                          std::span<const std::byte> section7) {
  const auto count = static_cast<std::uint32_t>(points);
  core::Bytes body;
  const auto put8 = [&body](std::initializer_list<int> octets) {
    for (const int octet : octets) body.push_back(static_cast<std::byte>(octet));
  };
  const auto put32 = [&body](std::initializer_list<std::uint32_t> numbers) {
    for (const auto number : numbers) core::append_big_endian(body, number);
  };
  put32({21});  // section 1: centre 7, 2025-08-01 00 UTC
  put8({1, 0, 7, 0, 0, 2, 1, 1, 0x07, 0xE9, 8, 1, 0, 0, 0, 0, 1});
  put32({72});  // section 3: latitude/longitude grid of one row
  put8({3, 0});
  put32({count});
  put8({0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  put32({count, 1, 0, 0xFFFFFFFFU, 10000000, 20000000});
  put8({48});
  put32({10000000, 20000000, 1000000, 1000000});
  put8({64});
  put32({34});  // section 4: temperature at the surface, analysis
  put8({4, 0, 0, 0, 0, 0, 0, 2, 0, 83,  0, 0, 0, 1, 0,
        0, 0, 0, 1, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0});
  for (const auto section : {section5, section6, section7}) {
    body.insert(body.end(), section.begin(), section.end());
  }
  core::Bytes message = core::to_bytes("GRIB");
  for (const int octet : {0, 0, 0, 2}) message.push_back(static_cast<std::byte>(octet));
  core::append_big_endian(message, std::uint64_t{16 + body.size() + 4});
  message.insert(message.end(), body.begin(), body.end());
  const auto end = core::to_bytes("7777");
  message.insert(message.end(), end.begin(), end.end());
  return message;
}

}  // namespace icefield::sample_source
