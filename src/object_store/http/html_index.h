#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icefield::object_store {

/// Names of the files and folders (with '/' behind) that an index page links to, sorted by bytes,
/// each once. Only links to direct children of the page's own folder count: relative names, or
/// absolute paths and URLs below `page_url` (ending in '/'). Links with a query (sorting by
/// column), to parents and to other places are left out. Names are percent-decoded.
std::vector<std::string> read_html_index(std::string_view html, std::string_view page_url);

}  // namespace icefield::object_store
