#include "icechunk/format/transaction_log.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"
#include "icechunk/format/transaction_log_codec.h"

namespace icefield::icechunk {
namespace {

NodeId node(std::uint8_t number) {
  return NodeId({number});
}

TransactionLog example() {
  TransactionLog log{.id = SnapshotId::random(),
                     .new_groups = {node(1)},
                     .new_arrays = {node(2), node(3)},
                     .deleted_groups = {node(4)},
                     .deleted_arrays = {node(5)},
                     .updated_groups = {node(6)},
                     .updated_arrays = {node(7), node(8)}};
  log.updated_chunks[node(2)] = ChunkIndexSet::from_unsorted(2, {0, 0, 0, 1, 5, 0});
  ChunkIndexSet scalar;
  scalar.append({});
  log.updated_chunks[node(3)] = scalar;
  log.moves = {{"/a/b", "/x", node(9), NodeKind::kArray},
               {"/ü", "/x/y", node(10), NodeKind::kGroup}};
  return log;
}

TEST(TransactionLog, survives_its_file) {
  const TransactionLog log = example();
  const auto file = encode_transaction_log(log);
  ASSERT_TRUE(file) << file.error().message();
  const auto back = decode_transaction_log(*file, log.id);
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, log);
  EXPECT_EQ(back->updated_chunk_count(), 4U);
  EXPECT_FALSE(decode_transaction_log(*file, SnapshotId::random()));
}

TEST(TransactionLog, may_be_empty) {
  const TransactionLog log{.id = kInitialSnapshotId};
  EXPECT_TRUE(log.empty());
  EXPECT_FALSE(example().empty());
  const auto file = encode_transaction_log(log);
  ASSERT_TRUE(file);
  EXPECT_EQ(*decode_transaction_log(*file), log);
}

TEST(TransactionLog, survives_with_many_positions_of_any_rank) {
  std::uint64_t state = 3;
  for (std::size_t rank = 1; rank < 7; ++rank) {
    for (const std::size_t count : {1U, 63U, 64U, 200U, 5000U}) {
      std::vector<std::uint32_t> numbers(count * rank);
      for (auto& number : numbers) {
        number = static_cast<std::uint32_t>(core::splitmix64(state) % 1000);
      }
      TransactionLog log{.id = SnapshotId::random()};
      log.updated_chunks[node(1)] = ChunkIndexSet::from_unsorted(rank, numbers);
      const auto file = encode_transaction_log(log);
      ASSERT_TRUE(file);
      const auto back = decode_transaction_log(*file);
      ASSERT_TRUE(back) << back.error().message();
      EXPECT_EQ(*back, log);
    }
  }
}

TEST(TransactionLog, of_a_full_window_costs_next_to_nothing) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    for (std::uint32_t j = 0; j < 49; ++j) numbers.insert(numbers.end(), {i, j, 0, 0});
  }
  TransactionLog log{.id = SnapshotId::random()};
  log.updated_chunks[node(1)] = ChunkIndexSet::from_unsorted(4, numbers);
  const auto file = encode_transaction_log(log);
  ASSERT_TRUE(file);
  EXPECT_LE(file->size(), 49'000U * 3);
}

struct DisorderCase {
  std::string name;
  std::function<void(TransactionLog&)> damage;
};
class DisorderedLog : public testing::TestWithParam<DisorderCase> {};
TEST_P(DisorderedLog, is_not_written) {
  TransactionLog log = example();
  GetParam().damage(log);
  const auto file = encode_transaction_log(log);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), core::ErrorCode::kInvalidArgument);
}
INSTANTIATE_TEST_SUITE_P(
    , DisorderedLog,
    testing::Values(
        DisorderCase{"ids", [](auto& log) { std::swap(log.new_arrays[0], log.new_arrays[1]); }},
        DisorderCase{"id_twice", [](auto& log) { log.new_arrays[0] = log.new_arrays[1]; }},
        DisorderCase{"moves", [](auto& log) { std::swap(log.moves[0], log.moves[1]); }},
        DisorderCase{"no_chunks", [](auto& log) { log.updated_chunks[node(11)]; }}),
    [](const auto& tested) { return tested.param.name; });

TEST(MergeLogs, unites_the_lists_and_composes_moves) {
  TransactionLog earlier{.id = SnapshotId::random(), .new_groups = {node(1), node(3)}};
  earlier.updated_chunks[node(2)] = ChunkIndexSet::from_unsorted(1, {1, 2});
  earlier.moves = {{"/a", "/b", node(5), NodeKind::kGroup},
                   {"/p", "/q", node(6), NodeKind::kArray}};
  TransactionLog later{
      .id = SnapshotId::random(), .new_groups = {node(2)}, .deleted_groups = {node(3)}};
  later.updated_chunks[node(2)] = ChunkIndexSet::from_unsorted(1, {2, 3});
  later.updated_chunks[node(4)] = ChunkIndexSet::from_unsorted(2, {0, 0});
  later.moves = {{"/b", "/c", node(5), NodeKind::kGroup}, {"/q", "/p", node(6), NodeKind::kArray}};

  const TransactionLog both = merge(earlier, later);
  EXPECT_EQ(both.id, later.id);
  EXPECT_EQ(both.new_groups, (NodeIds{node(1), node(2), node(3)}));
  EXPECT_EQ(both.deleted_groups, NodeIds{node(3)});  // the union is not reduced
  EXPECT_EQ(both.updated_chunks.at(node(2)), ChunkIndexSet::from_unsorted(1, {1, 2, 3}));
  EXPECT_EQ(both.updated_chunks.at(node(4)), ChunkIndexSet::from_unsorted(2, {0, 0}));
  EXPECT_EQ(both.moves, (std::vector<Move>{{"/a", "/c", node(5), NodeKind::kGroup}}));
}

TEST(NodeIds, are_put_in_order_and_found) {
  NodeIds ids{node(3), node(1), node(3)};
  put_in_order(ids);
  EXPECT_EQ(ids, (NodeIds{node(1), node(3)}));
  EXPECT_TRUE(holds(ids, node(3)));
  EXPECT_FALSE(holds(ids, node(2)));
}

}  // namespace
}  // namespace icefield::icechunk
