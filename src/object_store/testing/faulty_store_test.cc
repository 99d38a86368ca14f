#include "object_store/testing/faulty_store.h"

#include <gtest/gtest.h>

#include "core/text.h"
#include "object_store/memory/memory_store.h"
#include "object_store/testing/expectations.h"

namespace icefield::object_store_testing {
namespace {

using object_store::Key;
using object_store::PutCondition;

struct FaultCase {
  std::string name;
  FaultRule rule;
  std::string put, text_behind, read;  // outcome of a put, what the inner store then holds, a read
};

class Faults : public testing::TestWithParam<FaultCase> {};

TEST_P(Faults, do_what_they_say) {
  const auto inner = object_store::make_memory_store();
  must_put(*inner, "k", "before");
  const auto faulty = make_faulty_store(*inner, {.rules = {GetParam().rule}});
  const auto put = faulty->put(Key("k"), core::as_bytes("behind"), PutCondition::none());
  EXPECT_EQ(outcome(put).substr(0, GetParam().put.size()), GetParam().put);
  EXPECT_EQ(text_of(*inner, "k"), GetParam().text_behind);
  EXPECT_EQ(text_of(*faulty, "k").substr(0, 6), GetParam().read);
}

INSTANTIATE_TEST_SUITE_P(
    , Faults,
    testing::Values(
        FaultCase{
            "error_before", {.operation = Operation::kPut}, "unavailable", "before", "before"},
        FaultCase{"lost_answer",
                  {.fault = Fault::kLostAnswer, .operation = Operation::kPut},
                  "unknown outcome",
                  "behind",
                  "behind"},
        FaultCase{"read_refused", {.operation = Operation::kGet}, "ok", "behind", "(error"},
        FaultCase{"truncated", {.fault = Fault::kTruncatedBody}, "ok", "behind", "beh"},
        FaultCase{"flipped", {.fault = Fault::kFlippedByte}, "ok", "behind", "beh)nd"},
        FaultCase{"other_key", {.key_part = "other"}, "ok", "behind", "behind"},
        FaultCase{"second_call_only", {.skip = 1, .count = 1}, "ok", "behind", "(error"},
        FaultCase{"first_call_only", {.count = 1}, "unavailable", "before", "before"}),
    [](const auto& tested) { return tested.param.name; });

TEST(FaultyStore, repeats_a_put_before_the_next_call) {
  const auto inner = object_store::make_memory_store();
  const auto faulty =
      make_faulty_store(*inner, {.rules = {{.fault = Fault::kTwiceLate, .count = 1}}});
  ASSERT_TRUE(faulty->put(Key("k"), core::as_bytes("first"), PutCondition::none()));
  must_put(*inner, "k", "someone else");
  EXPECT_EQ(text_of(*faulty, "k"), "first");
}

TEST(FaultyStore, repeats_itself_by_seed) {
  const auto run = [](std::uint64_t seed) {
    const auto inner = object_store::make_memory_store();
    must_put(*inner, "k", "x");
    const auto faulty = make_faulty_store(*inner, {.seed = seed, .rules = {{.chance = 0.5}}});
    std::string outcomes;
    for (int i = 0; i < 64; ++i) outcomes += faulty->get(Key("k")) ? '.' : 'F';
    return outcomes;
  };
  EXPECT_EQ(run(7), run(7));
  EXPECT_NE(run(7), run(8));
}

}  // namespace
}  // namespace icefield::object_store_testing
