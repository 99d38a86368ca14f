#include "zarr/fill_value.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "core/text.h"

namespace icefield::zarr {
namespace {

static_assert(std::endian::native == std::endian::little, "values are stored little-endian");

constexpr std::uint64_t kCanonicalNan64 = 0x7FF8000000000000ULL;
constexpr std::uint32_t kCanonicalNan32 = 0x7FC00000U;

core::Error refused(const core::Json& json, DataType type) {
  std::string shown = json.dump();
  if (shown.size() > 60) shown.resize(60);
  return {core::ErrorCode::kCorrupt,
          core::text("fill_value ", shown, " is not valid for ", name_of(type))};
}

std::uint64_t mask_of(DataType type) {
  const std::size_t bits = 8 * size_of(type);
  return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

core::Result<FillValue> float_from_text(const core::Json& json, DataType type) {
  const std::string& text = json.as_string();
  const bool wide = type == DataType::kFloat64;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "NaN") return FillValue{wide ? kCanonicalNan64 : std::uint64_t{kCanonicalNan32}};
  if (text == "Infinity") return wide ? fill_of(kInfinity) : fill_of(static_cast<float>(kInfinity));
  if (text == "-Infinity") {
    return wide ? fill_of(-kInfinity) : fill_of(static_cast<float>(-kInfinity));
  }
  const std::size_t digits = 2 * size_of(type);
  if (text.size() != digits + 2 || !text.starts_with("0x")) return refused(json, type);
  std::uint64_t bits = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data() + 2, end, bits, 16);
  if (problem != std::errc() || stop != end) return refused(json, type);
  return FillValue{bits};
}

core::Result<FillValue> read_float(const core::Json& json, DataType type) {
  if (json.is_string()) return float_from_text(json, type);
  if (!json.is_number()) return refused(json, type);
  const double value = json.as_double();
  if (type == DataType::kFloat64) return fill_of(value);
  // a finite number must not silently become infinite
  if (std::fabs(value) > static_cast<double>(std::numeric_limits<float>::max())) {
    return refused(json, type);
  }
  return fill_of(static_cast<float>(value));
}

core::Result<FillValue> read_integer(const core::Json& json, DataType type) {
  if (!json.is_integer()) return refused(json, type);
  const std::uint64_t mask = mask_of(type);
  if (is_signed_integer(type)) {
    const std::uint64_t largest = mask >> 1U;
    if (json.is_unsigned() ? json.as_uint64() > largest
                           : json.as_int64() < -static_cast<std::int64_t>(largest) - 1) {
      return refused(json, type);
    }
    return FillValue{static_cast<std::uint64_t>(json.as_int64()) & mask};
  }
  if (!json.is_unsigned() || json.as_uint64() > mask) return refused(json, type);
  return FillValue{json.as_uint64()};
}

std::string hex_of(std::uint64_t bits, std::size_t digits) {
  std::string out = "0x";
  for (std::size_t i = digits; i-- > 0;) out += "0123456789abcdef"[(bits >> (4 * i)) & 0xFU];
  return out;
}

core::Json write_float(FillValue fill, DataType type) {
  const bool wide = type == DataType::kFloat64;
  const double value = wide ? std::bit_cast<double>(fill.bits)
                            : double{std::bit_cast<float>(static_cast<std::uint32_t>(fill.bits))};
  if (!std::isnan(value)) {
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return value;
  }
  if (fill.bits == (wide ? kCanonicalNan64 : std::uint64_t{kCanonicalNan32})) return "NaN";
  return hex_of(fill.bits, 2 * size_of(type));
}

}  // namespace

FillValue fill_of(double value) {
  return {std::bit_cast<std::uint64_t>(value)};
}
FillValue fill_of(float value) {
  return {std::bit_cast<std::uint32_t>(value)};
}
FillValue fill_of(std::int64_t value) {
  return {static_cast<std::uint64_t>(value)};
}

core::Result<FillValue> read_fill_value(const core::Json& json, DataType type) {
  if (is_float(type)) return read_float(json, type);
  if (type != DataType::kBool) return read_integer(json, type);
  if (!json.is_bool()) return refused(json, type);
  return FillValue{json.as_bool() ? 1U : 0U};
}

core::Json write_fill_value(FillValue fill, DataType type) {
  if (is_float(type)) return write_float(fill, type);
  if (type == DataType::kBool) return fill.bits != 0;
  if (!is_signed_integer(type)) return fill.bits;
  const std::size_t unused = 64 - 8 * size_of(type);  // moves the sign bit to the top and back
  return static_cast<std::int64_t>(fill.bits << unused) >> unused;
}

void fill_elements(std::span<std::byte> out, FillValue fill, DataType type) {
  const std::size_t size = size_of(type);
  std::array<std::byte, 8> element{};
  std::memcpy(element.data(), &fill.bits, element.size());
  if (std::all_of(element.begin() + 1, element.begin() + static_cast<std::ptrdiff_t>(size),
                  [&](std::byte byte) { return byte == element[0]; })) {
    std::ranges::fill(out, element[0]);
    return;
  }
  for (std::size_t at = 0; at + size <= out.size(); at += size) {
    std::memcpy(&out[at], element.data(), size);
  }
}

bool all_fill(std::span<const std::byte> values, FillValue fill, DataType type) {
  const std::size_t size = size_of(type);
  std::array<std::byte, 8> element{};
  std::memcpy(element.data(), &fill.bits, element.size());
  for (std::size_t at = 0; at + size <= values.size(); at += size) {
    if (std::memcmp(&values[at], element.data(), size) != 0) return false;
  }
  return true;
}

}  // namespace icefield::zarr
