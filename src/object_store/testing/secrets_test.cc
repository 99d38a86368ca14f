#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/text.h"
#include "object_store/http/transport.h"
#include "object_store/testing/expectations.h"
#include "object_store/testing/scripted_service.h"

// Where a secret must not be: on the wire, in the store, in errors, in the process's arguments.
namespace icefield::object_store_testing {
namespace {

using object_store::Key;
using object_store::PutCondition;

constexpr const char* kSecret = "c2VjcmV0LXRoYXQtbXVzdC1ub3QtYmUtc2Vlbg==";

struct Keyed {
  std::string name, url;
  Variables variables;  // "@" stands for the service's URL
};

class SecretKeys : public testing::TestWithParam<Keyed> {
 protected:
  static Variables variables(const std::string& url) {
    auto all = GetParam().variables;
    for (auto& [name, value] : all) {
      if (value == "@") value = url;
    }
    return all;
  }
};

TEST_P(SecretKeys, sign_requests_and_are_never_sent_stored_or_shown) {
  ScriptedService service({{.status = 403, .body = "<Error><Code>Denied</Code></Error>"}});
  const auto store =
      *object_store::open_store(GetParam().url, options_of(variables(service.url())));
  EXPECT_EQ(store->location().find(kSecret), std::string::npos);
  const auto bytes = core::as_bytes("object");
  std::vector<core::Error> errors;
  errors.push_back(store->get(Key("k")).error());
  errors.push_back(store->head(Key("k")).error());
  errors.push_back(store->put(Key("k"), bytes, PutCondition::none()).error());
  errors.push_back(store->put(Key("k"), bytes, PutCondition::absent()).error());
  errors.push_back(store->copy(Key("k"), Key("l"), std::nullopt).error());
  errors.push_back(store->remove(std::vector{Key("k")}).front().error());
  errors.push_back(list_all(*store, "").error());
  for (const auto& error : errors) {
    EXPECT_EQ(error.message().find(kSecret), std::string::npos) << error.message();
  }
  EXPECT_GE(service.seen().size(), errors.size());
  for (const auto& request : service.seen()) {
    EXPECT_NE(header_of(request, "authorization"), "");
    auto whole = request.target + request.body;
    for (const auto& [name, value] : request.headers) whole += name + value;
    EXPECT_EQ(whole.find(kSecret), std::string::npos) << request.method << " " << request.target;
  }
  std::ifstream arguments("/proc/self/cmdline");
  const std::string shown{std::istreambuf_iterator<char>(arguments), {}};
  EXPECT_FALSE(shown.empty());
  EXPECT_EQ(shown.find(kSecret), std::string::npos);
}

TEST_P(SecretKeys, are_not_in_errors_of_services_that_do_not_answer) {
  const auto nobody = TinyServer([](const TinyRequest&) { return TinyAnswer{}; }).url();
  const auto object =
      (*object_store::open_store(GetParam().url, options_of(variables(nobody))))->get(Key("k"));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().message().find(kSecret), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(, SecretKeys,
                         testing::Values(Keyed{"s3",
                                               "s3://bucket",
                                               {{"AWS_ENDPOINT_URL", "@"},
                                                {"AWS_ACCESS_KEY_ID", "A"},
                                                {"AWS_SECRET_ACCESS_KEY", kSecret}}},
                                         Keyed{"azure",
                                               "az://container",
                                               {{"AZURE_STORAGE_ACCOUNT_NAME", "account"},
                                                {"AZURE_STORAGE_ENDPOINT", "@"},
                                                {"AZURE_STORAGE_ACCOUNT_KEY", kSecret}}}),
                         [](const auto& tested) { return tested.param.name; });

// Tokens are sent, but neither they nor what is in queries may be in an error or in the report of
// what was exchanged.
TEST(SecretTokens, are_in_no_error_and_no_report) {
  ScriptedService service({{.status = 500, .body = "down"}});
  const std::vector<std::pair<std::string, Variables>> stores = {
      {"s3://bucket",
       {{"AWS_ENDPOINT_URL", service.url()},
        {"AWS_ACCESS_KEY_ID", "A"},
        {"AWS_SECRET_ACCESS_KEY", "S"},
        {"AWS_SESSION_TOKEN", kSecret}}},
      {"az://container",
       {{"AZURE_STORAGE_ACCOUNT_NAME", "account"},
        {"AZURE_STORAGE_ENDPOINT", service.url()},
        {"AZURE_STORAGE_SAS_TOKEN", core::text("sv=1&sig=", kSecret)}}}};
  for (const auto& [url, variables] : stores) {
    const auto store = *object_store::open_store(url, options_of(variables));
    const auto object = store->get(Key("k"));
    ASSERT_FALSE(object);
    EXPECT_NE(object.error().message().find("status 500"), std::string::npos);
    EXPECT_EQ(object.error().message().find(kSecret), std::string::npos);
    const auto put = store->put(Key("k"), core::as_bytes("x"), PutCondition::absent());
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().message().find(kSecret), std::string::npos);
  }
  for (const auto& host : object_store::traffic()) {
    EXPECT_EQ(describe(host).find(kSecret), std::string::npos);
  }
}

}  // namespace
}  // namespace icefield::object_store_testing
