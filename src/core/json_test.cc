#include "core/json.h"

#include <cmath>

#include <gtest/gtest.h>

namespace icefield::core {
namespace {

// Expected texts are what Python 3.12's json.dumps prints for the same value.
TEST(Json, keeps_member_order_and_number_kinds) {
  const auto parsed = Json::parse(R"({"b":1,"a":[1.0,-2,18446744073709551615,null,true]})");
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->dump(), R"({"b":1,"a":[1.0,-2,18446744073709551615,null,true]})");
}

TEST(Json, writes_indented_text_as_python_does) {
  const Json value = Json::object({{"a", Json::array({1, 2.5})}, {"b", Json::Object{}}});
  EXPECT_EQ(value.dump({.indent = 2}), "{\n  \"a\": [\n    1,\n    2.5\n  ],\n  \"b\": {}\n}");
}

TEST(Json, writes_one_line_as_python_does_by_default) {
  const Json value = Json::object({{"z", "\u00e9\U0001F9CA\n"}, {"a", Json::array({1, 2})}});
  EXPECT_EQ(value.dump({.ascii = true, .sort_names = true, .spaced = true}),
            R"({"a": [1, 2], "z": "\u00e9\ud83e\uddca\n"})");
}

TEST(Json, prints_floats_as_python_does) {
  EXPECT_EQ(python_float(6371229), "6371229.0");
  EXPECT_EQ(python_float(1e-5), "1e-05");
  EXPECT_EQ(python_float(0.0001), "0.0001");
  EXPECT_EQ(python_float(1e16), "1e+16");
  EXPECT_EQ(python_float(123456789012345680.0), "1.2345678901234568e+17");
  EXPECT_EQ(python_float(-0.0), "-0.0");
  EXPECT_EQ(python_float(1e22), "1e+22");
  EXPECT_EQ(python_float(9999999999999998.0), "9999999999999998.0");
}

TEST(Json, refuses_what_is_not_json) {
  for (const auto* text : {"", "{", "[1,]", "{\"a\":1,\"a\":2}", "NaN", "{} x", "\"\xff\""}) {
    EXPECT_FALSE(Json::parse(text)) << text;
  }
  EXPECT_FALSE(Json::parse(std::string(100000, '[')));
}

TEST(Json, writes_special_floats_so_that_strict_parsers_read_them) {
  EXPECT_EQ(Json(std::nan("")).dump(), "\"NaN\"");
  EXPECT_EQ(Json(-INFINITY).dump(), "\"-Infinity\"");
}

}  // namespace
}  // namespace icefield::core
