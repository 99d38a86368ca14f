#include <gtest/gtest.h>

#include "object_store/open.h"
#include "object_store/testing/conformance.h"
#include "object_store/testing/scratch_folder.h"

namespace icefield::object_store_testing {
namespace {

class LocalConformance : public testing::TestWithParam<ConformanceCheck> {};

TEST_P(LocalConformance, holds) {
  const ScratchFolder folder;
  const auto store = object_store::open_store((folder.path() / "root").string());
  ASSERT_TRUE(store) << store.error().message();
  GetParam().run(**store, {.key_beside_folder = false});
}

INSTANTIATE_TEST_SUITE_P(, LocalConformance, testing::ValuesIn(conformance_checks()), check_name);

class MemoryConformance : public testing::TestWithParam<ConformanceCheck> {};

TEST_P(MemoryConformance, holds) {
  const auto store = object_store::open_store("memory://");
  ASSERT_TRUE(store) << store.error().message();
  GetParam().run(**store, {});
}

INSTANTIATE_TEST_SUITE_P(, MemoryConformance, testing::ValuesIn(conformance_checks()), check_name);

class PrefixConformance : public testing::TestWithParam<ConformanceCheck> {};

TEST_P(PrefixConformance, holds) {
  const std::string url = "memory://prefix-" + std::string(GetParam().name);
  const auto whole = object_store::open_store(url);
  const auto store = object_store::open_store(url + "/below/this/");
  ASSERT_TRUE(store) << store.error().message();
  const object_store::PutCondition none;
  ASSERT_TRUE((*whole)->put(object_store::Key("below/thi"), {}, none));
  ASSERT_TRUE((*whole)->put(object_store::Key("below/this0"), {}, none));
  GetParam().run(**store, {});
}

INSTANTIATE_TEST_SUITE_P(, PrefixConformance, testing::ValuesIn(conformance_checks()), check_name);

}  // namespace
}  // namespace icefield::object_store_testing
