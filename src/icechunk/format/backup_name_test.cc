#include "icechunk/format/backup_name.h"

#include <chrono>

#include <gtest/gtest.h>

namespace icefield::icechunk {
namespace {

using std::chrono::milliseconds;

TEST(BackupName, counts_down_to_the_year_3000) {
  const auto id = *BackupId::parse("T4RCMBCNXWNQFHJ8P19G");
  const core::Instant at(milliseconds(32'503'680'000'000 - 30'707'712'788'085));
  EXPECT_EQ(backup_text({.at = at, .id = id}), "repo.30707712788085.T4RCMBCNXWNQFHJ8P19G");
  const auto parsed = parse_backup_name("repo.30707712788085.T4RCMBCNXWNQFHJ8P19G");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->at, at);
  EXPECT_EQ(parsed->id, id);
}

TEST(BackupName, sorts_the_latest_first_and_pads) {
  const core::Instant early(milliseconds(1));
  const core::Instant late(milliseconds(32'503'679'999'999));
  EXPECT_LT(new_backup_name(late), new_backup_name(early));
  EXPECT_TRUE(new_backup_name(late).starts_with("repo.00000000000001."));
}

TEST(BackupName, refuses_other_names) {
  for (const char* text :
       {"", "repo", "repo.123.T4RCMBCNXWNQFHJ8P19G", "repo.30707712788085.",
        "repo.3070771278808x.T4RCMBCNXWNQFHJ8P19G", "repo.307077127880850.T4RCMBCNXWNQFHJ8P19G"})
    EXPECT_FALSE(parse_backup_name(text)) << text;
}

}  // namespace
}  // namespace icefield::icechunk
