#include <algorithm>

#include <gtest/gtest.h>

#include "core/parallel.h"
#include "core/text.h"
#include "object_store/testing/expectations.h"

namespace icefield::object_store_testing {
namespace {

using object_store::Key;
using object_store::ListOptions;
using object_store::ListPage;
using object_store::ObjectStore;
using Names = std::vector<std::string>;

// '.' and '-' sort before '/', '0' behind it: an order by folders differs from that of bytes
const Names kTree = {"a",       "dir-x",     "dir.x", "dir/a", "dir/b/c",
                     "dir/b/d", "dir/sub.z", "dir0",  "e/f/g", "z"};

void fill(ObjectStore& store) {
  for (const auto& key : kTree) must_put(store, key, key);
}

struct ListingCase {
  const char* name;
  ListOptions options;
  Names expected;
};

void expect_cases(ObjectStore& store, const StoreTraits& traits,
                  const std::vector<ListingCase>& cases) {
  fill(store);
  for (const auto& tested : cases) {
    if (!traits.byte_order && !tested.options.start_after.empty()) continue;
    auto found = listed(store, tested.options);
    if (!traits.byte_order) std::ranges::sort(found);
    EXPECT_EQ(found, tested.expected) << tested.name;
  }
}

void listing_of_nothing(ObjectStore& store, const StoreTraits& /*traits*/) {
  EXPECT_EQ(listed(store, {}), Names{});
  EXPECT_EQ(listed(store, {.prefix = "no/such/"}), Names{});
  EXPECT_EQ(listed(store, {.prefix = "no", .recursive = false}), Names{});
  must_put(store, "a", "x");
  EXPECT_EQ(listed(store, {.prefix = "a/"}), Names{});
  EXPECT_EQ(listed(store, {.prefix = "../"}), Names{});
  EXPECT_EQ(listed(store, {.prefix = "/"}), Names{});
}

void listing_by_prefix(ObjectStore& store, const StoreTraits& traits) {
  expect_cases(store, traits,
               {{"all", {}, kTree},
                {"folder", {.prefix = "dir/"}, {"dir/a", "dir/b/c", "dir/b/d", "dir/sub.z"}},
                {"part of a name",
                 {.prefix = "dir"},
                 {"dir-x", "dir.x", "dir/a", "dir/b/c", "dir/b/d", "dir/sub.z", "dir0"}},
                {"part of a deeper name", {.prefix = "dir/b"}, {"dir/b/c", "dir/b/d"}},
                {"one object", {.prefix = "dir/b/c"}, {"dir/b/c"}}});
}

void listing_from_a_key_on(ObjectStore& store, const StoreTraits& traits) {
  expect_cases(store, traits,
               {{"strictly after",
                 {.start_after = "dir/b/c"},
                 {"dir/b/d", "dir/sub.z", "dir0", "e/f/g", "z"}},
                {"between keys",
                 {.start_after = "dir/b/cc"},
                 {"dir/b/d", "dir/sub.z", "dir0", "e/f/g", "z"}},
                {"at a folder",
                 {.start_after = "dir/"},
                 {"dir/a", "dir/b/c", "dir/b/d", "dir/sub.z", "dir0", "e/f/g", "z"}},
                {"with prefix",
                 {.prefix = "dir/", .start_after = "dir/b"},
                 {"dir/b/c", "dir/b/d", "dir/sub.z"}},
                {"before the prefix", {.prefix = "e/", .start_after = "a"}, {"e/f/g"}},
                {"behind the prefix", {.prefix = "dir/", .start_after = "e"}, {}},
                {"behind all", {.start_after = "zz"}, {}}});
}

void listing_of_one_level(ObjectStore& store, const StoreTraits& traits) {
  expect_cases(
      store, traits,
      {{"root", {.recursive = false}, {"a", "dir-x", "dir.x", "dir/", "dir0", "e/", "z"}},
       {"folder", {.prefix = "dir/", .recursive = false}, {"dir/a", "dir/b/", "dir/sub.z"}},
       {"part of a name", {.prefix = "di", .recursive = false}, {"dir-x", "dir.x", "dir/", "dir0"}},
       {"folder's own name",
        {.prefix = "dir", .recursive = false},
        {"dir-x", "dir.x", "dir/", "dir0"}},
       {"from a key inside a folder on",
        {.start_after = "dir/b/c", .recursive = false},
        {"dir0", "e/", "z"}},
       {"from a folder on", {.start_after = "dir/", .recursive = false}, {"dir0", "e/", "z"}},
       {"from a folder's name on",
        {.start_after = "dir", .recursive = false},
        {"dir-x", "dir.x", "dir/", "dir0", "e/", "z"}},
       {"from the end of a folder on",
        {.start_after = "dir/zz", .recursive = false},
        {"dir0", "e/", "z"}}});
}

void listing_comes_in_pages(ObjectStore& store, const StoreTraits& /*traits*/) {
  std::vector<Key> keys;
  for (int i = 0; i < 2500; ++i) keys.emplace_back(core::text("p/", 10'000 + i));
  const auto made = core::parallel_map<Key>(keys, 8, [&store](const Key& key) {
    return outcome(store.put(key, core::as_bytes("x"), object_store::PutCondition::none()));
  });
  ASSERT_TRUE(std::ranges::all_of(made, [](const auto& one) { return one == "ok"; }));
  std::vector<Key> found;
  std::size_t largest = 0;
  const auto status = store.list({.prefix = "p/"}, [&](const ListPage& page) {
    largest = std::max(largest, page.objects.size());
    for (const auto& object : page.objects) found.push_back(object.key);
    return true;
  });
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(found, keys);
  EXPECT_LE(largest, 5000U);
  EXPECT_EQ(listed(store, {.prefix = "p/", .start_after = "p/12498"}), Names{"p/12499"});
  int pages = 0;
  const auto stopped = store.list({.prefix = "p/"}, [&pages](const ListPage& /*page*/) {
    ++pages;
    return false;
  });
  EXPECT_TRUE(stopped);
  EXPECT_EQ(pages, 1);
  for (const auto& result : store.remove(keys)) EXPECT_EQ(outcome(result), "ok");
  EXPECT_EQ(listed(store, {}), Names{});
}

void folders_come_in_pages(ObjectStore& store, const StoreTraits& traits) {
  std::vector<Key> keys;
  Names folders;
  for (int i = 0; i < 1100; ++i) {
    folders.push_back(core::text("q/", 10'000 + i, "/"));
    keys.emplace_back(folders.back() + "x");
  }
  const auto made = core::parallel_map<Key>(keys, 8, [&store](const Key& key) {
    return outcome(store.put(key, core::as_bytes("x"), object_store::PutCondition::none()));
  });
  ASSERT_TRUE(std::ranges::all_of(made, [](const auto& one) { return one == "ok"; }));
  EXPECT_EQ(listed(store, {.prefix = "q/", .recursive = false}), folders);
  if (traits.byte_order) {
    EXPECT_EQ(listed(store, {.prefix = "q/", .start_after = "q/11097/", .recursive = false}),
              (Names{"q/11098/", "q/11099/"}));
    EXPECT_EQ(listed(store, {.prefix = "q/", .start_after = "q/11097/x", .recursive = false}),
              (Names{"q/11098/", "q/11099/"}));
  }
  for (const auto& result : store.remove(keys)) EXPECT_EQ(outcome(result), "ok");
}

constexpr ConformanceCheck kListings[] = {
    {"listing_of_nothing", listing_of_nothing},
    {"listing_by_prefix", listing_by_prefix},
    {"listing_from_a_key_on", listing_from_a_key_on},
    {"listing_of_one_level", listing_of_one_level},
    {"listing_comes_in_pages", listing_comes_in_pages},
    {"folders_come_in_pages", folders_come_in_pages},
};

}  // namespace

std::vector<ConformanceCheck> listings() {
  return {std::begin(kListings), std::end(kListings)};
}

}  // namespace icefield::object_store_testing
