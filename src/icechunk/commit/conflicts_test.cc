#include "icechunk/commit/conflicts.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "icechunk/commit/testing/repository_words.h"

namespace icefield::icechunk {
namespace {

using namespace testing_words;  // NOLINT: small words of the tests

using Edit = std::function<void(Session&)>;

/// Two sessions on one base; `theirs` commits first, then `ours`. `ours_after` is the answer to
/// ours, `theirs_after` when the order is turned round. Empty: it must land.
struct OrderCase {
  friend std::ostream& operator<<(std::ostream& out, const OrderCase& tested) {
    return out << tested.name;
  }
  std::string name;
  Edit ours;
  Edit theirs;
  std::string ours_after;
  std::string theirs_after;
};

const Edit kUpdateArray = [](Session& s) { put_array(s, "/g/a", {4}, R"({"x":1})"); };
const Edit kUpdateArrayOtherwise = [](Session& s) { put_array(s, "/g/a", {4}, R"({"x":2})"); };
const Edit kUpdateGroup = [](Session& s) {
  must(s.set_metadata("/g", core::as_bytes(R"({"node_type":"group","attributes":{"y":1}})")));
};
const Edit kDeleteArray = [](Session& s) { must(s.delete_node("/g/a")); };
const Edit kDeleteGroup = [](Session& s) { must(s.delete_node("/g")); };
const Edit kWriteChunk = [](Session& s) { put_chunk(s, "/g/a", {1}, "x"); };
const Edit kWriteOtherChunk = [](Session& s) { put_chunk(s, "/g/a", {2}, "x"); };
const Edit kDeleteChunk = [](Session& s) { must(s.delete_chunk("/g/a", ChunkIndex{0})); };
const Edit kOverwriteChunk = [](Session& s) { put_chunk(s, "/g/a", {0}, "x"); };
const Edit kCreateInGroup = [](Session& s) { put_array(s, "/g/new", {4}); };
const Edit kCreateBeside = [](Session& s) { put_array(s, "/new", {4}); };
const Edit kCreateGroupBeside = [](Session& s) {
  put_group(s, "/new");
  put_array(s, "/new/deep", {4});
};
const Edit kRecreateArray = [](Session& s) {
  must(s.delete_node("/g/a"));
  put_array(s, "/g/a", {4});
};
const Edit kMoveGroup = [](Session& s) { must(s.move_node("/g", "/moved")); };
const Edit kMoveOntoNew = [](Session& s) { must(s.move_node("/g/a", "/new")); };

class BothOrders : public testing::TestWithParam<OrderCase> {
 protected:
  static std::string answer_to_second(const Edit& first, const Edit& second) {
    auto repository = new_repository(memory_store());
    auto setup = must(repository.writable_session("main"));
    put_group(setup, "/");
    put_group(setup, "/g");
    put_array(setup, "/g/a", {4});
    put_chunk(setup, "/g/a", {0}, "base");
    must(commit(setup, "base"));
    auto one = must(repository.writable_session("main"));
    auto two = must(repository.writable_session("main"));
    first(one);
    second(two);
    must(commit(one, "first"));
    const auto result = commit(two, "second");
    if (result) return "";
    EXPECT_EQ(result.error().code(), core::ErrorCode::kConflict) << result.error().message();
    const std::string& message = result.error().message();
    const auto start = message.find("rebase: ") + 8;
    return message.substr(start, message.find(" at ") - start);
  }
};

TEST_P(BothOrders, end_as_the_rules_say) {
  EXPECT_EQ(answer_to_second(GetParam().theirs, GetParam().ours), GetParam().ours_after);
  EXPECT_EQ(answer_to_second(GetParam().ours, GetParam().theirs), GetParam().theirs_after);
}

INSTANTIATE_TEST_SUITE_P(
    , BothOrders,
    testing::Values(
        // rows of the format
        OrderCase{"row_0_move_and_edit", kWriteChunk, kMoveGroup, "MoveOperationCannotBeRebased",
                  ""},
        OrderCase{"row_1_both_create", kCreateBeside, kCreateGroupBeside,
                  "NewNodeConflictsWithExistingNode", "NewNodeConflictsWithExistingNode"},
        OrderCase{"row_2_below_an_array", kCreateGroupBeside, kMoveOntoNew,
                  "MoveOperationCannotBeRebased", "MoveOfChangedTree"},
        OrderCase{"row_3_both_update_an_array", kUpdateArray, kUpdateArrayOtherwise,
                  "ZarrMetadataDoubleUpdate", "ZarrMetadataDoubleUpdate"},
        OrderCase{"row_3_both_update_a_group", kUpdateGroup, kUpdateGroup,
                  "ZarrMetadataDoubleUpdate", "ZarrMetadataDoubleUpdate"},
        OrderCase{"rows_4_and_9_update_and_delete_array", kUpdateArray, kDeleteArray,
                  "ZarrMetadataUpdateOfDeletedArray", "DeleteOfUpdatedArray"},
        OrderCase{"rows_5_and_10_update_and_delete_group", kUpdateGroup, kDeleteGroup,
                  "ZarrMetadataUpdateOfDeletedGroup", "DeleteOfUpdatedGroup"},
        OrderCase{"rows_6_and_9_chunks_and_delete", kWriteChunk, kDeleteArray,
                  "ChunksUpdatedInDeletedArray", "DeleteOfUpdatedArray"},
        OrderCase{"row_7_chunks_and_update", kWriteChunk, kUpdateArray,
                  "ChunksUpdatedInUpdatedArray", ""},
        OrderCase{"row_8_one_chunk", kOverwriteChunk, kDeleteChunk, "ChunkDoubleUpdate",
                  "ChunkDoubleUpdate"},
        // holes of the official rules
        OrderCase{"hole_a_create_below_deleted", kCreateInGroup, kDeleteGroup,
                  "NewNodeWithoutParent", "DeleteOfGrownGroup"},
        OrderCase{"hole_b_both_recreate", kRecreateArray, kRecreateArray, "DeleteOfRecreatedNode",
                  "DeleteOfRecreatedNode"},
        OrderCase{"hole_c_delete_of_recreated", kDeleteArray, kRecreateArray,
                  "DeleteOfRecreatedNode", ""},
        OrderCase{"hole_d_move_of_grown_group", kMoveGroup, kCreateInGroup, "MoveOfChangedTree",
                  "MoveOperationCannotBeRebased"},
        // no conflicts
        OrderCase{"other_chunks", kWriteChunk, kWriteOtherChunk, "", ""},
        OrderCase{"both_delete", kDeleteGroup, kDeleteGroup, "", ""},
        OrderCase{"delete_inside_what_is_deleted", kDeleteArray, kDeleteGroup, "", ""},
        OrderCase{"move_over_edit", kMoveGroup, kWriteChunk, "", "MoveOperationCannotBeRebased"},
        OrderCase{"new_node_and_chunks", kCreateBeside, kWriteChunk, "", ""}),
    [](const auto& tested) { return tested.param.name; });

TEST(Conflicts, name_every_kind) {
  for (int kind = 0; kind <= static_cast<int>(ConflictKind::kMoveOfChangedTree); ++kind) {
    EXPECT_FALSE(conflict_name(static_cast<ConflictKind>(kind)).empty());
  }
}

}  // namespace
}  // namespace icefield::icechunk
