#include "object_store/local/folder_names.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/random.h"
#include "core/text.h"

namespace icefield::object_store {
namespace {

TEST(FolderNames, come_in_bounded_passes_and_byte_order) {
  const auto folder =
      std::filesystem::temp_directory_path() / core::text("icefield-names-", core::random_u64());
  std::filesystem::create_directories(folder / "dir");
  std::vector<std::string> expected = {"dir-", "dir/", "dir0"};
  for (const auto* name : {"dir-", "dir0", "dir#3"}) std::ofstream(folder / name) << "x";
  for (int i = 100; i < 150; ++i) {
    expected.push_back(core::text("n", i));
    std::ofstream(folder / expected.back()) << "x";
  }
  std::vector<std::string> found;
  std::string after;
  for (bool more = true; more;) {
    const auto names = read_names(folder.string(), "", after, EntryFilter::kObjectsAndFolders, 7);
    ASSERT_TRUE(names) << names.error().message();
    ASSERT_LE(names->names.size(), 7U);
    found.insert(found.end(), names->names.begin(), names->names.end());
    more = names->more;
    after = found.back();
  }
  EXPECT_EQ(found, expected);
  const auto started =
      read_names(folder.string(), "n14", "n147", EntryFilter::kObjectsAndFolders, 100);
  EXPECT_EQ(started->names, (std::vector<std::string>{"n148", "n149"}));
  EXPECT_FALSE(started->more);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace icefield::object_store
