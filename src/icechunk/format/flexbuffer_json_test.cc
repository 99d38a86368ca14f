#include "icechunk/format/flexbuffer_json.h"

#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace icefield::icechunk {
namespace {

using core::Json;

core::Bytes bytes(std::initializer_list<int> values) {
  core::Bytes made;
  for (const int value : values) made.push_back(static_cast<std::byte>(value));
  return made;
}

struct ReadCase {
  std::string name;
  core::Bytes buffer;
  std::string json;
};

class ReadFlexbuffer : public testing::TestWithParam<ReadCase> {};
TEST_P(ReadFlexbuffer, gives_its_json) {
  const auto value = decode_flexbuffer(GetParam().buffer);
  ASSERT_TRUE(value) << value.error().message();
  EXPECT_EQ(value->dump(), GetParam().json);
}

// columns: name, buffer by the FlexBuffers description, JSON. The last bytes of each buffer: root
// value, its packed type (type << 2 | log2 width), width of the root.
INSTANTIATE_TEST_SUITE_P(
    , ReadFlexbuffer,
    testing::Values(
        ReadCase{"null", bytes({0, 0x00, 1}), "null"},
        ReadCase{"int", bytes({0xFE, 0x04, 1}), "-2"},
        ReadCase{"int_2_bytes", bytes({0x00, 0x80, 0x05, 2}), "-32768"},
        ReadCase{"uint", bytes({0xFE, 0x08, 1}), "254"},
        ReadCase{"uint_8_bytes", bytes({255, 255, 255, 255, 255, 255, 255, 255, 0x0B, 8}),
                 "18446744073709551615"},
        ReadCase{"float_4_bytes", bytes({0, 0, 0xC0, 0x3F, 0x0E, 4}), "1.5"},
        ReadCase{"float_8_bytes", bytes({0, 0, 0, 0, 0, 0, 0xF8, 0x3F, 0x0F, 8}), "1.5"},
        ReadCase{"bool", bytes({1, 0x68, 1}), "true"},
        ReadCase{"string", bytes({2, 'h', 'i', 0, 3, 0x14, 1}), "\"hi\""},
        ReadCase{"key", bytes({'h', 'i', 0, 3, 0x10, 1}), "\"hi\""},
        ReadCase{"indirect_int", bytes({0xFF, 0xFF, 2, 0x19, 1}), "-1"},
        ReadCase{"uint2_vector", bytes({1, 2, 2, 0x44, 1}), "[1,2]"},
        ReadCase{"int3_vector", bytes({1, 0xFF, 3, 3, 0x4C, 1}), "[1,-1,3]"},
        ReadCase{"float4_vector",
                 bytes({0, 0, 0x80, 0x3F, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40, 16,
                        0x62, 1}),
                 "[1.0,2.0,3.0,4.0]"},
        ReadCase{"uint_vector", bytes({5, 1, 2, 3, 4, 5, 5, 0x30, 1}), "[1,2,3,4,5]"},
        ReadCase{"bool_vector", bytes({2, 1, 0, 2, 0x90, 1}), "[true,false]"},
        ReadCase{"key_vector", bytes({'a', 0, 'b', 0, 2, 5, 4, 2, 0x38, 1}), "[\"a\",\"b\"]"},
        ReadCase{"blob", bytes({2, 7, 8, 2, 0x64, 1}), "[7,8]"},
        ReadCase{"vector", bytes({3, 1, 0, 1, 0x08, 0x00, 0x68, 6, 0x28, 1}), "[1,null,true]"},
        ReadCase{"empty_vector", bytes({0, 0, 0x28, 1}), "[]"},
        // {"is_root": true}, from a repo object of the official library
        ReadCase{"map",
                 bytes({'i', 's', '_', 'r', 'o', 'o', 't', 0, 0x01, 0x09, 0x01, 0x01, 0x01, 0x01,
                        0x68, 0x02, 0x24, 0x01}),
                 "{\"is_root\":true}"},
        // the smallest useful configuration, by the official library
        ReadCase{"wide_map",
                 bytes({0x69, 0x6e, 0x6c, 0x69, 0x6e, 0x65, 0x5f, 0x63, 0x68, 0x75, 0x6e,
                        0x6b, 0x5f, 0x74, 0x68, 0x72, 0x65, 0x73, 0x68, 0x6f, 0x6c, 0x64,
                        0x5f, 0x62, 0x79, 0x74, 0x65, 0x73, 0x00, 0x01, 0x1e, 0x00, 0x02,
                        0x00, 0x01, 0x00, 0x01, 0x00, 0x00, 0x02, 0x05, 0x03, 0x25, 0x01}),
                 "{\"inline_chunk_threshold_bytes\":512}"}),
    [](const auto& tested) { return tested.param.name; });

struct BadCase {
  std::string name;
  core::Bytes buffer;
};

class BadFlexbuffer : public testing::TestWithParam<BadCase> {};
TEST_P(BadFlexbuffer, is_refused) {
  const auto value = decode_flexbuffer(GetParam().buffer);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code(), core::ErrorCode::kCorrupt);
}

INSTANTIATE_TEST_SUITE_P(
    , BadFlexbuffer,
    testing::Values(BadCase{"empty", {}}, BadCase{"width_three", bytes({0, 0, 0, 0x04, 3})},
                    BadCase{"width_larger_than_buffer", bytes({0, 0x04, 8})},
                    BadCase{"offset_before_start", bytes({9, 0x14, 1})},
                    BadCase{"string_longer_than_buffer", bytes({200, 'h', 'i', 0, 3, 0x14, 1})},
                    BadCase{"string_without_size", bytes({0, 0x14, 1})},
                    BadCase{"string_not_utf8", bytes({1, 0xFF, 0, 2, 0x14, 1})},
                    BadCase{"vector_longer_than_buffer", bytes({250, 1, 1, 0x28, 1})},
                    BadCase{"vector_that_holds_itself", bytes({2, 0, 0, 0x28, 0x28, 4, 0x28, 1})},
                    BadCase{"float_of_one_byte", bytes({0, 0x0C, 1})},
                    BadCase{"unknown_type", bytes({0, 0x74, 1})},
                    BadCase{"map_without_keys", bytes({1, 1, 0x68, 2, 0x24, 1})},
                    BadCase{"key_without_end", bytes({'a', 1, 0x10, 1})},
                    // {"b": true, "a": true}: bisection would not find its members
                    BadCase{"keys_out_of_order", bytes({'b', 0, 'a', 0, 2, 5, 4, 2, 1, 2, 1, 1,
                                                        0x68, 0x68, 4, 0x24, 1})}),
    [](const auto& tested) { return tested.param.name; });

/// 30 vectors, each holding the one before twice: 2^30 values in 130 bytes.
TEST(FlexbufferBomb, stops_at_what_the_buffer_could_hold) {
  core::Bytes buffer = bytes({0, 0});
  for (int i = 0; i < 30; ++i) {
    // count, two offsets to the elements of the vector before, two types
    const int back = i == 0 ? 0 : 6;
    for (const int b : {2, back - 1, back, 0x28, 0x28}) buffer.push_back(static_cast<std::byte>(b));
  }
  for (const int b : {4, 0x28, 1}) buffer.push_back(static_cast<std::byte>(b));
  EXPECT_FALSE(decode_flexbuffer(buffer));
}

class RoundTrip : public testing::TestWithParam<const char*> {};
TEST_P(RoundTrip, survives) {
  const auto value = Json::parse(GetParam());
  ASSERT_TRUE(value);
  const auto buffer = encode_flexbuffer(*value);
  ASSERT_TRUE(buffer) << buffer.error().message();
  const auto back = decode_flexbuffer(*buffer);
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->dump({.sort_names = true}), value->dump({.sort_names = true}));
}

INSTANTIATE_TEST_SUITE_P(, RoundTrip,
                         testing::Values("null", "[]", "{}",
                                         "[1,-1,1.5,\"x\",null,true,[2],{\"a\":[]}]",
                                         "{\"b\":1,\"a\":{\"z\":\"ü\",\"y\":[[],[[]]]}}",
                                         "18446744073709551615", "-9223372036854775808", "0.1",
                                         "[300,70000,5000000000,-5000000000]",
                                         "{\"same\":{\"same\":{\"same\":\"same\"}}}", "\"\""));

TEST(EncodeFlexbuffer, writes_bytes_that_the_official_reader_was_given) {
  // {"is_root": true} as in a repo object of the official library
  const auto buffer = encode_flexbuffer(Json::object({{"is_root", true}}));
  ASSERT_TRUE(buffer);
  EXPECT_EQ(*buffer, bytes({'i', 's', '_', 'r', 'o', 'o', 't', 0, 0x01, 0x09, 0x01, 0x01, 0x01,
                            0x01, 0x68, 0x02, 0x24, 0x01}));
}

TEST(EncodeFlexbuffer, refuses_names_that_cannot_be_keys) {
  EXPECT_FALSE(encode_flexbuffer(Json(Json::Object{{std::string("a\0b", 3), 1}})));
  EXPECT_FALSE(encode_flexbuffer(Json(Json::Object{{"a", 1}, {"b", 2}, {"a", 3}})));
}

}  // namespace
}  // namespace icefield::icechunk
