// The worked examples of the format: complete buffers that the official library wrote.
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/bytes.h"
#include "icechunk/format/envelope.h"
#include "icechunk/format/manifest.h"
#include "icechunk/format/repo_info_codec.h"
#include "icechunk/format/transaction_log_codec.h"

namespace icefield::icechunk {
namespace {

core::Bytes sealed(FileType type, std::string_view hex) {
  core::Bytes payload;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    payload.push_back(
        static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  auto file = seal_envelope(type, payload, 3);
  EXPECT_TRUE(file);
  return *std::move(file);
}

TEST(WorkedBytes, a_repo_object_just_created) {
  const auto repo = decode_repo_info(
      sealed(FileType::kRepo,
             "1c0000004963686b14002400070008000c001000140018001c002000140000000000000230010000"
             "08010000000100005c000000480000003800000004000000010000001000000000000a0014000700"
             "08000c000a0000000000000110000000a998f2826c61060004000400040000000000000008001000"
             "00000400080000007898f2826c61060000000000010000001400000000000e002800040010001c00"
             "140018000e0000000b1cc8d6787580f0e33a6534ffffffff140000002c000000df97f2826c610600"
             "00000000160000005265706f7369746f727920696e697469616c697a65640000010000000c000000"
             "08000c00040008000800000020000000040000001200000069735f726f6f74000109010101016802"
             "240100000a0000005f5f6963656368756e6b000000000000010000000c0000000000060008000400"
             "0600000004000000040000006d61696e0000000000000000"));
  ASSERT_TRUE(repo) << repo.error().message();
  ASSERT_EQ(repo->snapshots.size(), 1U);
  EXPECT_EQ(repo->snapshots[0].id, kInitialSnapshotId);
  EXPECT_EQ(repo->snapshots[0].parent, std::nullopt);
  EXPECT_EQ(repo->snapshots[0].message, "Repository initialized");
  const auto metadata = decode_metadata(repo->snapshots[0].metadata);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(core::Json(*metadata).dump(), R"({"__icechunk":{"is_root":true}})");
  EXPECT_EQ(repo->branches.at("main"), kInitialSnapshotId);
  ASSERT_EQ(repo->updates.size(), 1U);
  EXPECT_EQ(repo->updates[0].kind, UpdateKind(update::RepoInitialized{}));
  EXPECT_EQ(repo->updates[0].at.time_since_epoch().count(), 1'795'968'541'563'049);
  EXPECT_FALSE(repo->updates[0].backup);
  EXPECT_FALSE(repo->config);
}

TEST(WorkedBytes, a_manifest_with_a_reference_of_each_kind) {
  const auto manifest = decode_manifest(
      sealed(FileType::kManifest,
             "140000004963686b0c00180008001400000007000c00000000000000ae43c1343309abcd1e0d3211"
             "04000000010000000c0000000800100004000c000800000049331625978a33810400000003000000"
             "9800000068000000180000001400200004000000100018000000080000000c001400000030000000"
             "1800000080009265640000000000000008000000000000000f0000007663633a2f2f7372632f662e"
             "62696e00010000000200000000000e001c00040000000000140008000e000000180000001b557aa0"
             "fe90a1c3e1d5c8990800000000000000010000000100000008000c00040008000800000014000000"
             "040000000800000001000000020000000100000000000000"));
  ASSERT_TRUE(manifest) << manifest.error().message();
  EXPECT_EQ(manifest->id().text(), "NS1W2D1K16NWT7GD688G");
  const auto node = *NodeId::parse("94SHC9CQH8SR2");
  const auto at = [&](std::uint32_t index) {
    const auto found = manifest->find(node, std::vector{index});
    EXPECT_TRUE(found && *found);
    return **found;
  };
  EXPECT_EQ(at(0),
            ChunkReference(InlineChunk{{std::byte{1}, std::byte{0}, std::byte{0}, std::byte{0},
                                        std::byte{2}, std::byte{0}, std::byte{0}, std::byte{0}}}));
  EXPECT_EQ(at(1), ChunkReference(NativeChunk{.id = *ChunkId::parse("3DAQN87YJ2GW7RENS2CG"),
                                              .range = {0, 8}}));
  EXPECT_EQ(at(2), ChunkReference(VirtualChunk{.location = "vcc://src/f.bin",
                                               .range = {100, 8},
                                               .identity = LastModified{1'704'067'200}}));
  EXPECT_FALSE(manifest->contains(node, std::vector{3U}));
}

TEST(WorkedBytes, a_transaction_log_of_one_chunk) {
  const auto log = decode_transaction_log(
      sealed(FileType::kTransactionLog,
             "200000004963686b00001600300004001000140018001c002000240028002c001600000012add287"
             "9d4be63042aaf9cd7800000070000000680000006000000054000000540000000c00000004000000"
             "00000000010000000c0000000800100004000c000800000049331625978a33810400000001000000"
             "0c000000000006000800040006000000040000000100000001000000000000000000000000000000"
             "000000000000000000000000"));
  ASSERT_TRUE(log) << log.error().message();
  TransactionLog expected{.id = *SnapshotId::parse("2APX51WX9FK30GNAZ76G")};
  expected.updated_chunks.emplace(*NodeId::parse("94SHC9CQH8SR2"),
                                  ChunkIndexSet::from_unsorted(1, {1}));
  EXPECT_EQ(*log, expected);
}

}  // namespace
}  // namespace icefield::icechunk
