#include <cstdlib>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "core/random.h"
#include "core/text.h"
#include "make_bucket.h"
#include "object_store/open.h"
#include "object_store/testing/conformance.h"
#include "object_store/traffic.h"

// Environment: ICEFIELD_TEST_STORE_URL (below it each check gets a prefix of its own),
// ICEFIELD_TEST_STORE_LACKS (any of: key-beside-folder byte-order
// conditional-copy), and what the store kind reads.
namespace icefield {
namespace {

using object_store_testing::ConformanceCheck;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT: nobody writes it
  return value == nullptr ? "" : value;
}

object_store_testing::StoreTraits traits() {
  const auto lacks = variable("ICEFIELD_TEST_STORE_LACKS");
  return {.key_beside_folder = lacks.find("key-beside-folder") == std::string::npos,
          .byte_order = lacks.find("byte-order") == std::string::npos,
          .conditional_copy = lacks.find("conditional-copy") == std::string::npos};
}

class StoreConformance : public testing::TestWithParam<ConformanceCheck> {
 protected:
  static void SetUpTestSuite() {
    const auto made = make_bucket(variable("ICEFIELD_TEST_STORE_URL"));
    ASSERT_TRUE(made) << made.error().message();
  }
  static void TearDownTestSuite() {
    for (const auto& host : object_store::traffic()) {
      std::printf("%s\n", object_store::describe(host).c_str());
    }
  }
};

TEST_P(StoreConformance, holds) {
  const auto url = variable("ICEFIELD_TEST_STORE_URL");
  ASSERT_NE(url, "") << "ICEFIELD_TEST_STORE_URL is not set";
  const auto store = object_store::open_store(core::text(url, "/", core::random_u64(), "/"));
  ASSERT_TRUE(store) << store.error().message();
  GetParam().run(**store, traits());
}

INSTANTIATE_TEST_SUITE_P(, StoreConformance,
                         testing::ValuesIn(object_store_testing::conformance_checks()),
                         object_store_testing::check_name);

}  // namespace
}  // namespace icefield
