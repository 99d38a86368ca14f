#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "dataset/variable.h"

namespace icefield::dataset {

/// Match::level_index of a variable without a level dimension.
inline constexpr std::uint32_t kNoLevel = 0xFFFFFFFFU;

/// What one message of a file fills: a variable and, in a vertical group, which level.
struct Match {
  VariableIndex variable = 0;
  std::uint32_t level_index = kNoLevel;  // position on the group's own dimension
  friend constexpr bool operator==(const Match&, const Match&) = default;
};

/// From the words of an index entry to what it fills. One message may fill several variables.
/// Built once per kind of file, then read from any thread; a look-up allocates nothing.
class MatchTable {
 public:
  MatchTable();
  MatchTable(MatchTable&& other) noexcept;
  MatchTable& operator=(MatchTable&& other) noexcept;
  MatchTable(const MatchTable&) = delete;
  MatchTable& operator=(const MatchTable&) = delete;
  ~MatchTable();

  /// Adds one meaning; the order of equal keys is kept. The words are copied.
  void add(std::string_view element, std::string_view level, std::string_view window, Match match);

  /// All that such a message fills, in the order added; empty when none. Valid until the next add.
  std::span<const Match> find(std::string_view element, std::string_view level,
                              std::string_view window) const;

  /// Distinct keys.
  std::size_t size() const;

  /// Calls `visit` for every key and one of its meanings, in no order.
  using Visit = std::function<void(std::string_view element, std::string_view level,
                                   std::string_view window, Match match)>;
  void for_each(const Visit& visit) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace icefield::dataset
