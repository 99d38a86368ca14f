#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace icefield::core {

/// What the caller can do about it; the text says what happened.
enum class ErrorCode : std::uint8_t {
  kNotFound,         // the object, node or file is absent: often an ordinary answer
  kConflict,         // someone else changed it first: rebase or give up
  kCorrupt,          // bytes do not follow their format: never retry
  kInvalidArgument,  // the request itself is wrong: fix the caller
  kUnsupported,      // valid, but we do not implement it
  kUnavailable,      // the service may answer later: retry with backoff
  kUnknownOutcome,   // a write was sent, its answer was lost: read back before retrying
  kPermissionDenied,
  kCancelled,
};

class [[nodiscard]] Error {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

  ErrorCode code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }

  /// Adds what was being done, outermost first: "open repo: read refs: HTTP 403".
  Error within(std::string_view doing) && {
    message_.insert(0, std::string(doing) + ": ");
    return std::move(*this);
  }

 private:
  ErrorCode code_;
  std::string message_;
};

/// A value or an Error. Spelled like std::expected so that C++23 can replace it.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  bool has_value() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return has_value(); }
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace icefield::core

#define TRY_JOIN_INNER(a, b) a##b
#define TRY_JOIN(a, b) TRY_JOIN_INNER(a, b)
#define TRY_ASSIGN_NAMED(held, declaration, ...) \
  auto held = (__VA_ARGS__);                     \
  if (!held) [[unlikely]]                        \
    return std::move(held).error();              \
  declaration = *std::move(held)

/// TRY_ASSIGN(const auto manifest, read_manifest(id));   value, or return the error
#define TRY_ASSIGN(declaration, ...) \
  TRY_ASSIGN_NAMED(TRY_JOIN(try_result_, __COUNTER__), declaration, __VA_ARGS__)

/// TRY(store.put(key, bytes));   nothing, or return the error
#define TRY(...)                                                   \
  do {                                                             \
    if (auto try_status = (__VA_ARGS__); !try_status) [[unlikely]] \
      return std::move(try_status).error();                        \
  } while (false)
