#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/result.h"
#include "core/text.h"
#include "core/time.h"
#include "icechunk/format/internal/budget.h"
#include "icechunk/format/internal/utf8.h"

// Between the wire's tables and our values. The templates take the accessors that are generated
// from schemas/icechunk; no type of theirs is named here.

namespace icefield::icechunk::internal {

static_assert(std::endian::native == std::endian::little, "the format's buffers are read in place");

/// The root's identifier, bytes 4 to 7 of every payload that we write.
inline constexpr const char* kFileIdentifier = "Ichk";

inline core::Error corrupt(std::string message) {
  return core::Error(core::ErrorCode::kCorrupt, std::move(message));
}

inline core::Error invalid(std::string message) {
  return core::Error(core::ErrorCode::kInvalidArgument, std::move(message));
}

/// A field that the schema requires. Precondition: the verifier has seen it.
template <typename Field>
const Field& required(const Field* field) {
  if (field == nullptr) __builtin_unreachable();
  return *field;
}

/// A buffer's bytes as the generated code takes them, and back.
inline const std::uint8_t* wire_bytes(std::span<const std::byte> bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());  // NOLINT: bytes may alias
}

template <typename OurId, typename WireId>
OurId to_id(const WireId& wire) {
  std::array<std::uint8_t, OurId::kSize> bytes{};
  std::copy_n(required(wire.bytes()).data(), bytes.size(), bytes.begin());
  return OurId(bytes);
}

template <typename WireId, typename OurId>
WireId to_wire(const OurId& id) {
  return WireId(std::span<const std::uint8_t, OurId::kSize>(id.bytes()));
}

template <typename WireVector>
std::span<const std::byte> to_span(const WireVector& vector) {
  return std::as_bytes(std::span(vector.data(), vector.size()));
}

/// False when the elements of a vector of structs stand where their numbers may not be read: the
/// verifier looks at where a vector begins only, 4 bytes before.
template <typename WireVector>
bool is_aligned(const WireVector& vector) {
  using Struct = std::remove_cvref_t<decltype(*vector.Get(0))>;
  const auto first = reinterpret_cast<std::uintptr_t>(vector.Data());  // NOLINT: only its number
  return vector.size() == 0 || first % alignof(Struct) == 0;
}

/// The text of a string that may be absent (then empty). Errors: kCorrupt unless UTF-8 and within
/// the budget.
template <typename WireString>
core::Result<std::string> to_text(const WireString* string, Budget& budget) {
  if (string == nullptr) return std::string();
  TRY(budget.spend(string->size()));
  const std::string_view text(string->c_str(), string->size());
  if (!is_utf8(text)) return corrupt("text that is not UTF-8");
  return std::string(text);
}

/// Errors: kCorrupt for a time after the year 294246.
inline core::Result<core::Instant> to_instant(std::uint64_t microseconds) {
  if (microseconds > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
    return corrupt("time out of range");
  return core::Instant(std::chrono::microseconds(static_cast<std::int64_t>(microseconds)));
}

/// 0 for times before 1970, which nothing that we write has.
inline std::uint64_t to_microseconds(core::Instant at) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(at.time_since_epoch().count(), 0));
}

}  // namespace icefield::icechunk::internal
