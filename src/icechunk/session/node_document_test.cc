#include "icechunk/session/node_document.h"

#include <string>

#include <gtest/gtest.h>

#include "core/bytes.h"

namespace icefield::icechunk {
namespace {

std::string array_document(const std::string& shape, const std::string& grid,
                           const std::string& names = "null") {
  return R"({"zarr_format":3,"node_type":"array","shape":)" + shape + R"(,"chunk_grid":)" + grid +
         R"(,"dimension_names":)" + names + "}";
}

std::string regular(const std::string& chunks) {
  return R"({"name":"regular","configuration":{"chunk_shape":)" + chunks + "}}";
}
std::string rectilinear(const std::string& chunks) {
  return R"({"name":"rectilinear","configuration":{"kind":"inline","chunk_shapes":)" + chunks +
         "}}";
}

struct CountCase {
  std::string name;
  std::string document;
  std::vector<std::uint32_t> chunks;
};
class ChunkCounts : public testing::TestWithParam<CountCase> {};

TEST_P(ChunkCounts, follow_from_the_document) {
  const auto parsed = parse_node_document(core::as_bytes(GetParam().document));
  ASSERT_TRUE(parsed) << parsed.error().message();
  ASSERT_TRUE(parsed->array);
  EXPECT_EQ(parsed->array->num_chunks(), GetParam().chunks);
}

INSTANTIATE_TEST_SUITE_P(
    , ChunkCounts,
    testing::Values(
        CountCase{"whole_chunks", array_document("[4,6]", regular("[2,3]")), {2, 2}},
        CountCase{"a_part_of_a_chunk_counts", array_document("[5]", regular("[2]")), {3}},
        CountCase{"length_zero", array_document("[0]", regular("[2]")), {0}},
        CountCase{"chunk_length_zero", array_document("[5]", regular("[0]")), {0}},
        CountCase{"scalar", array_document("[]", regular("[]")), {}},
        CountCase{"rectilinear_sizes", array_document("[10]", rectilinear("[[3,7]]")), {2}},
        CountCase{"rectilinear_runs", array_document("[10]", rectilinear("[[[2,4],1,1]]")), {6}}),
    [](const auto& tested) { return tested.param.name; });

TEST(NodeDocument, takes_unnamed_dimensions_for_absent_names) {
  const auto parsed = parse_node_document(
      core::as_bytes(array_document("[1,1,1]", regular("[1,1,1]"), R"(["x",null,""])")));
  ASSERT_TRUE(parsed);
  const std::vector<std::optional<std::string>> expected = {"x", std::nullopt, std::nullopt};
  EXPECT_EQ(parsed->array->dimension_names, expected);
}

TEST(NodeDocument, knows_groups) {
  const auto parsed = parse_node_document(core::as_bytes(R"({"node_type":"group"})"));
  ASSERT_TRUE(parsed);
  EXPECT_FALSE(parsed->array);
}

class BadDocument : public testing::TestWithParam<std::string> {};

TEST_P(BadDocument, is_refused) {
  const auto parsed = parse_node_document(core::as_bytes(GetParam()));
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code(), core::ErrorCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(
    , BadDocument,
    testing::Values("", "[]", "{}", R"({"node_type":"shelf"})",
                    R"({"node_type":"array","shape":[1]})", array_document("[1,2]", regular("[1]")),
                    array_document("[-1]", regular("[1]")),
                    array_document("[1]", R"({"name":"hexagons","configuration":{}})"),
                    array_document("[9007199254740993]", regular("[1]")),
                    array_document("[1]", rectilinear("[[[1,99999999999]]]")),
                    array_document("[1]", regular("[1]"), R"(["x","y"])"),
                    array_document("[1]", regular("[1]"), "[1]")));

}  // namespace
}  // namespace icefield::icechunk
