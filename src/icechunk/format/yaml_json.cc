#include "icechunk/format/yaml_json.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/text.h"

namespace icefield::icechunk {
namespace {

using core::Json;

constexpr unsigned kMaxDepth = 64;

struct Line {
  std::size_t indent = 0;
  std::string_view text = {};  // without indentation, never empty
  std::size_t number = 0;      // from 1
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \r") - first + 1);
}

bool is_item(std::string_view text) {
  return text == "-" || text.starts_with("- ");
}

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

Json plain_scalar(std::string_view text) {
  if (text.empty() || text == "null" || text == "~") return {};
  if (text == "true") return Json(true);
  if (text == "false") return Json(false);
  if (const auto whole = number_of<std::uint64_t>(text)) return Json(*whole);
  if (const auto whole = number_of<std::int64_t>(text)) return Json(*whole);
  const bool numeric = text.find_first_not_of("+-.0123456789eE") == std::string_view::npos &&
                       text.find_first_of("0123456789") != std::string_view::npos;
  if (numeric) {
    if (const auto real = number_of<double>(text)) return Json(*real);
  }
  return Json(text);
}

/// Where a quoted text ends (behind its last quote), or npos.
std::size_t end_of_quoted(std::string_view text) {
  const char quote = text[0];
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      const bool doubled = quote == '\'' && at + 1 < text.size() && text[at + 1] == quote;
      if (!doubled) return at + 1;
      ++at;
    }
  }
  return std::string_view::npos;
}

class Parser {
 public:
  explicit Parser(std::vector<Line> lines) : lines_(std::move(lines)) {}

  core::Result<Json> parse() {
    if (lines_.empty()) return Json();
    TRY_ASSIGN(auto value, block(lines_[0].indent, 0));
    if (at_ < lines_.size()) return refuse("an indentation that fits nothing");
    return value;
  }

 private:
  core::Error refuse(std::string_view why) const {
    const std::size_t line = lines_[std::min(at_, lines_.size() - 1)].number;
    return core::Error(core::ErrorCode::kCorrupt, core::text("YAML, line ", line, ": ", why));
  }

  bool more_at(std::size_t indent) const {
    return at_ < lines_.size() && lines_[at_].indent == indent;
  }

  /// What stands at the present line and those that are indented as it is.
  core::Result<Json> block(std::size_t indent, unsigned depth) {
    if (depth > kMaxDepth) return refuse("nested too deeply");
    const std::string_view text = lines_[at_].text;
    if (is_item(text)) return sequence(indent, depth);
    const bool member = !text.starts_with('!') && key_end(text) != std::string_view::npos;
    if (member) return mapping(indent, depth);
    return value(text, {.least = indent}, depth);
  }

  core::Result<Json> sequence(std::size_t indent, unsigned depth) {
    Json::Array items;
    while (more_at(indent) && is_item(lines_[at_].text)) {
      Line& line = lines_[at_];
      const std::string_view rest = line.text.substr(1);
      const std::string_view content = trimmed(rest);
      if (content.empty()) {
        TRY_ASSIGN(auto item, value({}, {.least = indent + 1}, depth));
        items.push_back(std::move(item));
        continue;
      }
      // The item's content is a block of its own, as far in as it stands.
      line.indent = indent + 1 + rest.find_first_not_of(' ');
      line.text = content;
      TRY_ASSIGN(auto item, block(line.indent, depth + 1));
      items.push_back(std::move(item));
    }
    return Json(std::move(items));
  }

  core::Result<Json> mapping(std::size_t indent, unsigned depth) {
    Json::Object members;
    while (more_at(indent) && !is_item(lines_[at_].text)) {
      const std::string_view text = lines_[at_].text;
      const std::size_t end = key_end(text);
      if (end == std::string_view::npos) return refuse("no key");
      TRY_ASSIGN(auto key, scalar(trimmed(text.substr(0, end))));
      std::string name = key.is_string() ? key.as_string() : std::string(text.substr(0, end));
      TRY_ASSIGN(auto member, value(trimmed(text.substr(end + 1)),
                                    {.least = indent + 1, .items_before = true}, depth));
      members.emplace_back(std::move(name), std::move(member));
    }
    std::vector<std::string_view> names;
    for (const auto& [name, value] : members) names.push_back(name);
    std::ranges::sort(names);
    if (std::ranges::adjacent_find(names) != names.end()) return refuse("a key stands twice");
    return Json(std::move(members));
  }

  /// How far in the lines of a value stand that is not on the line of its key, dash or tag.
  struct Below {
    std::size_t least = 0;
    bool items_before = false;  // items of a sequence may stand one less, as far in as the key
  };

  /// A value of which `rest` stands on the present line; what does not, stands below.
  core::Result<Json> value(std::string_view rest, Below below, unsigned depth) {
    if (depth > kMaxDepth) return refuse("nested too deeply");
    if (rest.starts_with('!')) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      const std::string tag(rest.substr(1, end - 1));
      if (tag.empty() || tag.starts_with('!')) return refuse("a tag without name");
      TRY_ASSIGN(auto tagged, value(trimmed(rest.substr(end)), below, depth + 1));
      return Json::object({{tag, std::move(tagged)}});
    }
    if (!rest.empty() && !rest.starts_with('#')) {
      auto found = scalar(rest);
      ++at_;
      return found;
    }
    ++at_;
    if (at_ >= lines_.size()) return Json();
    const Line& next = lines_[at_];
    const bool inside =
        next.indent >= below.least ||
        (below.items_before && next.indent + 1 == below.least && is_item(next.text));
    if (!inside) return Json();
    return block(next.indent, depth + 1);
  }

  core::Result<Json> scalar(std::string_view text) const {
    if (text.empty()) return Json();
    if (text[0] == '\'' || text[0] == '"') return quoted(text);
    if (const auto comment = text.find(" #"); comment != std::string_view::npos) {
      text = trimmed(text.substr(0, comment));
    }
    if (text == "{}") return Json(Json::Object{});
    if (text == "[]") return Json(Json::Array{});
    if (std::string_view("{[&*|>%@`").find(text[0]) != std::string_view::npos) {
      return refuse("a kind of value that is not read");
    }
    return plain_scalar(text);
  }

  core::Result<Json> quoted(std::string_view text) const {
    const std::size_t end = end_of_quoted(text);
    if (end == std::string_view::npos) return refuse("a text without its closing quote");
    const std::string_view behind = trimmed(text.substr(end));
    if (!behind.empty() && behind[0] != '#') return refuse("something behind a quoted text");
    if (text[0] == '"') {  // its escapes are those of JSON but for a few that no writer uses
      auto value = Json::parse(text.substr(0, end));
      if (!value) return refuse("an escape that is not read");
      return value;
    }
    std::string made;
    for (std::size_t at = 1; at + 1 < end; ++at) {
      made += text[at];
      if (text[at] == '\'') ++at;  // a quote is doubled
    }
    return Json(std::move(made));
  }

  /// The colon behind a key, or npos when the line is no member of a mapping.
  static std::size_t key_end(std::string_view text) {
    std::size_t from = 0;
    if (text[0] == '\'' || text[0] == '"') {
      from = end_of_quoted(text);
      if (from == std::string_view::npos) return from;
    }
    for (std::size_t at = from; at < text.size(); ++at) {
      if (text[at] == ':' && (at + 1 == text.size() || text[at + 1] == ' ')) return at;
      if (text[at] == '#' && at > 0 && text[at - 1] == ' ') break;
    }
    return std::string_view::npos;
  }

  std::vector<Line> lines_;
  std::size_t at_ = 0;
};

}  // namespace

core::Result<core::Json> parse_yaml(std::string_view text) {
  std::vector<Line> lines;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view content = trimmed(whole);
    if (content.empty() || content[0] == '#' || (content == "---" && lines.empty())) continue;
    if (content[0] == '\t') {
      return core::Error(core::ErrorCode::kCorrupt,
                         core::text("YAML, line ", number, ": a tab as indentation"));
    }
    lines.push_back({.indent = whole.find_first_not_of(' '), .text = content, .number = number});
  }
  return Parser(std::move(lines)).parse();
}

}  // namespace icefield::icechunk
