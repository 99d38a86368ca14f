#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/result.h"

namespace icefield::core {

/// A JSON value that keeps the order of object members and tells integers from floats.
/// Doubles may be NaN or infinite in memory; dump() writes those as the tokens Python writes
/// (NaN, Infinity) only when DumpOptions allows it, else as strings "NaN", "Infinity".
class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;  // in document order; names unique

  Json() = default;                                             // null
  Json(std::nullptr_t) {}                                       // NOLINT: implicit by intent
  Json(bool value) : value_(value) {}                           // NOLINT
  Json(int value) : value_(std::int64_t{value}) {}              // NOLINT
  Json(std::int64_t value) : value_(value) {}                   // NOLINT
  Json(std::uint64_t value) : value_(value) {}                  // NOLINT
  Json(std::uint32_t value) : value_(std::int64_t{value}) {}    // NOLINT
  Json(double value) : value_(value) {}                         // NOLINT
  Json(const char* value) : value_(std::string(value)) {}       // NOLINT
  Json(std::string_view value) : value_(std::string(value)) {}  // NOLINT
  Json(std::string value) : value_(std::move(value)) {}         // NOLINT
  Json(Array value) : value_(std::move(value)) {}               // NOLINT
  Json(Object value) : value_(std::move(value)) {}              // NOLINT

  /// An object with members in the order given: Json::object({{"a", 1}, {"b", "x"}}).
  static Json object(std::initializer_list<Member> members) { return Object(members); }
  static Json array(std::initializer_list<Json> items) { return Array(items); }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_integer() const;  // held as int64 or uint64
  bool is_number() const { return is_integer() || std::holds_alternative<double>(value_); }
  bool is_double() const { return std::holds_alternative<double>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }

  /// Preconditions: the matching is_...() holds. Integers convert between signs by value;
  /// as_double() also takes integers.
  bool as_bool() const { return std::get<bool>(value_); }
  std::int64_t as_int64() const;
  std::uint64_t as_uint64() const;
  bool is_unsigned() const;  // an integer >= 0: as_uint64() is exact
  double as_double() const;
  const std::string& as_string() const { return std::get<std::string>(value_); }
  const Array& as_array() const { return std::get<Array>(value_); }
  Array& as_array() { return std::get<Array>(value_); }
  const Object& as_object() const { return std::get<Object>(value_); }
  Object& as_object() { return std::get<Object>(value_); }

  /// The member's value, or nullptr when this is no object or has no such member.
  const Json* find(std::string_view name) const;
  Json* find(std::string_view name);

  /// Sets or appends a member. A null value becomes an object first.
  void set(std::string_view name, Json value);

  /// Removes a member; absent is fine.
  void erase(std::string_view name);

  friend bool operator==(const Json& left, const Json& right);

  /// Parses one document. Errors: kCorrupt with the position; nesting is limited to 200.
  /// Numbers without '.', 'e' that fit 64 bits become integers. Duplicate names are errors.
  static Result<Json> parse(std::string_view text);

  struct DumpOptions {
    int indent = -1;          // spaces per level as Python's json.dumps(indent=n); -1: one line
    bool ascii = false;       // escape everything above 0x7E as \uXXXX (surrogate pairs)
    bool sort_names = false;  // members by code point order of their names
    bool spaced = false;      // ", " and ": " on one line, as Python's defaults; else "," and ":"
    bool nan_tokens = false;  // NaN, Infinity, -Infinity as bare tokens
  };
  /// Text as Python's json module formats it: shortest round-trip floats ("6371229.0", "1e-05").
  std::string dump(const DumpOptions& options) const;
  std::string dump() const { return dump(DumpOptions{}); }

 private:
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array,
               Object>
      value_;
};

/// A double as Python's repr prints it: "0.1", "1e-05", "1e+16", "nan".
std::string python_float(double value);

}  // namespace icefield::core
