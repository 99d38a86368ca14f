#include "icechunk/session/location_table.h"

#include <gtest/gtest.h>

namespace icefield::icechunk {
namespace {

TEST(LocationTable, gives_one_number_to_one_location_and_identity) {
  LocationTable table;
  const auto first = table.add("vcc://a/x", {});
  EXPECT_EQ(table.add("vcc://a/x", {}), first);
  EXPECT_NE(table.add("vcc://a/x", EntityTag{"e1"}), first);
  EXPECT_NE(table.add("vcc://a/x", EntityTag{"e2"}), table.add("vcc://a/x", EntityTag{"e1"}));
  EXPECT_NE(table.add("vcc://a/x", LastModified{7}), first);
  EXPECT_EQ(table.size(), 4U);
}

TEST(LocationTable, shows_locations_with_their_identity) {
  LocationTable table;
  const auto plain = table.add("vcc://a/x", {});
  const auto tagged = table.add("vcc://a/y", EntityTag{"e"});
  const auto timed = table.add("vcc://a/z", LastModified{9});
  EXPECT_EQ(table.view(plain, {3, 4}).location, "vcc://a/x");
  EXPECT_EQ(table.view(plain, {3, 4}).range, (core::ByteRange{3, 4}));
  EXPECT_EQ(table.view(plain, {3, 4}).entity_tag, "");
  EXPECT_EQ(table.view(tagged, {3, 4}).entity_tag, "e");
  EXPECT_EQ(table.view(timed, {3, 4}).last_modified, 9U);
}

TEST(LocationTable, finds_again_what_a_hundred_thousand_entries_hold) {
  LocationTable table;
  constexpr int kEntries = 100'000;
  for (int i = 0; i < kEntries; ++i) table.add("vcc://a/" + std::to_string(i), {});
  EXPECT_EQ(table.size(), static_cast<std::size_t>(kEntries));
  for (int i = 0; i < kEntries; i += 997) {
    const auto* number = table.find("vcc://a/" + std::to_string(i), {});
    ASSERT_NE(number, nullptr);
    EXPECT_EQ(number->value(), static_cast<std::uint32_t>(i));
  }
  EXPECT_EQ(table.find("vcc://a/none", {}), nullptr);
}

}  // namespace
}  // namespace icefield::icechunk
