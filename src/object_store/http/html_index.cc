#include "object_store/http/html_index.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "object_store/http/url.h"
#include "object_store/internal/percent.h"

namespace icefield::object_store {
namespace {

bool starts_with_any_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), [](char wanted, char found) {
           return wanted == std::tolower(static_cast<unsigned char>(found));
         });
}

std::string unescaped(std::string_view text) {
  std::string out(text);
  for (auto at = out.find("&amp;"); at != std::string::npos; at = out.find("&amp;", at + 1)) {
    out.erase(at + 1, 4);
  }
  return out;
}

// The value of href at the start of `text` (behind "href"), in quotes or without.
std::optional<std::string> href_value(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  if (!text.starts_with('=')) return std::nullopt;
  text.remove_prefix(1);
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  if (text.empty()) return std::nullopt;
  const char quote = text.front();
  if (quote == '"' || quote == '\'') {
    const auto end = text.find(quote, 1);
    if (end == std::string_view::npos) return std::nullopt;
    return unescaped(text.substr(1, end - 1));
  }
  return unescaped(text.substr(0, text.find_first_of(" \t\r\n>")));
}

// "name" or "name/" when the link leads to a direct child of the page's folder.
std::optional<std::string> child_name(std::string link, std::string_view page_url) {
  if (link.find_first_of("?#") != std::string::npos) return std::nullopt;
  const auto page = parse_url(page_url);
  if (!page) return std::nullopt;
  if (link.find("://") != std::string::npos) {
    if (!link.starts_with(page->origin())) return std::nullopt;
    link.erase(0, page->origin().size());
  }
  if (link.starts_with('/')) {
    if (!link.starts_with(page->path)) return std::nullopt;
    link.erase(0, page->path.size());
  }
  while (link.starts_with("./")) link.erase(0, 2);
  auto name = percent_decode(link);
  if (!name) return std::nullopt;
  const auto slash = name->find('/');
  const auto stem = name->substr(0, slash);
  if (stem.empty() || stem == "." || stem == ".." || stem.find(':') != std::string::npos) {
    return std::nullopt;
  }
  if (slash != std::string::npos && slash + 1 != name->size()) return std::nullopt;
  return *std::move(name);
}

}  // namespace

std::vector<std::string> read_html_index(std::string_view html, std::string_view page_url) {
  std::vector<std::string> names;
  for (std::size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at + 1)) {
    const auto tag = html.substr(at, html.find('>', at) - at);
    if (!starts_with_any_case(tag, "<a")) continue;
    for (std::size_t i = 2; i + 4 < tag.size(); ++i) {
      if (!starts_with_any_case(tag.substr(i), "href")) continue;
      if (auto link = href_value(tag.substr(i + 4))) {
        if (auto name = child_name(*std::move(link), page_url)) names.push_back(*std::move(name));
      }
      break;
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace icefield::object_store
