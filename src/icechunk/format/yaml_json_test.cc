#include "icechunk/format/yaml_json.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "core/file.h"
#include "icechunk/format/config.h"

namespace icefield::icechunk {
namespace {

std::string parsed(std::string_view yaml) {
  const auto value = parse_yaml(yaml);
  return value ? value->dump() : value.error().message();
}

struct Case {
  const char* yaml;
  const char* json;
};

TEST(Yaml, reads_blocks_scalars_and_tags) {
  const Case cases[] = {
      {"", "null"},
      {"# only a comment\n---\na: 1\n", R"({"a":1})"},
      {"a: 1\nb: -2\nc: 2.5\nd: true\ne: ~\nf:\ng: null\n",
       R"({"a":1,"b":-2,"c":2.5,"d":true,"e":null,"f":null,"g":null})"},
      {"a: 'it''s: # x'\nb: \"q\\\"\\u00e9\"\nc: '12'\nd: a b:c\n",
       R"({"a":"it's: # x","b":"q\"é","c":"12","d":"a b:c"})"},
      {"a: 1 # why\n'b: c': 2\ns3://x/y z/:\n  d: {}\n  e: []\n",
       R"({"a":1,"b: c":2,"s3://x/y z/":{"d":{},"e":[]}})"},
      {"a:\n- 1\n- b: 2\n  c: 3\n-\n- - 4\n  - 5\nd: 6\n",
       R"({"a":[1,{"b":2,"c":3},null,[4,5]],"d":6})"},
      {"a: !one\n  b: 1\nc: !two x\nd: !three\n- !four 4\n- !five\n  e: 5\n",
       R"({"a":{"one":{"b":1}},"c":{"two":"x"},"d":{"three":[{"four":4},{"five":{"e":5}}]}})"},
      {"- 1\n- x\n", R"([1,"x"])"},
      {"18446744073709551615\n", "18446744073709551615"},
      {"a: 1.2.3\nb: 1e3\nc: e\nd: 18446744073709551616\n",
       R"({"a":"1.2.3","b":1000.0,"c":"e","d":1.8446744073709552e+19})"},
      {"a: 1\r\nb: x\r\n", R"({"a":1,"b":"x"})"},
  };
  for (const auto& [yaml, json] : cases) EXPECT_EQ(parsed(yaml), json) << yaml;
}

TEST(Yaml, refuses_what_it_would_misread) {
  for (const std::string& yaml :
       {std::string("a: {b: 1}"), std::string("a: [1]"), std::string("a: &x 1"),
        std::string("a: *x"), std::string("a: |\n  text"), std::string("a: >\n  text"),
        std::string("a: 'open"), std::string("a: 'x' y"), std::string("a: 1\na: 2"),
        std::string("a: 1\n  b: 2"), std::string("a:\n\tb: 1"), std::string("a: !\n"),
        std::string("a: 1\nno key"), std::string("a: \"\\q\""), std::string("  a: 1\nb: 2"),
        "a: " + std::string(200, '!')}) {
    const auto value = parse_yaml(yaml);
    ASSERT_FALSE(value) << yaml << ": " << value->dump();
    EXPECT_EQ(value.error().code(), core::ErrorCode::kCorrupt) << yaml;
  }
}

TEST(Yaml, ends_in_deep_nesting) {
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "- ";
  EXPECT_FALSE(parse_yaml(nested));
  std::string tags = "a: ";
  for (int i = 0; i < 100'000; ++i) tags += "!t ";
  EXPECT_FALSE(parse_yaml(tags));
}

TEST(Yaml, of_the_official_library_is_the_configuration_that_it_stores_as_flexbuffers) {
  const auto folder = std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/icechunk";
  const auto yaml = core::read_file(folder / "config_v1.yaml");
  const auto json = core::read_file(folder / "config_v1.json");
  ASSERT_TRUE(yaml && json);
  const auto config = decode_config_yaml(*yaml);
  ASSERT_TRUE(config) << config.error().message();
  const auto expected = core::Json::parse(core::as_text(*json));
  ASSERT_TRUE(expected);
  EXPECT_EQ(config->json().dump({.sort_names = true}), expected->dump({.sort_names = true}));
  EXPECT_EQ(config->containers().size(), 4U);
}

}  // namespace
}  // namespace icefield::icechunk
