#include <algorithm>

#include <gtest/gtest.h>

#include "object_store/object_reader.h"
#include "object_store/testing/expectations.h"

namespace icefield::object_store_testing {
namespace {

using object_store::Key;
using object_store::ObjectStore;

// What fill_for_reading writes.
constexpr std::size_t kLargeBytes = 300'000;
const Key kSmall("read/small");
const Key kEmpty("read/empty");
const Key kLarge("read/large.bin");
const Key kOdd("read/odd name+%41&=~é.txt");

void absent_is_not_found(ObjectStore& store, const StoreTraits& /*traits*/) {
  const Key absent("read/absent");
  EXPECT_EQ(outcome(store.get(absent)), "not found");
  EXPECT_EQ(outcome(store.head(absent)), "not found");
  EXPECT_EQ(outcome(store.get_suffix(absent, 3)), "not found");
  EXPECT_EQ(outcome(get_range(store, absent, {0, 1})), "not found");
  EXPECT_EQ(outcome(store.get(Key("read"))), "not found");  // only a folder
}

void head_and_get_agree(ObjectStore& store, const StoreTraits& /*traits*/) {
  for (const auto& key : {kSmall, kEmpty, kLarge, kOdd}) {
    const auto head = store.head(key);
    const auto object = store.get(key);
    ASSERT_TRUE(head) << head.error().message();
    ASSERT_TRUE(object) << object.error().message();
    EXPECT_EQ(head->key, key);
    EXPECT_EQ(object->info.key, key);
    EXPECT_EQ(head->size, object->bytes.size());
    EXPECT_EQ(object->info.size, object->bytes.size());
    EXPECT_EQ(head->version, object->info.version);
    EXPECT_EQ(head->last_modified, object->info.last_modified);
  }
  EXPECT_EQ(text_of(store, kSmall.value()), "0123456789");
  EXPECT_EQ(text_of(store, kEmpty.value()), "");
  EXPECT_EQ(text_of(store, kOdd.value()), "odd");
}

void unchanged_is_not_sent_again(ObjectStore& store, const StoreTraits& /*traits*/) {
  const auto head = store.head(kSmall);
  ASSERT_TRUE(head);
  const auto same = store.get_if_changed(kSmall, head->version);
  ASSERT_TRUE(same) << same.error().message();
  EXPECT_FALSE(*same);
  const auto other = store.get_if_changed(kSmall, object_store::Version("\"no such version\""));
  ASSERT_TRUE(other) << other.error().message();
  ASSERT_TRUE(*other);
  EXPECT_EQ(core::as_text((*other)->bytes), "0123456789");
  EXPECT_EQ(outcome(store.get_if_changed(Key("read/absent"), head->version)), "not found");
}

void ranges_are_exact(ObjectStore& store, const StoreTraits& /*traits*/) {
  const core::Bytes whole = pattern(kLargeBytes);
  const std::vector<core::ByteRange> ranges = {{0, 1},     {299'999, 1},     {100, 1000},
                                               {1100, 50}, {0, kLargeBytes}, {90, 20},
                                               {5, 0},     {200'000, 7}};
  const auto results = store.get_many(kLarge, ranges);
  ASSERT_EQ(results.size(), ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    ASSERT_TRUE(results[i]) << results[i].error().message();
    const auto expected = std::span(whole).subspan(ranges[i].offset, ranges[i].length);
    EXPECT_TRUE(std::ranges::equal(*results[i], expected)) << "range " << i;
  }
}

void range_past_the_end_fails_alone(ObjectStore& store, const StoreTraits& /*traits*/) {
  const std::vector<core::ByteRange> ranges = {
      {8, 3}, {2, 3}, {10, 1}, {1000, 5}, {~std::uint64_t{0} - 1, 2}, {0, ~std::uint64_t{0}}};
  const auto results = store.get_many(kSmall, ranges);
  ASSERT_EQ(results.size(), ranges.size());
  EXPECT_EQ(outcome(results[0]), "corrupt");
  ASSERT_TRUE(results[1]);
  EXPECT_EQ(core::as_text(*results[1]), "234");
  for (std::size_t i = 2; i < ranges.size(); ++i) EXPECT_EQ(outcome(results[i]), "corrupt") << i;
}

void no_ranges_no_results(ObjectStore& store, const StoreTraits& /*traits*/) {
  EXPECT_TRUE(store.get_many(kSmall, {}).empty());
}

void suffix_is_the_end_or_the_whole(ObjectStore& store, const StoreTraits& /*traits*/) {
  const auto text = [&store](const Key& key, std::uint64_t length) {
    const auto bytes = store.get_suffix(key, length);
    return bytes ? std::string(core::as_text(*bytes)) : outcome(bytes);
  };
  EXPECT_EQ(text(kSmall, 3), "789");
  EXPECT_EQ(text(kSmall, 10), "0123456789");
  EXPECT_EQ(text(kSmall, 1'000'000), "0123456789");
  EXPECT_EQ(text(kSmall, 0), "");
  EXPECT_EQ(text(kEmpty, 5), "");
}

void reader_reads_at_offsets(ObjectStore& store, const StoreTraits& /*traits*/) {
  const auto reader = object_store::ObjectReader::open(store, kSmall);
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_EQ((*reader)->size(), 10U);
  EXPECT_EQ((*reader)->name(), store.location() + kSmall.value());
  core::Bytes out(4);
  ASSERT_TRUE((*reader)->read_exactly(3, out));
  EXPECT_EQ(core::as_text(out), "3456");
  EXPECT_EQ(outcome((*reader)->read_exactly(8, out)), "corrupt");
  EXPECT_EQ(outcome((*reader)->read_exactly(~std::uint64_t{0}, out)), "corrupt");
}

void listing_tells_sizes(ObjectStore& store, const StoreTraits& /*traits*/) {
  const auto all = list_all(store, "read/");
  ASSERT_TRUE(all) << all.error().message();
  ASSERT_EQ(all->size(), 4U);
  for (const auto& object : *all) {
    const auto head = store.head(object.key);
    ASSERT_TRUE(head) << head.error().message();
    EXPECT_EQ(object.size, head->size) << object.key.value();
    EXPECT_TRUE(object.version.value().empty() || object.version == head->version)
        << object.version.value() << " and " << head->version.value();
  }
}

constexpr ConformanceCheck kReads[] = {
    {"absent_is_not_found", absent_is_not_found},
    {"head_and_get_agree", head_and_get_agree},
    {"unchanged_is_not_sent_again", unchanged_is_not_sent_again},
    {"ranges_are_exact", ranges_are_exact},
    {"range_past_the_end_fails_alone", range_past_the_end_fails_alone},
    {"no_ranges_no_results", no_ranges_no_results},
    {"suffix_is_the_end_or_the_whole", suffix_is_the_end_or_the_whole},
    {"reader_reads_at_offsets", reader_reads_at_offsets},
    {"listing_tells_sizes", listing_tells_sizes},
};

template <std::size_t I>
void filled_first(ObjectStore& store, const StoreTraits& traits) {
  fill_for_reading(store);
  kReads[I].run(store, traits);
}

template <std::size_t... I>
std::vector<ConformanceCheck> all_filled_first(std::index_sequence<I...> /*numbers*/) {
  return {ConformanceCheck{kReads[I].name, filled_first<I>}...};
}

}  // namespace

void fill_for_reading(ObjectStore& store) {
  must_put(store, kSmall.value(), "0123456789");
  must_put(store, kEmpty.value(), "");
  must_put(store, kLarge.value(), core::as_text(pattern(kLargeBytes)));
  must_put(store, kOdd.value(), "odd");
}

std::vector<ConformanceCheck> reading_checks() {
  return {std::begin(kReads), std::end(kReads)};
}

std::vector<ConformanceCheck> reads() {
  return all_filled_first(std::make_index_sequence<std::size(kReads)>());
}

}  // namespace icefield::object_store_testing
