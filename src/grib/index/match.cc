#include "grib/index/match.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/text.h"

namespace icefield::grib {
namespace {

constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * kMultiplier;
  return hash ^ (hash >> 29U);
}

std::uint64_t hash_text(std::uint64_t hash, std::string_view text) {
  hash = mix(hash, text.size());
  while (text.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    hash = mix(hash, word);
    text.remove_prefix(sizeof word);
  }
  std::uint64_t word = 0;
  if (!text.empty()) std::memcpy(&word, text.data(), text.size());
  return mix(hash, word);
}

std::uint64_t hash_key(std::string_view element, std::string_view level, const Window& window) {
  auto hash = hash_text(hash_text(0, element), level);
  hash = mix(hash, (std::uint64_t{static_cast<std::uint32_t>(window.start_minutes)} << 32U) |
                       static_cast<std::uint32_t>(window.end_minutes));
  return mix(hash, static_cast<std::uint64_t>(window.statistic));
}

/// Remembers the last label: neighbouring lines mostly carry the same one.
class WindowReader {
 public:
  std::optional<Window> read(std::string_view label) {
    if (label != last_ || !known_) {
      const auto window = parse_window(label);
      window_ = window ? std::optional(*window) : std::nullopt;
      last_ = label;
      known_ = true;
    }
    return window_;
  }

 private:
  std::string_view last_;
  std::optional<Window> window_;
  bool known_ = false;
};

}  // namespace

MatchTable MatchTable::compile(std::span<const WantedField> wanted) {
  MatchTable table;
  for (const auto& field : wanted) table.payloads_.push_back(field.payload);
  std::ranges::sort(table.payloads_);
  table.payloads_.erase(std::unique(table.payloads_.begin(), table.payloads_.end()),
                        table.payloads_.end());

  table.slots_.resize(std::bit_ceil(wanted.size() * 2 + 1));
  const auto mask = table.slots_.size() - 1;
  for (const auto& field : wanted) {
    const auto slot = std::ranges::lower_bound(table.payloads_, field.payload);
    const auto at = static_cast<std::uint32_t>(table.fields_.size());
    table.fields_.push_back(
        {field, kEmpty, static_cast<std::uint32_t>(slot - table.payloads_.begin())});
    const auto hash = hash_key(field.element, field.level, field.window);
    auto last = table.find(hash, field.element, field.level, field.window);
    if (last != kEmpty) {
      while (table.fields_[last].next != kEmpty) last = table.fields_[last].next;
      table.fields_[last].next = at;
      continue;
    }
    auto probe = hash & mask;
    while (table.slots_[probe].first != kEmpty) probe = (probe + 1) & mask;
    table.slots_[probe] = {hash, at};
  }
  return table;
}

std::uint32_t MatchTable::find(std::uint64_t hash, std::string_view element, std::string_view level,
                               const Window& window) const {
  const auto mask = slots_.size() - 1;
  for (auto probe = hash & mask; slots_[probe].first != kEmpty; probe = (probe + 1) & mask) {
    if (slots_[probe].hash != hash) continue;
    const auto& field = fields_[slots_[probe].first].wanted;
    if (field.element == element && field.level == level && field.window == window) {
      return slots_[probe].first;
    }
  }
  return kEmpty;
}

IndexMatches MatchTable::match(std::span<const NoaaIdxEntry> entries) const {
  IndexMatches found;
  found.hits.reserve(payloads_.size());
  std::vector<std::uint32_t> first_entry(payloads_.size(), kEmpty);
  WindowReader windows;
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    const auto& entry = entries[i];
    const auto window = windows.read(entry.window);
    if (!window) found.unreadable.push_back(i);
    bool used = false;
    auto at = window ? find(hash_key(entry.element, entry.level, *window), entry.element,
                            entry.level, *window)
                     : kEmpty;
    for (; at != kEmpty; at = fields_[at].next) {
      const auto& field = fields_[at];
      if (field.wanted.extra && *field.wanted.extra != entry.extra) continue;
      auto& first = first_entry[field.payload_slot];
      if (used && first == i) continue;  // two spellings of one payload that are equal
      used = true;
      if (first == kEmpty) {
        first = i;
        found.hits.push_back({field.wanted.payload, i});
        continue;
      }
      auto repeat =
          std::ranges::find(found.duplicates, field.wanted.payload, &DuplicateHit::payload);
      if (repeat == found.duplicates.end()) {
        repeat = found.duplicates.insert(repeat, {field.wanted.payload, {first}});
      }
      if (repeat->entries.back() != i) repeat->entries.push_back(i);
    }
    if (!used) found.unmatched.push_back(i);
  }
  for (std::size_t slot = 0; slot < payloads_.size(); ++slot) {
    if (first_entry[slot] == kEmpty) found.absent.push_back(payloads_[slot]);
  }
  std::ranges::sort(found.duplicates, {},
                    [](const auto& repeat) { return repeat.entries.front(); });
  return found;
}

core::Error ambiguous(const DuplicateHit& duplicate, std::span<const NoaaIdxEntry> entries) {
  const auto& first = entries[duplicate.entries.front()];
  std::string lines;
  for (const auto entry : duplicate.entries) {
    lines += core::text(lines.empty() ? "" : ", ", entries[entry].line);
  }
  return {core::ErrorCode::kCorrupt,
          core::text("ambiguous: ", duplicate.entries.size(), " matches for ", first.element, ":",
                     first.level, ":", first.window, " (lines ", lines, ")")};
}

}  // namespace icefield::grib
