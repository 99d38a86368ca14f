#include "icechunk/format/path.h"

#include <algorithm>
#include <compare>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace icefield::icechunk {
namespace {

TEST(Paths, are_absolute_and_canonical) {
  for (const char* good : {"/", "/a", "/a/b", "/a b/ü", "/.a", "/a..", "/..."})
    EXPECT_TRUE(check_path(good)) << good;
  for (const char* bad : {"", "a", "/a/", "//", "/a//b", "/.", "/a/./b", "/..", "/a/../b"})
    EXPECT_FALSE(check_path(bad)) << bad;
}

TEST(Paths, have_two_orders) {
  std::vector<std::string> paths{"/ab", "/a/b", "/a-b", "/a", "/"};
  std::ranges::sort(paths);
  EXPECT_EQ(paths, (std::vector<std::string>{"/", "/a", "/a-b", "/a/b", "/ab"}));
  std::ranges::sort(paths, [](const std::string& left, const std::string& right) {
    return std::is_lt(compare_by_segments(left, right));
  });
  EXPECT_EQ(paths, (std::vector<std::string>{"/", "/a", "/a/b", "/a-b", "/ab"}));
  EXPECT_TRUE(
      std::is_lt(compare_by_segments("/a/\x7f", "/a\xc3\xbc")));  // bytes above 0x7F are greater
}

TEST(Paths, know_parents_and_descendants) {
  EXPECT_EQ(parent_path("/a/b"), "/a");
  EXPECT_EQ(parent_path("/a"), "/");
  EXPECT_EQ(parent_path("/"), "/");
  EXPECT_EQ(path_name("/a/b"), "b");
  EXPECT_EQ(path_name("/"), "");
  EXPECT_EQ(join_path("/", "a"), "/a");
  EXPECT_EQ(join_path("/a", "b"), "/a/b");
  EXPECT_TRUE(is_below("/a/b", "/a"));
  EXPECT_TRUE(is_below("/a", "/"));
  EXPECT_FALSE(is_below("/ab", "/a"));
  EXPECT_FALSE(is_below("/a", "/a"));
  EXPECT_FALSE(is_below("/", "/"));
}

TEST(Paths, follow_a_move) {
  EXPECT_EQ(moved_path("/a", "/a", "/z"), "/z");
  EXPECT_EQ(moved_path("/a/b/c", "/a", "/y/z"), "/y/z/b/c");
}

}  // namespace
}  // namespace icefield::icechunk
