#include "icechunk/maintenance/statistics.h"

#include <string>

#include <gtest/gtest.h>

#include "icechunk/assets/asset_store.h"
#include "icechunk/commit/testing/repository_words.h"

namespace icefield::icechunk {
namespace {

using namespace testing_words;  // NOLINT: small words of the tests

TEST(ManifestStatistics, counts_what_a_reader_of_each_window_fetches) {
  const auto store = memory_store();
  const auto repository = new_repository(store, split_by(4));
  auto session = must(repository.writable_session("main"));
  put_array(session, "/a", {10});
  put_array(session, "/scalar", {});
  for (const std::uint32_t i : {0U, 1U, 2U, 3U, 4U, 9U}) put_chunk(session, "/a", {i}, "x");
  CommitOptions options;
  options.layout = ManifestLayout::kWindows;
  const auto made = must(commit(session, "chunks", {}, options));

  const auto arrays = must(manifest_statistics(repository, made.snapshot));
  ASSERT_EQ(arrays.size(), 2U);
  EXPECT_EQ(arrays[0].path, "/a");
  EXPECT_EQ(arrays[0].references, 6U);
  EXPECT_EQ(arrays[0].split_size, 4U);
  ASSERT_EQ(arrays[0].windows.size(), 3U);
  EXPECT_EQ(arrays[0].windows[0].rows, 4U);
  EXPECT_EQ(arrays[0].windows[1].rows, 1U);
  const auto snapshot = must(repository.assets()->snapshot(made.snapshot));
  std::uint64_t bytes = 0;
  for (const ManifestFile& file : snapshot->manifest_files) bytes += file.size_bytes;
  EXPECT_EQ(arrays[0].bytes, bytes);
  EXPECT_EQ(arrays[1].windows.size(), 0U);
  EXPECT_EQ(arrays[1].split_for(1000), 0U);
}

TEST(ManifestStatistics, judges_windows_by_a_budget) {
  const ArrayManifests array{.windows = {{.bytes = 1000, .rows = 10}, {.bytes = 300, .rows = 1}},
                             .split_size = 10};
  EXPECT_EQ(array.largest_window_bytes(), 1000U);
  EXPECT_EQ(array.windows_over(999), 1U);
  EXPECT_EQ(array.windows_over(1000), 0U);
  EXPECT_EQ(array.split_for(1000), 3U);  // by the row that takes most: 300 bytes
  EXPECT_EQ(array.split_for(10), 1U);
  EXPECT_EQ(array.split_for(std::uint64_t{1} << 60U), 4294967295U);
}

}  // namespace
}  // namespace icefield::icechunk
