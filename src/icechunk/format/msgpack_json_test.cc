#include "icechunk/format/msgpack_json.h"

#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include "core/bytes.h"

namespace icefield::icechunk {
namespace {

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

class ReadMsgpack : public testing::TestWithParam<ReadCase> {};
TEST_P(ReadMsgpack, gives_its_json) {
  const auto value = decode_msgpack(GetParam().buffer);
  ASSERT_TRUE(value) << value.error().message();
  EXPECT_EQ(value->dump(), GetParam().json);
}

// columns: name, bytes by the MessagePack specification, JSON
INSTANTIATE_TEST_SUITE_P(
    , ReadMsgpack,
    testing::Values(
        ReadCase{"nil", bytes({0xC0}), "null"}, ReadCase{"false", bytes({0xC2}), "false"},
        ReadCase{"true", bytes({0xC3}), "true"}, ReadCase{"fixint", bytes({0x7F}), "127"},
        ReadCase{"negative_fixint", bytes({0xE0}), "-32"},
        ReadCase{"uint8", bytes({0xCC, 0xFF}), "255"},
        ReadCase{"uint16", bytes({0xCD, 1, 0}), "256"},
        ReadCase{"uint32", bytes({0xCE, 0xFF, 0xFF, 0xFF, 0xFF}), "4294967295"},
        ReadCase{"uint64", bytes({0xCF, 255, 255, 255, 255, 255, 255, 255, 255}),
                 "18446744073709551615"},
        ReadCase{"int8", bytes({0xD0, 0x80}), "-128"},
        ReadCase{"int16", bytes({0xD1, 0xFF, 0}), "-256"},
        ReadCase{"int32", bytes({0xD2, 0x80, 0, 0, 0}), "-2147483648"},
        ReadCase{"int64", bytes({0xD3, 255, 255, 255, 255, 255, 255, 255, 255}), "-1"},
        ReadCase{"float32", bytes({0xCA, 0x3F, 0xC0, 0, 0}), "1.5"},
        ReadCase{"float64", bytes({0xCB, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0}), "1.5"},
        ReadCase{"fixstr", bytes({0xA2, 'h', 'i'}), "\"hi\""},
        ReadCase{"str8", bytes({0xD9, 2, 'h', 'i'}), "\"hi\""},
        ReadCase{"str16", bytes({0xDA, 0, 1, 'h'}), "\"h\""},
        ReadCase{"bin8", bytes({0xC4, 2, 1, 2}), "[1,2]"},
        ReadCase{"fixarray", bytes({0x92, 1, 0xC0}), "[1,null]"},
        ReadCase{"array16", bytes({0xDC, 0, 1, 5}), "[5]"},
        ReadCase{"fixmap", bytes({0x82, 0xA1, 'b', 1, 0xA1, 'a', 0x90}), "{\"a\":[],\"b\":1}"},
        ReadCase{"map16", bytes({0xDE, 0, 1, 0xA1, 'k', 0xC3}), "{\"k\":true}"}),
    [](const auto& tested) { return tested.param.name; });

struct BadCase {
  std::string name;
  core::Bytes buffer;
  core::ErrorCode code = core::ErrorCode::kCorrupt;
};

class BadMsgpack : public testing::TestWithParam<BadCase> {};
TEST_P(BadMsgpack, is_refused) {
  const auto value = decode_msgpack(GetParam().buffer);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code(), GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(
    , BadMsgpack,
    testing::Values(BadCase{"empty", {}}, BadCase{"cut_number", bytes({0xCD, 1})},
                    BadCase{"cut_text", bytes({0xA3, 'h'})},
                    BadCase{"huge_array", bytes({0xDD, 0xFF, 0xFF, 0xFF, 0xFF, 1})},
                    BadCase{"huge_map", bytes({0xDF, 0xFF, 0xFF, 0xFF, 0xFF, 1})},
                    BadCase{"bytes_after", bytes({0xC0, 0xC0})},
                    BadCase{"not_utf8", bytes({0xA1, 0xFF})},
                    BadCase{"key_not_text", bytes({0x81, 1, 1})},
                    BadCase{"key_twice", bytes({0x82, 0xA1, 'a', 1, 0xA1, 'a', 1})},
                    BadCase{"reserved", bytes({0xC1})},
                    BadCase{"deep", core::Bytes(100, std::byte{0x91})},
                    BadCase{"extension", bytes({0xD4, 1, 1}), core::ErrorCode::kUnsupported}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace icefield::icechunk
