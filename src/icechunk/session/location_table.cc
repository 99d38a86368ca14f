#include "icechunk/session/location_table.h"

#include <functional>

namespace icefield::icechunk {
namespace {

constexpr LocationNumber kNoNumber{~std::uint32_t{0}};
constexpr std::size_t kFirstSlots = 16;

}  // namespace

bool LocationTable::same(LocationNumber number, std::string_view wanted,
                         const SourceIdentity& identity) const {
  if (location(number) != wanted) return false;
  const auto found = identities_.find(number.value());
  return found == identities_.end() ? std::holds_alternative<std::monostate>(identity)
                                    : found->second == identity;
}

const LocationNumber* LocationTable::find(std::string_view location,
                                          const SourceIdentity& identity) const {
  if (slots_.empty()) return nullptr;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = std::hash<std::string_view>{}(location)&mask;; at = (at + 1) & mask) {
    if (slots_[at] == kNoNumber) return nullptr;
    if (same(slots_[at], location, identity)) return &slots_[at];
  }
}

LocationNumber LocationTable::add(std::string_view location, const SourceIdentity& identity) {
  if (const LocationNumber* known = find(location, identity)) return *known;
  if (2 * (ends_.size() + 1) > slots_.size()) grow();
  const LocationNumber number(static_cast<std::uint32_t>(ends_.size()));
  text_ += location;
  ends_.push_back(text_.size());
  if (!std::holds_alternative<std::monostate>(identity)) {
    identities_.emplace(number.value(), identity);
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = std::hash<std::string_view>{}(location)&mask;
  while (slots_[at] != kNoNumber) at = (at + 1) & mask;
  slots_[at] = number;
  return number;
}

void LocationTable::grow() {
  slots_.assign(slots_.empty() ? kFirstSlots : slots_.size() * 2, kNoNumber);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t i = 0; i < ends_.size(); ++i) {
    std::size_t at = std::hash<std::string_view>{}(location(LocationNumber(i))) & mask;
    while (slots_[at] != kNoNumber) at = (at + 1) & mask;
    slots_[at] = LocationNumber(i);
  }
}

std::string_view LocationTable::location(LocationNumber number) const {
  const std::size_t begin = number.value() == 0 ? 0 : ends_[number.value() - 1];
  return std::string_view(text_).substr(begin, ends_[number.value()] - begin);
}

VirtualView LocationTable::view(LocationNumber number, core::ByteRange range) const {
  VirtualView view{.location = location(number), .range = range, .entity_tag = {}};
  if (identities_.empty()) return view;
  const auto found = identities_.find(number.value());
  if (found == identities_.end()) return view;
  if (const auto* tag = std::get_if<EntityTag>(&found->second)) view.entity_tag = tag->text;
  if (const auto* time = std::get_if<LastModified>(&found->second)) {
    view.last_modified = time->seconds;
  }
  return view;
}

std::size_t LocationTable::memory() const noexcept {
  return text_.capacity() + ends_.capacity() * sizeof(std::uint64_t) +
         slots_.capacity() * sizeof(LocationNumber) + identities_.size() * 96;
}

}  // namespace icefield::icechunk
