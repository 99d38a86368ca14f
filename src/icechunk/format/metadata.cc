#include "icechunk/format/metadata.h"

#include <algorithm>
#include <utility>

#include "core/text.h"
#include "icechunk/format/flexbuffer_json.h"

namespace icefield::icechunk {

core::Result<Metadata> decode_metadata(const EncodedMetadata& items) {
  Metadata members;
  members.reserve(items.size());
  for (const EncodedItem& item : items) {
    auto value = decode_flexbuffer(item.value.view());
    if (!value) return std::move(value).error().within(core::text("metadata ", item.name));
    members.emplace_back(item.name, *std::move(value));
  }
  return members;
}

core::Result<EncodedMetadata> encode_metadata(const Metadata& members) {
  EncodedMetadata items;
  items.reserve(members.size());
  for (const auto& [name, value] : members) {
    auto encoded = encode_flexbuffer(value);
    if (!encoded) return std::move(encoded).error().within(core::text("metadata ", name));
    items.push_back({.name = name, .value = SharedBytes(*std::move(encoded))});
  }
  std::ranges::sort(items, {}, &EncodedItem::name);
  if (std::ranges::adjacent_find(items, {}, &EncodedItem::name) != items.end()) {
    return core::Error(core::ErrorCode::kInvalidArgument, "a metadata name occurs twice");
  }
  return items;
}

}  // namespace icefield::icechunk
