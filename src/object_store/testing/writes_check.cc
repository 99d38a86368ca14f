#include <algorithm>
#include <barrier>
#include <chrono>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "object_store/testing/expectations.h"

namespace icefield::object_store_testing {
namespace {

using object_store::Key;
using object_store::ObjectStore;
using object_store::PutCondition;
using object_store::PutRequest;
using object_store::Version;

auto put(ObjectStore& store, const std::string& key, std::string_view bytes,
         const PutCondition& condition) {
  return store.put(Key(key), core::as_bytes(bytes), condition);
}

void put_replaces(ObjectStore& store, const StoreTraits& /*traits*/) {
  const auto first = must_put(store, "a/b", "one");
  const auto second = must_put(store, "a/b", "second");
  EXPECT_NE(first.version, second.version);
  EXPECT_EQ(second.size, 6U);
  EXPECT_EQ(second.key, Key("a/b"));
  EXPECT_EQ(text_of(store, "a/b"), "second");
  const auto head = store.head(Key("a/b"));
  ASSERT_TRUE(head);
  EXPECT_EQ(head->version, second.version);
}

void absent_creates_once(ObjectStore& store, const StoreTraits& /*traits*/) {
  EXPECT_EQ(outcome(put(store, "repo", "first", PutCondition::absent())), "ok");
  EXPECT_EQ(outcome(put(store, "repo", "other", PutCondition::absent())), "conflict");
  EXPECT_EQ(text_of(store, "repo"), "first");
  store.remove(std::vector{Key("repo")});
  EXPECT_EQ(outcome(put(store, "repo", "again", PutCondition::absent())), "ok");
  EXPECT_EQ(text_of(store, "repo"), "again");
}

void unchanged_replaces_only_that_version(ObjectStore& store, const StoreTraits& /*traits*/) {
  const auto first = must_put(store, "repo", "one");
  const auto second = put(store, "repo", "two", PutCondition::unchanged_since(first.version));
  ASSERT_TRUE(second) << second.error().message();
  EXPECT_EQ(outcome(put(store, "repo", "lost", PutCondition::unchanged_since(first.version))),
            "conflict");
  EXPECT_EQ(text_of(store, "repo"), "two");
  const auto third = put(store, "repo", "three", PutCondition::unchanged_since(second->version));
  EXPECT_EQ(outcome(third), "ok");
  EXPECT_EQ(text_of(store, "repo"), "three");
}

void unchanged_of_an_absent_object_is_a_conflict(ObjectStore& store,
                                                 const StoreTraits& /*traits*/) {
  const auto was = must_put(store, "gone/repo", "one");
  store.remove(std::vector{Key("gone/repo")});
  EXPECT_EQ(outcome(put(store, "gone/repo", "x", PutCondition::unchanged_since(was.version))),
            "conflict");
  EXPECT_EQ(text_of(store, "gone/repo"), "(absent)");
  EXPECT_TRUE(listed(store, {}).empty());
}

void no_version_comes_back(ObjectStore& store, const StoreTraits& /*traits*/) {
  std::vector<std::string> versions;
  for (int i = 0; i < 50; ++i) {  // equal sizes, as fast as it goes; contents differ
    versions.push_back(must_put(store, "v", std::to_string(100 + i)).version.value());
  }
  std::ranges::sort(versions);
  EXPECT_EQ(std::ranges::adjacent_find(versions), versions.end());
}

void each_of_many_is_written_by_its_own_condition(ObjectStore& store,
                                                  const StoreTraits& /*traits*/) {
  const auto was = must_put(store, "many/changed", "old");
  must_put(store, "many/there", "old");
  std::vector<core::Bytes> bodies;  // more than are sent at a time
  for (std::size_t i = 0; i < 1100; ++i) bodies.push_back(pattern(i % 300 * 7, i + 1));
  const core::Bytes large = pattern((17U << 20U) + 5);
  std::vector<PutRequest> objects;
  std::vector<std::string> expected;
  const auto add = [&](std::string key, std::span<const std::byte> bytes, PutCondition condition,
                       std::string result) {
    objects.push_back({Key(std::move(key)), bytes, std::move(condition)});
    expected.push_back(std::move(result));
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    add("many/" + std::to_string(1000 + i), bodies[i],
        i % 3 == 0 ? PutCondition::absent() : PutCondition::none(), "ok");
  }
  add("many/there", bodies[1], PutCondition::absent(), "conflict");
  add("/no/key", bodies[2], PutCondition::none(), "invalid argument");
  add("many/large", large, PutCondition::none(), "ok");
  add("many/larger", large, PutCondition::absent(), "ok");
  add("many/changed", bodies[3], PutCondition::unchanged_since(was.version), "ok");
  add("many/gone", bodies[4], PutCondition::unchanged_since(was.version), "conflict");
  const auto written = store.put_many(objects);
  ASSERT_EQ(written.size(), objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto& key = objects[i].key;
    EXPECT_EQ(outcome(written[i]), expected[i]) << key.value();
    if (!written[i]) continue;
    EXPECT_EQ(written[i]->key, key);
    if (i % 10 != 0 && i < bodies.size()) continue;
    const auto back = store.get(key);
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_TRUE(std::ranges::equal(back->bytes, objects[i].bytes)) << key.value();
    EXPECT_EQ(back->info.version, written[i]->version) << key.value();
  }
  EXPECT_EQ(text_of(store, "many/there"), "old");
  EXPECT_EQ(text_of(store, "many/gone"), "(absent)");
  EXPECT_TRUE(store.put_many({}).empty());
}

void large_objects_are_whole(ObjectStore& store, const StoreTraits& /*traits*/) {
  const core::Bytes bytes = pattern((20U << 20U) + 17);
  const auto info = store.put(Key("large"), bytes, PutCondition::absent());
  ASSERT_TRUE(info) << info.error().message();
  EXPECT_EQ(info->size, bytes.size());
  const auto back = store.get(Key("large"));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_TRUE(back->bytes == bytes);
  EXPECT_EQ(back->info.version, info->version);
  EXPECT_EQ(outcome(store.put(Key("large"), bytes, PutCondition::absent())), "conflict");
  EXPECT_EQ(
      outcome(store.put(Key("large"), bytes, PutCondition::unchanged_since(Version("\"x\"")))),
      "conflict");
  EXPECT_EQ(outcome(store.put(Key("large"), bytes, PutCondition::unchanged_since(info->version))),
            "ok");
}

void one_of_4_large_creators_wins(ObjectStore& store, const StoreTraits& traits) {
  constexpr std::size_t kWriters = 4;
  std::vector<core::Bytes> bodies;
  for (std::size_t i = 0; i < kWriters; ++i) bodies.push_back(pattern((17U << 20U) + i, i + 1));
  std::vector<std::string> outcomes(kWriters);
  {
    std::barrier together(static_cast<std::ptrdiff_t>(kWriters));
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < kWriters; ++i) {
      threads.emplace_back([&, i] {
        together.arrive_and_wait();
        outcomes[i] = outcome(store.put(Key("large"), bodies[i], PutCondition::absent()));
      });
    }
  }
  ASSERT_NE(std::ranges::find(outcomes, "ok"), outcomes.end()) << outcomes[0];
  if (traits.atomic_parts) {
    EXPECT_EQ(std::ranges::count(outcomes, "ok"), 1);
    EXPECT_EQ(std::ranges::count(outcomes, "conflict"), std::ptrdiff_t{kWriters} - 1);
  }
  const auto back = store.get(Key("large"));
  ASSERT_TRUE(back) << back.error().message();
  const auto written = std::ranges::find(bodies, back->bytes);
  ASSERT_NE(written, bodies.end());
  EXPECT_EQ(outcomes[static_cast<std::size_t>(written - bodies.begin())], "ok");
  // those that lost have taken everything of theirs away
  const auto left = store.remove_leftovers(core::system_now() + std::chrono::hours(1));
  ASSERT_TRUE(left) << left.error().message();
  EXPECT_EQ(*left, 0U);
}

void copy_keeps_its_bytes(ObjectStore& store, const StoreTraits& traits) {
  const auto first = must_put(store, "repo", "old");
  EXPECT_EQ(outcome(store.copy(Key("repo"), Key("overwritten/repo.1"), first.version)), "ok");
  EXPECT_EQ(outcome(put(store, "repo", "new", PutCondition::unchanged_since(first.version))), "ok");
  EXPECT_EQ(text_of(store, "overwritten/repo.1"), "old");
  if (traits.conditional_copy) {
    EXPECT_EQ(outcome(store.copy(Key("repo"), Key("overwritten/repo.2"), first.version)),
              "conflict");
    EXPECT_EQ(text_of(store, "overwritten/repo.2"), "(absent)");
  }
  EXPECT_EQ(outcome(store.copy(Key("repo"), Key("overwritten/repo.1"), std::nullopt)), "ok");
  EXPECT_EQ(text_of(store, "overwritten/repo.1"), "new");
  EXPECT_EQ(outcome(store.copy(Key("repo"), Key("overwritten/repo.1"), std::nullopt)), "ok");
  EXPECT_EQ(text_of(store, "overwritten/repo.1"), "new");
  EXPECT_EQ(listed(store, {}), (std::vector<std::string>{"overwritten/repo.1", "repo"}));
  EXPECT_EQ(outcome(store.copy(Key("none"), Key("x"), std::nullopt)), "not found");
  EXPECT_EQ(text_of(store, "x"), "(absent)");
}

void remove_takes_many(ObjectStore& store, const StoreTraits& traits) {
  for (const auto* key : {"a/1", "a/2", "b", "stays"}) must_put(store, key, "x");
  const std::vector<Key> keys = {Key("a/1"), Key("absent"), Key("b"), Key("a/2"), Key("no/such")};
  const auto results = store.remove(keys);
  ASSERT_EQ(results.size(), keys.size());
  for (const auto& result : results) EXPECT_EQ(outcome(result), "ok");
  EXPECT_EQ(listed(store, {}), std::vector<std::string>{"stays"});
  if (!traits.byte_order) return;
  EXPECT_EQ(listed(store, {.recursive = false}), std::vector<std::string>{"stays"});
}

void bad_keys_are_refused_everywhere(ObjectStore& store, const StoreTraits& /*traits*/) {
  must_put(store, "good", "x");
  const std::vector<std::string> bad = {"",
                                        "/",
                                        "/a",
                                        "a/",
                                        "a//b",
                                        "../a",
                                        "a/../good",
                                        "a/.",
                                        ".",
                                        std::string("a\0b", 3),
                                        std::string(1025, 'k')};
  for (const auto& name : bad) {
    const Key key(name);
    EXPECT_EQ(outcome(store.get(key)), "invalid argument") << name;
    EXPECT_EQ(outcome(store.head(key)), "invalid argument") << name;
    EXPECT_EQ(outcome(store.get_suffix(key, 1)), "invalid argument") << name;
    EXPECT_EQ(outcome(get_range(store, key, {0, 1})), "invalid argument") << name;
    EXPECT_EQ(outcome(put(store, name, "x", PutCondition::none())), "invalid argument") << name;
    EXPECT_EQ(outcome(store.copy(Key("good"), key, std::nullopt)), "invalid argument") << name;
    EXPECT_EQ(outcome(store.copy(key, Key("good"), std::nullopt)), "invalid argument") << name;
    EXPECT_EQ(outcome(store.remove(std::vector{key}).front()), "invalid argument") << name;
  }
  EXPECT_EQ(text_of(store, "good"), "x");
}

void keys_are_kept_to_the_byte(ObjectStore& store, const StoreTraits& /*traits*/) {
  // composed and decomposed accents, dots, spaces, '#', '?', '%', '+', '&', '=', case
  const std::vector<std::string> keys = {"a b",          "a%20b",   "a+b",    "a#b",
                                         "a#1b",         "a?b=c&d", "..a",    "a..",
                                         ".hidden",      "c/0/1.2", "A B",    "caf\xC3\xA9",
                                         "cafe\xCC\x81", "x=1/y=2", "~tilde", "quo'te\"<>"};
  for (const auto& key : keys) must_put(store, key, key);
  for (const auto& key : keys) EXPECT_EQ(text_of(store, key), key);
  auto sorted = keys;
  std::ranges::sort(sorted);
  auto found = listed(store, {});
  std::ranges::sort(found);
  EXPECT_EQ(found, sorted);
}

void key_beside_folder(ObjectStore& store, const StoreTraits& traits) {
  must_put(store, "k", "file");
  must_put(store, "f/x", "below");
  const auto below = put(store, "k/x", "y", PutCondition::none());
  const auto above = put(store, "f", "y", PutCondition::none());
  const auto created = put(store, "f", "y", PutCondition::absent());
  EXPECT_EQ(text_of(store, "k"), "file");
  EXPECT_EQ(text_of(store, "f/x"), "below");
  if (traits.key_beside_folder) {
    EXPECT_EQ(outcome(below), "ok");
    EXPECT_EQ(outcome(above), "ok");
    EXPECT_EQ(outcome(created), "conflict");
    return;
  }
  EXPECT_EQ(outcome(below), "invalid argument");
  EXPECT_EQ(outcome(above), "invalid argument");
  EXPECT_EQ(outcome(created), "invalid argument");
  EXPECT_EQ(text_of(store, "k/x"), "(absent)");
  EXPECT_EQ(text_of(store, "f"), "(absent)");
}

void times_are_the_stores_own(ObjectStore& store, const StoreTraits& /*traits*/) {
  const auto info = must_put(store, "t", "x");
  const auto head = store.head(Key("t"));
  ASSERT_TRUE(head);
  const auto apart = head->last_modified - core::system_now();
  EXPECT_LT(std::chrono::abs(apart), std::chrono::minutes(10));
}

constexpr ConformanceCheck kWrites[] = {
    {"put_replaces", put_replaces},
    {"absent_creates_once", absent_creates_once},
    {"unchanged_replaces_only_that_version", unchanged_replaces_only_that_version},
    {"unchanged_of_an_absent_object_is_a_conflict", unchanged_of_an_absent_object_is_a_conflict},
    {"no_version_comes_back", no_version_comes_back},
    {"each_of_many_is_written_by_its_own_condition", each_of_many_is_written_by_its_own_condition},
    {"large_objects_are_whole", large_objects_are_whole},
    {"one_of_4_large_creators_wins", one_of_4_large_creators_wins},
    {"copy_keeps_its_bytes", copy_keeps_its_bytes},
    {"remove_takes_many", remove_takes_many},
    {"bad_keys_are_refused_everywhere", bad_keys_are_refused_everywhere},
    {"keys_are_kept_to_the_byte", keys_are_kept_to_the_byte},
    {"key_beside_folder", key_beside_folder},
    {"times_are_the_stores_own", times_are_the_stores_own},
};

}  // namespace

std::vector<ConformanceCheck> writes() {
  return {std::begin(kWrites), std::end(kWrites)};
}

}  // namespace icefield::object_store_testing
