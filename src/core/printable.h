#pragma once

#include <string>
#include <string_view>

namespace icefield::core {

/// Text of unknown origin (a file's content or name, an argument) made safe for one line of a
/// terminal, a log or a JSON document: a line break, with the "- " of a list item behind it,
/// becomes "; " (a blank after a colon); other control octets and octets that are not UTF-8 become
/// \xNN.
std::string printable(std::string_view whole);

}  // namespace icefield::core
