#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace icefield::object_store {

/// An element of a small XML document, as the stores' answers need it: names without namespace
/// prefix, no attributes, text with entities resolved.
struct XmlElement {
  std::string name;
  std::string text;  // of this element, children's left out
  std::vector<XmlElement> children;

  /// The first child of that name, or nullptr.
  const XmlElement* child(std::string_view wanted) const;
  /// Its text, empty when there is none.
  std::string_view text_of(std::string_view wanted) const;
};

/// The document's root. Errors: kCorrupt for what is no well-formed document, has a DOCTYPE, or
/// nests deeper than 32.
core::Result<XmlElement> parse_xml(std::string_view document);

/// Text as XML content: & < > " and control characters escaped.
std::string xml_escape(std::string_view text);

}  // namespace icefield::object_store
