#include "icechunk/format/ids.h"

#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

namespace icefield::icechunk {
namespace {

static_assert(!std::is_constructible_v<SnapshotId, ManifestId>);  // a mix-up does not compile

struct TextCase {
  std::vector<std::uint8_t> bytes;
  std::string text;
};

// columns: bytes, text; from the format's description
const TextCase kTextCases[] = {
    {{0x0b, 0x1c, 0xc8, 0xd6, 0x78, 0x75, 0x80, 0xf0, 0xe3, 0x3a, 0x65, 0x34},
     "1CECHNKREP0F1RSTCMT0"},
    {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, "000G40R40M30E209185G"},
    {std::vector<std::uint8_t>(12, 0xFF), "ZZZZZZZZZZZZZZZZZZZG"},
    {{0x49, 0x33, 0x16, 0x25, 0x97, 0x8a, 0x33, 0x81}, "94SHC9CQH8SR2"},
    {std::vector<std::uint8_t>(8, 0xFF), "ZZZZZZZZZZZZY"},
};

TEST(Crockford, turns_bytes_into_text_and_back) {
  for (const TextCase& one : kTextCases) {
    EXPECT_EQ(crockford_text(one.bytes), one.text);
    std::vector<std::uint8_t> back(one.bytes.size());
    EXPECT_TRUE(parse_crockford(one.text, back)) << one.text;
    EXPECT_EQ(back, one.bytes);
  }
}

TEST(Ids, read_leniently_and_write_upper_case) {
  EXPECT_EQ(SnapshotId::parse("1CECHNKREP0F1RSTCMT0"), kInitialSnapshotId);
  EXPECT_EQ(SnapshotId::parse("icechnkrepOf1rstcmto"), kInitialSnapshotId);
  EXPECT_EQ(SnapshotId::parse("lcechnkrep0flrstcmt0"), kInitialSnapshotId);
  EXPECT_EQ(kInitialSnapshotId.text(), "1CECHNKREP0F1RSTCMT0");
}

TEST(Ids, refuse_what_is_no_id) {
  for (const char* text : {"", "1CECHNKREP0F1RSTCMT", "1CECHNKREP0F1RSTCMT00",
                           "1CECHNKREP0F1RSTCMTU",   // U is no digit
                           "1CECHNKREP0F1RSTCMT1"})  // filling bits set
    EXPECT_FALSE(SnapshotId::parse(text)) << text;
  EXPECT_FALSE(NodeId::parse("1CECHNKREP0F1RSTCMT0"));
}

TEST(Ids, follow_each_other_in_the_order_of_bytes) {
  EXPECT_EQ(NodeId({0, 0, 0, 0, 0, 0, 0, 1}).successor(), NodeId({0, 0, 0, 0, 0, 0, 0, 2}));
  EXPECT_EQ(NodeId({7, 0, 0, 0, 0, 0xFE, 0xFF, 0xFF}).successor(),
            NodeId({7, 0, 0, 0, 0, 0xFF, 0, 0}));
  const NodeId last({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF});
  EXPECT_EQ(last.successor(), NodeId());
}

TEST(Ids, are_random_hashable_and_ordered_by_bytes) {
  std::unordered_set<NodeId> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(NodeId::random());
  EXPECT_EQ(seen.size(), 1000U);
  EXPECT_LT(NodeId({0, 0xFF}), NodeId({1, 0}));
}

}  // namespace
}  // namespace icefield::icechunk
