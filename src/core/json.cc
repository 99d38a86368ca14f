#include "core/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "core/text.h"

namespace icefield::core {

bool Json::is_integer() const {
  return std::holds_alternative<std::int64_t>(value_) ||
         std::holds_alternative<std::uint64_t>(value_);
}

bool Json::is_unsigned() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value >= 0;
  return std::holds_alternative<std::uint64_t>(value_);
}

std::int64_t Json::as_int64() const {
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) {
    return static_cast<std::int64_t>(*value);
  }
  return std::get<std::int64_t>(value_);
}

std::uint64_t Json::as_uint64() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) {
    return static_cast<std::uint64_t>(*value);
  }
  return std::get<std::uint64_t>(value_);
}

double Json::as_double() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*value);
  return std::get<double>(value_);
}

const Json* Json::find(std::string_view name) const {
  const auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return nullptr;
  const auto found = std::ranges::find(*object, name, &Member::first);
  return found == object->end() ? nullptr : &found->second;
}

Json* Json::find(std::string_view name) {
  return const_cast<Json*>(std::as_const(*this).find(name));  // NOLINT: this is not const
}

void Json::set(std::string_view name, Json value) {
  if (is_null()) value_ = Object{};
  if (Json* const there = find(name)) {
    *there = std::move(value);
  } else {
    as_object().emplace_back(std::string(name), std::move(value));
  }
}

void Json::erase(std::string_view name) {
  if (!is_object()) return;
  std::erase_if(as_object(), [name](const Member& member) { return member.first == name; });
}

bool operator==(const Json& left, const Json& right) {
  if (left.is_integer() && right.is_integer()) {
    return left.is_unsigned() == right.is_unsigned() && left.as_uint64() == right.as_uint64();
  }
  return left.value_ == right.value_;
}

namespace {

/// Builds a Json from the parser's events; refuses deep nesting and repeated names.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override {
    if (value <= static_cast<std::uint64_t>(INT64_MAX))
      return add(static_cast<std::int64_t>(value));
    return add(value);
  }
  bool number_float(double value, const std::string& /*text*/) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(nlohmann::json::binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open(Json::Object{}); }
  bool key(std::string& name) override {
    if (open_.back().first.find(name) != nullptr) {
      problem_ = "repeated name '" + name + "'";
      return false;
    }
    open_.back().second = std::move(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*size*/) override { return open(Json::Array{}); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::json::exception& /*why*/) override {
    problem_ = text("at byte ", position, ", near '", token, "'");
    return false;
  }

  Json take() { return std::move(root_); }
  const std::string& problem() const { return problem_; }

 private:
  static constexpr std::size_t kDeepest = 200;

  bool add(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    auto& [container, name] = open_.back();
    if (container.is_array()) {
      container.as_array().push_back(std::move(value));
    } else {
      container.as_object().emplace_back(std::move(name), std::move(value));
    }
    return true;
  }
  bool open(Json container) {
    if (open_.size() >= kDeepest) {
      problem_ = "nested too deep";
      return false;
    }
    open_.emplace_back(std::move(container), std::string());
    return true;
  }
  bool close() {
    Json done = std::move(open_.back().first);
    open_.pop_back();
    return add(std::move(done));
  }

  std::vector<std::pair<Json, std::string>> open_;  // containers not yet closed, pending name
  Json root_;
  std::string problem_;
};

/// Decodes one UTF-8 sequence at text[at]; advances `at`. Broken input gives U+FFFD.
std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  const std::size_t length = lead < 0x80U ? 1 : lead < 0xE0U ? 2 : lead < 0xF0U ? 3 : 4;
  if (length == 1 || at + length > text.size() || lead < 0xC0U) {
    ++at;
    return lead < 0x80U ? lead : 0xFFFDU;
  }
  std::uint32_t point = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) point = (point << 6U) | (byte(at + i) & 0x3FU);
  at += length;
  return point;
}

void append_escape(std::string& out, std::uint32_t unit) {
  std::array<char, 8> buffer{};
  const int size = std::snprintf(buffer.data(), buffer.size(), "\\u%04x", unit);
  out.append(buffer.data(), static_cast<std::size_t>(size));
}

void append_code_point_escaped(std::string& out, std::uint32_t point) {
  if (point < 0x10000U) return append_escape(out, point);
  append_escape(out, 0xD800U + ((point - 0x10000U) >> 10U));
  append_escape(out, 0xDC00U + ((point - 0x10000U) & 0x3FFU));
}

void append_string(std::string& out, std::string_view text, bool ascii) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const auto code = static_cast<unsigned char>(c);
    constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
    constexpr std::string_view kLetters = "\"\\bfnrt";
    if (const auto named = kNamed.find(c); named != std::string_view::npos) {
      out += '\\';
      out += kLetters[named];
      ++at;
    } else if (code < 0x20U) {
      append_escape(out, code);
      ++at;
    } else if (ascii && code > 0x7EU) {
      append_code_point_escaped(out, next_code_point(text, at));
    } else {
      out += c;
      ++at;
    }
  }
  out += '"';
}

class Writer {
 public:
  explicit Writer(const Json::DumpOptions& options) : options_(options) {}

  void write(const Json& value, int depth) {
    if (value.is_null()) {
      out_ += "null";
    } else if (value.is_bool()) {
      out_ += value.as_bool() ? "true" : "false";
    } else if (value.is_integer()) {
      out_ += value.is_unsigned() ? std::to_string(value.as_uint64())
                                  : std::to_string(value.as_int64());
    } else if (value.is_double()) {
      write_double(value.as_double());
    } else if (value.is_string()) {
      append_string(out_, value.as_string(), options_.ascii);
    } else if (value.is_array()) {
      write_array(value.as_array(), depth);
    } else {
      write_object(value.as_object(), depth);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void write_double(double value) {
    if (std::isfinite(value)) {
      out_ += python_float(value);
      return;
    }
    const std::string_view token = std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
    if (options_.nan_tokens) {
      out_ += token;
    } else {
      append_string(out_, token, true);
    }
  }

  void write_array(const Json::Array& items, int depth) {
    if (items.empty()) {
      out_ += "[]";
      return;
    }
    out_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      separate(i != 0, depth + 1);
      write(items[i], depth + 1);
    }
    finish(depth, ']');
  }

  void write_object(const Json::Object& members, int depth) {
    if (members.empty()) {
      out_ += "{}";
      return;
    }
    std::vector<const Json::Member*> order;
    for (const auto& member : members) order.push_back(&member);
    if (options_.sort_names) {
      std::ranges::sort(order, {}, [](const Json::Member* member) { return member->first; });
    }
    out_ += '{';
    for (std::size_t i = 0; i < order.size(); ++i) {
      separate(i != 0, depth + 1);
      append_string(out_, order[i]->first, options_.ascii);
      out_ += options_.indent >= 0 || options_.spaced ? ": " : ":";
      write(order[i]->second, depth + 1);
    }
    finish(depth, '}');
  }

  void separate(bool comma, int depth) {
    if (comma) out_ += options_.spaced && options_.indent < 0 ? ", " : ",";
    if (options_.indent >= 0) newline(depth);
  }
  void finish(int depth, char closing) {
    if (options_.indent >= 0) newline(depth);
    out_ += closing;
  }
  void newline(int depth) {
    out_ += '\n';
    out_.append(static_cast<std::size_t>(depth * options_.indent), ' ');
  }

  const Json::DumpOptions& options_;
  std::string out_;
};

}  // namespace

Result<Json> Json::parse(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text, &builder)) {
    return Error(ErrorCode::kCorrupt, "not valid JSON: " + builder.problem());
  }
  return builder.take();
}

std::string Json::dump(const DumpOptions& options) const {
  Writer writer(options);
  writer.write(*this, 0);
  return writer.take();
}

std::string python_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 40> buffer{};
  const double size = std::fabs(value);
  const bool scientific = size != 0 && (size < 1e-4 || size >= 1e16);
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                    scientific ? std::chars_format::scientific : std::chars_format::fixed)
          .ptr;
  std::string out(buffer.data(), end);
  if (!scientific && out.find('.') == std::string::npos) out += ".0";
  return out;
}

}  // namespace icefield::core
