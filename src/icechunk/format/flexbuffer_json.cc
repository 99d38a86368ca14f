#include "icechunk/format/flexbuffer_json.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <flatbuffers/flexbuffers.h>

#include "core/text.h"
#include "icechunk/format/internal/utf8.h"

namespace icefield::icechunk {
namespace {

constexpr unsigned kMaxDepth = 64;
constexpr std::size_t kTextPerByte = 64;  // keys may be shared, but no more than this

core::Error corrupt(std::string_view what) {
  return core::Error(core::ErrorCode::kCorrupt, core::text("FlexBuffers: ", what));
}

/// One value: where it stands, how wide its slot is, and what it is.
struct Slot {
  std::size_t at = 0;
  std::size_t width = 0;         // bytes of the slot: 1, 2, 4 or 8
  std::uint8_t packed_type = 0;  // type << 2 | log2(width of what an offset leads to)

  flexbuffers::Type type() const { return static_cast<flexbuffers::Type>(packed_type >> 2U); }
  std::size_t child_width() const { return std::size_t{1} << (packed_type & 3U); }
};

/// Reads a tree whose every offset may be hostile. All offsets lead backwards, but parts may be
/// shared, so that values and text are counted against what the buffer could honestly hold.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes)
      : bytes_(bytes), values_left_(bytes.size()), text_left_(bytes.size() * kTextPerByte) {}

  core::Result<core::Json> read_root() {
    if (bytes_.size() < 3) return corrupt("shorter than its root");
    const auto width = std::to_integer<std::size_t>(bytes_[bytes_.size() - 1]);
    if (!std::has_single_bit(width) || width > 8) return corrupt("width of the root");
    if (bytes_.size() < width + 2) return corrupt("shorter than its root");
    return read({.at = bytes_.size() - 2 - width,
                 .width = width,
                 .packed_type = std::to_integer<std::uint8_t>(bytes_[bytes_.size() - 2])},
                0);
  }

 private:
  core::Result<core::Json> read(const Slot& slot, unsigned depth);
  core::Result<core::Json> read_indirect(const Slot& slot);
  core::Result<core::Json> read_string(const Slot& slot);
  core::Result<core::Json> read_blob(const Slot& slot);
  core::Result<core::Json> read_vector(const Slot& slot, unsigned depth);
  core::Result<core::Json> read_typed_vector(const Slot& slot, flexbuffers::Type element,
                                             std::size_t fixed_count);
  core::Result<core::Json> read_map(const Slot& slot, unsigned depth);
  core::Result<core::Json> read_float(std::size_t at, std::size_t width) const;
  core::Result<std::string> read_key(std::size_t at);

  /// Unsigned number of a slot. Precondition: inside the buffer.
  std::uint64_t number(std::size_t at, std::size_t width) const {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + at, width);
    return value;
  }

  std::int64_t signed_number(std::size_t at, std::size_t width) const {
    const auto shift = static_cast<unsigned>(64 - 8 * width);
    return std::bit_cast<std::int64_t>(number(at, width) << shift) >> shift;
  }

  bool inside(std::size_t at, std::uint64_t size) const {
    return at <= bytes_.size() && size <= bytes_.size() - at;
  }

  /// Where the offset in a slot leads.
  core::Result<std::size_t> target(std::size_t at, std::size_t width) const {
    const std::uint64_t back = number(at, width);
    if (back > at) return corrupt("offset before the start");
    return at - static_cast<std::size_t>(back);
  }

  /// The count in front of what an offset leads to; elements of `size` bytes each must fit.
  core::Result<std::size_t> count_before(std::size_t at, std::size_t width,
                                         std::uint64_t element_size) const {
    if (at < width) return corrupt("no room for a count");
    const std::uint64_t count = number(at - width, width);
    if (count > bytes_.size() || !inside(at, count * element_size)) {
      return corrupt("more elements than bytes");
    }
    return static_cast<std::size_t>(count);
  }

  core::Status spend(std::size_t values, std::size_t text) {
    if (values > values_left_ || text > text_left_) return corrupt("parts shared too often");
    values_left_ -= values;
    text_left_ -= text;
    return {};
  }

  std::span<const std::byte> bytes_;
  std::size_t values_left_;
  std::size_t text_left_;
};

core::Result<core::Json> Reader::read_float(std::size_t at, std::size_t width) const {
  if (width == sizeof(float)) {
    return core::Json(double{std::bit_cast<float>(static_cast<std::uint32_t>(number(at, width)))});
  }
  if (width == sizeof(double)) return core::Json(std::bit_cast<double>(number(at, width)));
  return corrupt("float of a width that has none");
}

core::Result<std::string> Reader::read_key(std::size_t at) {
  const auto rest = core::as_text(bytes_.subspan(std::min(at, bytes_.size())));
  const std::size_t length = rest.find('\0');
  if (length == std::string_view::npos) return corrupt("key without an end");
  TRY(spend(0, length));
  const std::string_view key = rest.substr(0, length);
  if (!internal::is_utf8(key)) return corrupt("key that is not UTF-8");
  return std::string(key);
}

core::Result<core::Json> Reader::read_string(const Slot& slot) {
  TRY_ASSIGN(const std::size_t at, target(slot.at, slot.width));
  TRY_ASSIGN(const std::size_t length, count_before(at, slot.child_width(), 1));
  TRY(spend(0, length));
  const auto text = core::as_text(bytes_.subspan(at, length));
  if (!internal::is_utf8(text)) return corrupt("string that is not UTF-8");
  return core::Json(text);
}

core::Result<core::Json> Reader::read_blob(const Slot& slot) {
  TRY_ASSIGN(const std::size_t at, target(slot.at, slot.width));
  TRY_ASSIGN(const std::size_t length, count_before(at, slot.child_width(), 1));
  TRY(spend(length, 0));
  core::Json::Array numbers;
  numbers.reserve(length);
  for (const std::byte byte : bytes_.subspan(at, length)) {
    numbers.emplace_back(std::to_integer<std::uint32_t>(byte));
  }
  return core::Json(std::move(numbers));
}

core::Result<core::Json> Reader::read_indirect(const Slot& slot) {
  TRY_ASSIGN(const std::size_t at, target(slot.at, slot.width));
  if (!inside(at, slot.child_width())) return corrupt("number past the end");
  if (slot.type() == flexbuffers::FBT_INDIRECT_INT) {
    return core::Json(signed_number(at, slot.child_width()));
  }
  if (slot.type() == flexbuffers::FBT_INDIRECT_UINT) {
    return core::Json(number(at, slot.child_width()));
  }
  return read_float(at, slot.child_width());
}

core::Result<core::Json> Reader::read_typed_vector(const Slot& slot, flexbuffers::Type element,
                                                   std::size_t fixed_count) {
  const std::size_t width = slot.child_width();
  TRY_ASSIGN(const std::size_t at, target(slot.at, slot.width));
  std::size_t count = fixed_count;
  if (fixed_count == 0) {
    TRY_ASSIGN(count, count_before(at, width, width));
  } else if (!inside(at, fixed_count * width)) {
    return corrupt("vector past the end");
  }
  TRY(spend(count, 0));
  core::Json::Array items;
  items.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t here = at + i * width;
    if (element == flexbuffers::FBT_INT) {
      items.emplace_back(signed_number(here, width));
    } else if (element == flexbuffers::FBT_UINT) {
      items.emplace_back(number(here, width));
    } else if (element == flexbuffers::FBT_BOOL) {
      items.emplace_back(number(here, width) != 0);
    } else if (element == flexbuffers::FBT_FLOAT) {
      TRY_ASSIGN(auto value, read_float(here, width));
      items.push_back(std::move(value));
    } else {  // keys, and the old vector of strings, whose elements end in zero, too
      TRY_ASSIGN(const std::size_t key, target(here, width));
      TRY_ASSIGN(auto text, read_key(key));
      items.emplace_back(std::move(text));
    }
  }
  return core::Json(std::move(items));
}

core::Result<core::Json> Reader::read_vector(const Slot& slot, unsigned depth) {
  const std::size_t width = slot.child_width();
  TRY_ASSIGN(const std::size_t at, target(slot.at, slot.width));
  TRY_ASSIGN(const std::size_t count, count_before(at, width, width + 1));
  core::Json::Array items;
  items.reserve(std::min(count, values_left_));
  for (std::size_t i = 0; i < count; ++i) {
    const auto type = std::to_integer<std::uint8_t>(bytes_[at + count * width + i]);
    TRY_ASSIGN(auto item,
               read({.at = at + i * width, .width = width, .packed_type = type}, depth + 1));
    items.push_back(std::move(item));
  }
  return core::Json(std::move(items));
}

core::Result<core::Json> Reader::read_map(const Slot& slot, unsigned depth) {
  const std::size_t width = slot.child_width();
  TRY_ASSIGN(const std::size_t at, target(slot.at, slot.width));
  TRY_ASSIGN(const std::size_t count, count_before(at, width, width + 1));
  if (at < 3 * width) return corrupt("map without keys");
  TRY_ASSIGN(const std::size_t keys, target(at - 3 * width, width));
  const std::uint64_t key_width = number(at - 2 * width, width);
  if (!std::has_single_bit(key_width) || key_width > 8) return corrupt("width of keys");
  if (!inside(keys, count * key_width)) return corrupt("keys past the end");

  core::Json::Object members;
  members.reserve(std::min(count, values_left_));
  for (std::size_t i = 0; i < count; ++i) {
    TRY_ASSIGN(const std::size_t key, target(keys + i * key_width, key_width));
    TRY_ASSIGN(auto name, read_key(key));
    const auto type = std::to_integer<std::uint8_t>(bytes_[at + count * width + i]);
    TRY_ASSIGN(auto value,
               read({.at = at + i * width, .width = width, .packed_type = type}, depth + 1));
    // Sorted keys make repetition adjacent; readers bisect, so that disorder loses members.
    if (!members.empty() && members.back().first >= name) return corrupt("keys out of order");
    members.emplace_back(std::move(name), std::move(value));
  }
  return core::Json(std::move(members));
}

core::Result<core::Json> Reader::read(const Slot& slot, unsigned depth) {
  if (depth > kMaxDepth) return corrupt("nested too deeply");
  TRY(spend(1, 0));
  const auto type = slot.type();
  switch (type) {
    case flexbuffers::FBT_NULL:
      return core::Json();
    case flexbuffers::FBT_INT:
      return core::Json(signed_number(slot.at, slot.width));
    case flexbuffers::FBT_UINT:
      return core::Json(number(slot.at, slot.width));
    case flexbuffers::FBT_BOOL:
      return core::Json(number(slot.at, slot.width) != 0);
    case flexbuffers::FBT_FLOAT:
      return read_float(slot.at, slot.width);
    case flexbuffers::FBT_INDIRECT_INT:
    case flexbuffers::FBT_INDIRECT_UINT:
    case flexbuffers::FBT_INDIRECT_FLOAT:
      return read_indirect(slot);
    case flexbuffers::FBT_KEY: {
      TRY_ASSIGN(const std::size_t at, target(slot.at, slot.width));
      TRY_ASSIGN(auto key, read_key(at));
      return core::Json(std::move(key));
    }
    case flexbuffers::FBT_STRING:
      return read_string(slot);
    case flexbuffers::FBT_BLOB:
      return read_blob(slot);
    case flexbuffers::FBT_VECTOR:
      return read_vector(slot, depth);
    case flexbuffers::FBT_MAP:
      return read_map(slot, depth);
    default:
      break;
  }
  if (flexbuffers::IsTypedVector(type)) {
    return read_typed_vector(slot, flexbuffers::ToTypedVectorElementType(type), 0);
  }
  if (flexbuffers::IsFixedTypedVector(type)) {
    std::uint8_t count = 0;
    const auto element = flexbuffers::ToFixedTypedVectorElementType(type, &count);
    return read_typed_vector(slot, element, count);
  }
  return corrupt(core::text("type ", static_cast<unsigned>(type)));
}

core::Status append(flexbuffers::Builder& builder, const core::Json& value);

core::Status append_object(flexbuffers::Builder& builder, const core::Json::Object& members) {
  std::vector<const core::Json::Member*> sorted;
  sorted.reserve(members.size());
  for (const auto& member : members) sorted.push_back(&member);
  std::ranges::sort(sorted, {},
                    [](const core::Json::Member* m) { return std::string_view(m->first); });
  const auto start = builder.StartMap();
  std::string_view last;
  for (const core::Json::Member* member : sorted) {
    const std::string& name = member->first;
    if (name.find('\0') != std::string::npos || (member != sorted.front() && name == last)) {
      return core::Error(
          core::ErrorCode::kInvalidArgument,
          core::text("member name ", core::Json(name).dump(), " is repeated or has a zero byte"));
    }
    last = name;
    builder.Key(name);
    TRY(append(builder, member->second));
  }
  builder.EndMap(start);
  return {};
}

core::Status append(flexbuffers::Builder& builder, const core::Json& value) {
  if (value.is_null()) {
    builder.Null();
  } else if (value.is_bool()) {
    builder.Bool(value.as_bool());
  } else if (value.is_integer()) {
    if (value.is_unsigned()) {
      builder.UInt(value.as_uint64());
    } else {
      builder.Int(value.as_int64());
    }
  } else if (value.is_double()) {
    builder.Double(value.as_double());
  } else if (value.is_string()) {
    builder.String(value.as_string());
  } else if (value.is_array()) {
    const auto start = builder.StartVector();
    for (const core::Json& item : value.as_array()) TRY(append(builder, item));
    builder.EndVector(start, false, false);
  } else {
    return append_object(builder, value.as_object());
  }
  return {};
}

}  // namespace

core::Result<core::Json> decode_flexbuffer(std::span<const std::byte> bytes) {
  return Reader(bytes).read_root();
}

core::Result<core::Bytes> encode_flexbuffer(const core::Json& value) {
  flexbuffers::Builder builder;
  TRY(append(builder, value));
  builder.Finish();
  const auto made = std::as_bytes(std::span(builder.GetBuffer()));
  return core::Bytes(made.begin(), made.end());
}

}  // namespace icefield::icechunk
