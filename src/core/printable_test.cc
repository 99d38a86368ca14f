#include "core/printable.h"

#include <gtest/gtest.h>

namespace icefield::core {
namespace {

TEST(Printable, leaves_text_and_escapes_what_a_line_cannot_show) {
  struct Case {
    std::string_view text;
    std::string_view shown;
  };
  const Case cases[] = {
      {"", ""},
      {"TMP:2 m above ground", "TMP:2 m above ground"},
      {"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8C\x8D", "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8C\x8D"},
      {"two\nlines", "two; lines"},
      {"problems:\n- one\n- two", "problems: one; two"},
      {"\x1B[31mred\x7F\r\t", "\\x1B[31mred\\x7F\\x0D\\x09"},
      {std::string_view("a\0b", 3),
       "a\\x00"
       "b"},
      {"\xFF\xC0\x80\xC3", "\\xFF\\xC0\\x80\\xC3"},                    // never, overlong, cut short
      {"\xED\xA0\x80\xE0\x80\x80", "\\xED\\xA0\\x80\\xE0\\x80\\x80"},  // surrogate, overlong
      {"\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"},                    // past U+10FFFF
  };
  for (const auto& [text, shown] : cases) EXPECT_EQ(printable(text), shown);
}

}  // namespace
}  // namespace icefield::core
