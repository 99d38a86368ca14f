#include "icechunk/format/file_inspection.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/bytes.h"
#include "core/file.h"
#include "icechunk/format/envelope.h"

namespace icefield::icechunk {
namespace {

core::Bytes golden(const std::string& name) {
  auto bytes =
      core::read_file(std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/icechunk" / name);
  EXPECT_TRUE(bytes) << name;
  return bytes ? *std::move(bytes) : core::Bytes();
}

TEST(FileInspection, finds_nothing_in_what_the_official_library_wrote) {
  const std::pair<const char*, FileType> files[] = {
      {"repo_empty", FileType::kRepo},
      {"repo_collected", FileType::kRepo},
      {"repo_configured", FileType::kRepo},
      {"snapshot_splits", FileType::kSnapshot},
      {"snapshot_v1", FileType::kSnapshot},
      {"manifest_virtual", FileType::kManifest},
      {"manifest_dictionary", FileType::kManifest},
      {"manifest_v1", FileType::kManifest},
      {"log_moves", FileType::kTransactionLog},
  };
  for (const auto& [name, type] : files) {
    const auto found = inspect_file(golden(name), type);
    ASSERT_TRUE(found) << name << ": " << found.error().message();
    for (const Deviation& one : found->deviations) ADD_FAILURE() << name << ": " << one.what;
    const bool is_old = std::string(name).ends_with("_v1");
    EXPECT_EQ(found->version, is_old ? SpecVersion::kV1 : SpecVersion::kV2) << name;
  }
}

std::string first_deviation(const core::Bytes& file, FileType type) {
  const auto found = inspect_file(file, type);
  if (!found) return found.error().message();
  if (found->deviations.empty()) return "none";
  return (found->deviations[0].is_damage ? "damage: " : "unusual: ") + found->deviations[0].what;
}

TEST(FileInspection, tells_what_decoders_pass_over) {
  auto file = golden("log_moves");
  file[12] = std::byte{7};
  EXPECT_EQ(first_deviation(file, FileType::kTransactionLog),
            "unusual: the header names no writing software");
  auto payload = open_envelope(golden("log_moves"), FileType::kTransactionLog);
  ASSERT_TRUE(payload);
  payload->bytes[4] = std::byte{'X'};
  const auto renamed = seal_envelope(FileType::kTransactionLog, payload->bytes, 1);
  ASSERT_TRUE(renamed);
  EXPECT_EQ(first_deviation(*renamed, FileType::kTransactionLog),
            "unusual: the buffer has another file identifier");
  auto repo = golden("repo_empty");
  repo[36] = std::byte{1};
  EXPECT_EQ(first_deviation(repo, FileType::kRepo), "damage: the header says spec version 1");
  auto snapshot = golden("snapshot_v1");
  snapshot[36] = std::byte{2};  // its lists are those of version 1
  EXPECT_EQ(first_deviation(snapshot, FileType::kSnapshot),
            "unusual: parent_id is set, which belongs to spec version 1");
}

TEST(FileInspection, finds_tables_that_tell_a_size_past_the_end) {
  for (const auto& [name, type] :
       {std::pair{"log_moves", FileType::kTransactionLog}, std::pair{"repo_empty", FileType::kRepo},
        std::pair{"snapshot_moves", FileType::kSnapshot},
        std::pair{"manifest_virtual", FileType::kManifest}}) {
    auto payload = open_envelope(golden(name), type);
    ASSERT_TRUE(payload) << name;
    std::uint32_t root = 0;
    std::memcpy(&root, payload->bytes.data(), sizeof(root));
    std::int32_t back = 0;  // from the table to its vtable, whose second number is the size
    std::memcpy(&back, &payload->bytes[root], sizeof(back));
    const std::uint16_t size = 65'000;
    std::memcpy(&payload->bytes[static_cast<std::size_t>(std::int64_t{root} - back + 2)], &size,
                sizeof(size));
    const auto file = seal_envelope(type, payload->bytes, 1);
    ASSERT_TRUE(file);
    EXPECT_EQ(first_deviation(*file, type), "damage: a table reaches past the end of the buffer");
  }
}

TEST(FileInspection, fails_as_the_decoder_does) {
  auto file = golden("manifest_virtual");
  file.resize(file.size() - 3);
  EXPECT_FALSE(inspect_file(file, FileType::kManifest));
  EXPECT_FALSE(inspect_file(golden("repo_empty"), FileType::kManifest));
}

}  // namespace
}  // namespace icefield::icechunk
