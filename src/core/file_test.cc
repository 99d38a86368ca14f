#include "core/file.h"

#include <gtest/gtest.h>

namespace icefield::core {
namespace {

std::filesystem::path scratch(const char* name) {
  return std::filesystem::path(testing::TempDir()) / "icefield_file_test" / name;
}

TEST(File, round_trips_and_reads_at_offsets) {
  const auto path = scratch("a");
  ASSERT_TRUE(write_file(path, as_bytes("hello world")));
  const auto whole = read_file(path);
  ASSERT_TRUE(whole);
  EXPECT_EQ(as_text(*whole), "hello world");
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped);
  Bytes five(5);
  ASSERT_TRUE(mapped->read_exactly(6, five));
  EXPECT_EQ(as_text(five), "world");
}

TEST(File, says_which_file_ends_too_early) {
  const auto path = scratch("short");
  ASSERT_TRUE(write_file(path, as_bytes("abc")));
  const auto file = File::open(path);
  ASSERT_TRUE(file);
  Bytes four(4);
  const auto status = file->read_exactly(0, four);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), ErrorCode::kCorrupt);
  EXPECT_NE(status.error().message().find("short"), std::string::npos);
}

TEST(File, that_is_absent_is_not_found) {
  const auto file = read_file(scratch("no/such/file"));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace icefield::core
