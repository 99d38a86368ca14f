#include "icechunk/format/msgpack_json.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/bytes.h"
#include "core/text.h"
#include "icechunk/format/internal/utf8.h"

namespace icefield::icechunk {
namespace {

constexpr unsigned kMaxDepth = 64;

core::Error corrupt(std::string_view what) {
  return core::Error(core::ErrorCode::kCorrupt, core::text("MessagePack: ", what));
}

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  core::Result<core::Json> read(unsigned depth);
  bool at_end() const { return left_.empty(); }

 private:
  core::Result<core::Json> read_text(std::uint64_t length);
  core::Result<core::Json> read_binary(std::uint64_t length);
  core::Result<core::Json> read_array(std::uint64_t count, unsigned depth);
  core::Result<core::Json> read_map(std::uint64_t count, unsigned depth);
  core::Result<core::Json> read_sized(unsigned lead, unsigned depth);

  core::Result<std::span<const std::byte>> take(std::uint64_t length) {
    if (length > left_.size()) return corrupt("cut off");
    const auto taken = left_.first(length);
    left_ = left_.subspan(length);
    return taken;
  }

  /// Big-endian number of 1 << log2 bytes.
  core::Result<std::uint64_t> number(unsigned log2) {
    TRY_ASSIGN(const auto digits, take(std::uint64_t{1} << log2));
    std::uint64_t value = 0;
    for (const std::byte digit : digits) {
      value = (value << 8U) | std::to_integer<std::uint64_t>(digit);
    }
    return value;
  }

  std::span<const std::byte> left_;
};

core::Result<core::Json> Reader::read_text(std::uint64_t length) {
  TRY_ASSIGN(const auto bytes, take(length));
  const auto text = core::as_text(bytes);
  if (!internal::is_utf8(text)) return corrupt("text that is not UTF-8");
  return core::Json(text);
}

core::Result<core::Json> Reader::read_binary(std::uint64_t length) {
  TRY_ASSIGN(const auto bytes, take(length));
  core::Json::Array numbers;
  numbers.reserve(bytes.size());
  for (const std::byte byte : bytes) numbers.emplace_back(std::to_integer<std::uint32_t>(byte));
  return core::Json(std::move(numbers));
}

core::Result<core::Json> Reader::read_array(std::uint64_t count, unsigned depth) {
  if (count > left_.size()) return corrupt("more elements than bytes");
  core::Json::Array items;
  items.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    TRY_ASSIGN(auto item, read(depth + 1));
    items.push_back(std::move(item));
  }
  return core::Json(std::move(items));
}

core::Result<core::Json> Reader::read_map(std::uint64_t count, unsigned depth) {
  if (count > left_.size()) return corrupt("more members than bytes");
  core::Json::Object members;
  members.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    TRY_ASSIGN(auto name, read(depth + 1));
    if (!name.is_string()) return corrupt("map key that is not text");
    TRY_ASSIGN(auto value, read(depth + 1));
    members.emplace_back(name.as_string(), std::move(value));
  }
  std::ranges::sort(members, {}, &core::Json::Member::first);
  if (std::ranges::adjacent_find(members, {}, &core::Json::Member::first) != members.end()) {
    return corrupt("map key that is repeated");
  }
  return core::Json(std::move(members));
}

/// The kinds whose lead byte is followed by a number: of the value itself or of its size.
core::Result<core::Json> Reader::read_sized(unsigned lead, unsigned depth) {
  const auto with_size = [this](unsigned log2, auto go_on) -> core::Result<core::Json> {
    TRY_ASSIGN(const std::uint64_t size, number(log2));
    return go_on(size);
  };
  if (lead >= 0xC4 && lead <= 0xC6) {
    return with_size(lead - 0xC4, [this](std::uint64_t size) { return read_binary(size); });
  }
  if (lead >= 0xD9 && lead <= 0xDB) {
    return with_size(lead - 0xD9, [this](std::uint64_t size) { return read_text(size); });
  }
  if (lead == 0xDC || lead == 0xDD) {
    return with_size(lead - 0xDC + 1,
                     [this, depth](std::uint64_t size) { return read_array(size, depth); });
  }
  if (lead == 0xDE || lead == 0xDF) {
    return with_size(lead - 0xDE + 1,
                     [this, depth](std::uint64_t size) { return read_map(size, depth); });
  }
  if (lead == 0xCA) {
    TRY_ASSIGN(const std::uint64_t bits, number(2));
    return core::Json(double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))});
  }
  if (lead == 0xCB) {
    TRY_ASSIGN(const std::uint64_t bits, number(3));
    return core::Json(std::bit_cast<double>(bits));
  }
  if (lead >= 0xCC && lead <= 0xCF) {
    TRY_ASSIGN(const std::uint64_t value, number(lead - 0xCC));
    return core::Json(value);
  }
  if (lead >= 0xD0 && lead <= 0xD3) {
    TRY_ASSIGN(const std::uint64_t bits, number(lead - 0xD0));
    const unsigned shift = 64 - (8U << (lead - 0xD0));
    return core::Json(std::bit_cast<std::int64_t>(bits << shift) >> shift);
  }
  if (lead == 0xC1) return corrupt("reserved type");
  return core::Error(core::ErrorCode::kUnsupported, "MessagePack: extension type");
}

core::Result<core::Json> Reader::read(unsigned depth) {
  if (depth > kMaxDepth) return corrupt("nested too deeply");
  TRY_ASSIGN(const std::uint64_t first, number(0));
  const auto lead = static_cast<unsigned>(first);
  if (lead <= 0x7F) return core::Json(std::uint64_t{lead});
  if (lead >= 0xE0) return core::Json(static_cast<int>(lead) - 0x100);
  if (lead <= 0x8F) return read_map(lead & 0x0FU, depth);
  if (lead <= 0x9F) return read_array(lead & 0x0FU, depth);
  if (lead <= 0xBF) return read_text(lead & 0x1FU);
  if (lead == 0xC0) return core::Json();
  if (lead == 0xC2 || lead == 0xC3) return core::Json(lead == 0xC3);
  return read_sized(lead, depth);
}

}  // namespace

core::Result<core::Json> decode_msgpack(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  TRY_ASSIGN(auto value, reader.read(0));
  if (!reader.at_end()) return corrupt("bytes after the value");
  return value;
}

}  // namespace icefield::icechunk
