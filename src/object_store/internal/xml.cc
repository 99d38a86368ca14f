#include "object_store/internal/xml.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "core/text.h"

namespace icefield::object_store {
namespace {

constexpr int kDeepest = 32;
constexpr std::string_view kSpace = " \t\r\n";

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t octet) { out += static_cast<char>(octet); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

bool append_entity(std::string& out, std::string_view name) {
  struct Named {
    std::string_view name;
    char is;
  };
  constexpr Named kNamed[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [known, is] : kNamed) {
    if (name == known) {
      out += is;
      return true;
    }
  }
  if (!name.starts_with('#')) return false;
  name.remove_prefix(1);
  const int base = name.starts_with('x') ? 16 : 10;
  if (base == 16) name.remove_prefix(1);
  std::uint32_t code = 0;
  const auto* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, code, base);
  if (read.ec != std::errc() || read.ptr != end || code > 0x10FFFF) return false;
  append_utf8(out, code);
  return true;
}

class Parser {
 public:
  explicit Parser(std::string_view document) : left_(document) {}

  core::Result<XmlElement> document() {
    XmlElement root;
    TRY(skip_prologue());
    TRY(element(root, 0));
    return root;
  }

 private:
  static core::Error corrupt(std::string_view what) {
    return {core::ErrorCode::kCorrupt, "XML answer: " + std::string(what)};
  }

  void skip_space() {
    const auto at = left_.find_first_not_of(kSpace);
    left_.remove_prefix(at == std::string_view::npos ? left_.size() : at);
  }

  // Takes text up to and with `end`; nullopt when it does not come.
  std::optional<std::string_view> take_until(std::string_view end) {
    const auto at = left_.find(end);
    if (at == std::string_view::npos) return std::nullopt;
    const auto taken = left_.substr(0, at);
    left_.remove_prefix(at + end.size());
    return taken;
  }

  core::Status skip_prologue() {
    if (left_.starts_with("\xEF\xBB\xBF")) left_.remove_prefix(3);
    for (skip_space(); left_.starts_with("<?") || left_.starts_with("<!--"); skip_space()) {
      if (!take_until(left_.starts_with("<?") ? "?>" : "-->"))
        return corrupt("ends in its prologue");
    }
    return {};
  }

  // Precondition: nothing; `depth` counts the elements around.
  core::Status element(XmlElement& into, int depth) {
    if (depth > kDeepest) return corrupt("nests too deep");
    if (!left_.starts_with('<')) return corrupt("no element where one must be");
    left_.remove_prefix(1);
    const auto tag = take_until(">");
    if (!tag || tag->empty() || tag->starts_with('!')) return corrupt("an unfinished tag");
    const bool empty = tag->ends_with('/');
    const auto name = tag->substr(0, tag->find_first_of(" \t\r\n/"));
    if (name.empty()) return corrupt("a tag without a name");
    into.name =
        std::string(name.substr(name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1));
    if (empty) return {};
    return content(into, name, depth);
  }

  core::Status content(XmlElement& into, std::string_view name, int depth) {
    for (;;) {
      const auto at = left_.find('<');
      if (at == std::string_view::npos) return corrupt("ends inside " + std::string(name));
      TRY(append_text(into.text, left_.substr(0, at)));
      left_.remove_prefix(at);
      if (left_.starts_with("</")) {
        left_.remove_prefix(2);
        const auto closing = take_until(">");
        if (!closing || closing->substr(0, closing->find_first_of(kSpace)) != name) {
          return corrupt("the end of " + std::string(name) + " is missing");
        }
        return {};
      }
      if (left_.starts_with("<!--")) {
        if (!take_until("-->")) return corrupt("an unfinished comment");
      } else if (left_.starts_with("<![CDATA[")) {
        left_.remove_prefix(9);
        const auto plain = take_until("]]>");
        if (!plain) return corrupt("unfinished CDATA");
        into.text += *plain;
      } else {
        into.children.emplace_back();
        TRY(element(into.children.back(), depth + 1));
      }
    }
  }

  static core::Status append_text(std::string& out, std::string_view raw) {
    while (!raw.empty()) {
      const auto mark = raw.find('&');
      out += raw.substr(0, mark);
      if (mark == std::string_view::npos) return {};
      raw.remove_prefix(mark + 1);
      const auto end = raw.find(';');
      if (end == std::string_view::npos || !append_entity(out, raw.substr(0, end))) {
        return corrupt("an unknown entity");
      }
      raw.remove_prefix(end + 1);
    }
    return {};
  }

  std::string_view left_;
};

}  // namespace

const XmlElement* XmlElement::child(std::string_view wanted) const {
  const auto at = std::ranges::find(children, wanted, &XmlElement::name);
  return at == children.end() ? nullptr : &*at;
}

std::string_view XmlElement::text_of(std::string_view wanted) const {
  const auto* const found = child(wanted);
  return found == nullptr ? std::string_view() : std::string_view(found->text);
}

core::Result<XmlElement> parse_xml(std::string_view document) {
  return Parser(document).document();
}

std::string xml_escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += core::text("&#", static_cast<int>(c), ";");
        } else {
          out += c;
        }
    }
  }
  return out;
}

}  // namespace icefield::object_store
