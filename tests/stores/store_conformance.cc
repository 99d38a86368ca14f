#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "core/random.h"
#include "core/text.h"
#include "make_bucket.h"
#include "object_store/http/transport.h"
#include "object_store/open.h"
#include "object_store/s3/s3_client.h"
#include "object_store/testing/conformance.h"
#include "object_store/traffic.h"

// Environment: ICEFIELD_TEST_STORE_URL (below it each check gets a prefix of its own),
// ICEFIELD_TEST_STORE_LACKS (any of: key-beside-folder byte-order
// conditional-copy atomic-parts), and what the store kind reads.
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
          .conditional_copy = lacks.find("conditional-copy") == std::string::npos,
          .atomic_parts = lacks.find("atomic-parts") == std::string::npos};
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

// An upload whose writer died is shown by no listing; maintenance takes it away. Only S3 has
// uploads that somebody else can find; elsewhere the service drops them by itself.
TEST(Leftovers, of_a_dead_writer_are_aborted) {
  const auto url = variable("ICEFIELD_TEST_STORE_URL");
  const auto soon = core::system_now() + std::chrono::hours(1);
  if (!url.starts_with("s3://")) {
    const auto removed = (*object_store::open_store(url))->remove_leftovers(soon);
    ASSERT_TRUE(removed) << removed.error().message();
    EXPECT_EQ(*removed, 0U);
    return;
  }
  const auto made = make_bucket(url);
  ASSERT_TRUE(made) << made.error().message();
  const auto environment = object_store::process_environment();
  const auto bucket = url.substr(5, url.find('/', 5) - 5);
  const object_store::Sending sending{.transport = &object_store::Transport::shared()};
  const object_store::S3Client client(*object_store::s3_settings(bucket, environment),
                                      object_store::credential_chain(environment, sending),
                                      sending);
  const auto folder = core::text("dead-", core::random_u64());
  const auto begun =
      client.send({.method = "POST", .key = folder + "/large", .query = {{"uploads", ""}}});
  ASSERT_TRUE(begun.answer) << begun.answer.error().message();
  ASSERT_EQ(begun.answer->status, 200);
  const auto store = object_store::open_store("s3://" + bucket + "/" + folder);
  ASSERT_TRUE(store) << store.error().message();
  const auto removed = [&store](core::Instant older_than) {
    const auto number = (*store)->remove_leftovers(older_than);
    return number ? std::to_string(*number) : number.error().message();
  };
  EXPECT_EQ(removed(core::system_now() - std::chrono::hours(1)), "0");
  EXPECT_EQ(removed(soon), "1");
  EXPECT_EQ(removed(soon), "0");
}

INSTANTIATE_TEST_SUITE_P(, StoreConformance,
                         testing::ValuesIn(object_store_testing::conformance_checks()),
                         object_store_testing::check_name);

}  // namespace
}  // namespace icefield
