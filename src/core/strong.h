#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <utility>

namespace icefield::core {

/// A value of type T that only mixes with itself. The tag gives it its name.
template <typename Tag, typename T>
class Strong {
 public:
  constexpr Strong() = default;
  constexpr explicit Strong(T value) : value_(std::move(value)) {}
  constexpr const T& value() const noexcept { return value_; }
  friend constexpr auto operator<=>(const Strong&, const Strong&) = default;

 private:
  T value_{};
};

}  // namespace icefield::core

template <typename Tag, typename T>
struct std::hash<icefield::core::Strong<Tag, T>> {
  std::size_t operator()(const icefield::core::Strong<Tag, T>& strong) const {
    return std::hash<T>{}(strong.value());
  }
};
