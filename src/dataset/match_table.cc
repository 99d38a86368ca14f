#include "dataset/match_table.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace icefield::dataset {
namespace {

struct Words {
  std::string_view element;
  std::string_view level;
  std::string_view window;
  friend bool operator==(const Words&, const Words&) = default;
};

struct OwnedWords {
  std::string element;
  std::string level;
  std::string window;
  Words view() const { return {element, level, window}; }
};

struct HashWords {
  using is_transparent = void;
  std::size_t operator()(const Words& words) const {
    const std::hash<std::string_view> hash;
    constexpr std::size_t kMultiplier = 0x9E3779B97F4A7C15ULL;
    std::size_t mixed = hash(words.element);
    mixed = (mixed ^ (mixed >> 29U)) * kMultiplier + hash(words.level);
    return (mixed ^ (mixed >> 29U)) * kMultiplier + hash(words.window);
  }
  std::size_t operator()(const OwnedWords& words) const { return (*this)(words.view()); }
};

struct EqualWords {
  using is_transparent = void;
  bool operator()(const OwnedWords& a, const OwnedWords& b) const { return a.view() == b.view(); }
  bool operator()(const OwnedWords& a, const Words& b) const { return a.view() == b; }
  bool operator()(const Words& a, const OwnedWords& b) const { return a == b.view(); }
};

}  // namespace

struct MatchTable::State {
  std::unordered_map<OwnedWords, std::vector<Match>, HashWords, EqualWords> rows;
};

MatchTable::MatchTable() : state_(std::make_unique<State>()) {}
MatchTable::MatchTable(MatchTable&& other) noexcept = default;
MatchTable& MatchTable::operator=(MatchTable&& other) noexcept = default;
MatchTable::~MatchTable() = default;

void MatchTable::add(std::string_view element, std::string_view level, std::string_view window,
                     Match match) {
  state_->rows[{std::string(element), std::string(level), std::string(window)}].push_back(match);
}

std::span<const Match> MatchTable::find(std::string_view element, std::string_view level,
                                        std::string_view window) const {
  const auto found = state_->rows.find(Words{element, level, window});
  if (found == state_->rows.end()) return {};
  return found->second;
}

void MatchTable::for_each(const Visit& visit) const {
  for (const auto& [words, matches] : state_->rows) {
    for (const auto& match : matches) visit(words.element, words.level, words.window, match);
  }
}

std::size_t MatchTable::size() const {
  return state_->rows.size();
}

}  // namespace icefield::dataset
