#include <map>
#include <mutex>

#include <gtest/gtest.h>

#include "core/file.h"
#include "object_store/open.h"
#include "object_store/testing/conformance.h"
#include "object_store/testing/expectations.h"
#include "object_store/testing/scratch_folder.h"
#include "object_store/testing/tiny_server.h"

namespace icefield::object_store_testing {
namespace {

using namespace std::chrono_literals;
using object_store::Key;
using object_store::OpenOptions;
using object_store::PutCondition;

using Variables = std::map<std::string, std::string, std::less<>>;

OpenOptions options_of(Variables variables) {
  OpenOptions options;
  options.retry = {.attempts = 3, .first = 1ms, .most = 2ms, .total = 5s};
  options.environment =
      [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto at = variables.find(name);
    return at == variables.end() ? std::nullopt : std::optional(at->second);
  };
  return options;
}

/// A web server over a memory store, with the index pages that such servers make.
TinyAnswer serve_files(const object_store::ObjectStore& files, const TinyRequest& request) {
  std::string path;
  for (std::size_t i = 1; i < request.target.size(); ++i) {
    const bool coded = request.target[i] == '%';
    path += coded ? static_cast<char>(std::stoi(request.target.substr(i + 1, 2), nullptr, 16))
                  : request.target[i];
    if (coded) i += 2;
  }
  if (path.empty() || path.ends_with('/')) {
    std::string page = "<html><a href=\"../\">up</a>";
    for (const auto& name : listed(files, {.prefix = path, .recursive = false})) {
      std::string link;
      for (const char c : name.substr(path.size())) {
        link += c == '%' ? "%25" : c == '&' ? "&amp;" : std::string(1, c);
      }
      page += "<a href=\"" + link + "\">x</a>";
    }
    return {.body = page};
  }
  const auto object = files.get(Key(path));
  if (!object) return {.status = 404};
  std::string body(core::as_text(object->bytes));
  TinyAnswer answer{.headers = {{"etag", "\"" + object->info.version.value() + "\""},
                                {"last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"}}};
  if (request.headers.contains("if-none-match") &&
      request.headers.at("if-none-match") == answer.headers[0].second) {
    answer.status = 304;
    return answer;
  }
  if (const auto range = request.headers.find("range"); range != request.headers.end()) {
    const auto first = std::stoull(range->second.substr(6));
    const auto last = std::stoull(range->second.substr(range->second.find('-') + 1));
    if (first >= body.size()) return {.status = 416};
    const auto whole = body.size();
    body = body.substr(first, last - first + 1);
    answer.status = 206;
    answer.headers.push_back({"content-range", "bytes " + std::to_string(first) + "-" +
                                                   std::to_string(first + body.size() - 1) + "/" +
                                                   std::to_string(whole)});
  }
  answer.body = body;
  return answer;
}

class WebServer : public testing::TestWithParam<ConformanceCheck> {};

TEST_P(WebServer, is_read_as_any_store) {
  const auto files = *object_store::open_store("memory://");
  fill_for_reading(*files);
  TinyServer server([&files](const TinyRequest& request) { return serve_files(*files, request); });
  const auto store = *object_store::open_store(server.url() + "/", options_of({}));
  GetParam().run(*store, {});
}

INSTANTIATE_TEST_SUITE_P(, WebServer, testing::ValuesIn(reading_checks()), check_name);

TEST(WebServerStore, lists_recursively_and_refuses_to_write) {
  const auto files = *object_store::open_store("memory://");
  for (const auto* key : {"a/x", "a.b", "a/b/c", "z"}) must_put(*files, key, "x");
  TinyServer server([&files](const TinyRequest& request) { return serve_files(*files, request); });
  const auto store = *object_store::open_store(server.url(), options_of({}));
  EXPECT_EQ(listed(*store, {}), (std::vector<std::string>{"a.b", "a/b/c", "a/x", "z"}));
  EXPECT_EQ(listed(*store, {.recursive = false}), (std::vector<std::string>{"a.b", "a/", "z"}));
  EXPECT_EQ(listed(*store, {.prefix = "a", .start_after = "a/b/c"}),
            std::vector<std::string>{"a/x"});
  EXPECT_EQ(outcome(store->put(Key("n"), {}, PutCondition::none())), "unsupported");
}

/// Remembers requests; answers each from a list, the last one for all that follow.
struct Script {
  std::vector<TinyAnswer> answers;
  std::mutex mutex = {};  // guards seen
  std::vector<TinyRequest> seen = {};
  TinyServer server{[this](const TinyRequest& request) {
    const std::lock_guard lock(mutex);
    seen.push_back(request);
    return answers[std::min(seen.size(), answers.size()) - 1];
  }};
};

const TinyAnswer kObject{
    .headers = {{"etag", "\"1\""}, {"last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"}},
    .body = "object"};

TEST(S3Store, finds_the_bucket_s_region_by_redirect) {
  Script script{
      .answers = {{.status = 301, .headers = {{"x-amz-bucket-region", "eu-west-1"}}}, kObject}};
  const auto store = *object_store::open_store(
      "s3://bucket/p", options_of({{"AWS_ENDPOINT_URL_S3", script.server.url()},
                                   {"AWS_ACCESS_KEY_ID", "A"},
                                   {"AWS_SECRET_ACCESS_KEY", "S"}}));
  EXPECT_EQ(text_of(*store, "k"), "object");
  ASSERT_EQ(script.seen.size(), 2U);
  EXPECT_EQ(script.seen[1].target, "/bucket/p/k");
  EXPECT_NE(script.seen[0].headers["authorization"].find("/us-east-1/s3/"), std::string::npos);
  EXPECT_NE(script.seen[1].headers["authorization"].find("/eu-west-1/s3/"), std::string::npos);
}

TEST(S3Store, anonymous_access_signs_nothing_and_looks_for_no_credentials) {
  Script script{.answers = {kObject}};
  auto options = options_of({{"AWS_ENDPOINT_URL", script.server.url()},
                             {"AWS_EC2_METADATA_SERVICE_ENDPOINT", script.server.url()},
                             {"AWS_CONTAINER_CREDENTIALS_FULL_URI", script.server.url() + "/c"}});
  options.access = object_store::Access::kAnonymous;
  const auto store = *object_store::open_store("s3://bucket", options);
  EXPECT_EQ(text_of(*store, "k"), "object");
  ASSERT_EQ(script.seen.size(), 1U);
  EXPECT_FALSE(script.seen[0].headers.contains("authorization"));
}

TEST(S3Store, a_busy_answer_is_not_a_lost_race) {
  Script script{
      .answers = {{.status = 409, .body = "<Error><Code>ConditionalRequestConflict</Code></Error>"},
                  {.headers = {{"etag", "\"2\""}, {"date", "Sun, 06 Nov 1994 08:49:37 GMT"}}}}};
  auto options = options_of({{"AWS_ENDPOINT_URL", script.server.url()}});
  options.access = object_store::Access::kAnonymous;
  const auto store = *object_store::open_store("s3://bucket", options);
  EXPECT_EQ(outcome(store->put(Key("k"), {}, PutCondition::absent())), "ok");
  ASSERT_EQ(script.seen.size(), 2U);
  EXPECT_EQ(script.seen[1].headers["if-none-match"], "*");
}

TEST(S3Store, errors_say_status_code_and_object_and_no_secret) {
  Script script{.answers = {{.status = 403,
                             .body = "<Error><Code>AccessDenied</Code>"
                                     "<Message>no</Message></Error>"}}};
  const auto store = *object_store::open_store(
      "s3://bucket", options_of({{"AWS_ENDPOINT_URL", script.server.url()},
                                 {"AWS_ACCESS_KEY_ID", "A"},
                                 {"AWS_SECRET_ACCESS_KEY", "hidden"}}));
  const auto object = store->get(Key("k"));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code(), core::ErrorCode::kPermissionDenied);
  EXPECT_EQ(object.error().message(), "s3://bucket/k: status 403 AccessDenied: no");
}

TEST(GcsStore, asks_the_metadata_server_that_is_named_once) {
  Script script{.answers = {{.body = R"({"access_token":"T","expires_in":3600})"}, kObject}};
  const auto host = script.server.url().substr(7);
  const auto store = *object_store::open_store(
      "gs://bucket",
      options_of({{"GCE_METADATA_HOST", host}, {"STORAGE_EMULATOR_HOST", script.server.url()}}));
  EXPECT_EQ(text_of(*store, "a/b"), "object");
  EXPECT_EQ(text_of(*store, "a/b"), "object");
  ASSERT_EQ(script.seen.size(), 3U);
  EXPECT_EQ(script.seen[0].headers["metadata-flavor"], "Google");
  EXPECT_EQ(script.seen[2].headers["authorization"], "Bearer T");
  EXPECT_EQ(script.seen[2].target, "/storage/v1/b/bucket/o/a%2Fb?alt=media");
}

TEST(GcsStore, a_user_s_refresh_token_is_exchanged) {
  const ScratchFolder folder;
  Script script{.answers = {{.body = R"({"access_token":"T","expires_in":3600})"}, kObject}};
  const auto file = folder.path() / "key.json";
  ASSERT_TRUE(core::write_file(
      file, core::as_bytes(R"({"type":"authorized_user","client_id":"c","client_secret":"s",)"
                           R"("refresh_token":"r","token_uri":")" +
                           script.server.url() + R"(/token"})")));
  const auto store = *object_store::open_store(
      "gs://bucket", options_of({{"GOOGLE_APPLICATION_CREDENTIALS", file.string()},
                                 {"STORAGE_EMULATOR_HOST", script.server.url()}}));
  EXPECT_EQ(text_of(*store, "k"), "object");
  EXPECT_EQ(script.seen[0].body,
            "client_id=c&client_secret=s&grant_type=refresh_token&refresh_token=r");
}

TEST(AzureStore, a_signature_in_the_query_is_sent_and_never_shown) {
  Script script{.answers = {{.status = 403, .headers = {{"x-ms-error-code", "AuthFailed"}}}}};
  const auto store = *object_store::open_store(
      "az://container", options_of({{"AZURE_STORAGE_ACCOUNT_NAME", "account"},
                                    {"AZURE_STORAGE_ENDPOINT", script.server.url()},
                                    {"AZURE_STORAGE_SAS_TOKEN", "?sv=1&sig=hidden"}}));
  const auto object = store->get(Key("k"));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().message(), "az://container/k: status 403 AuthFailed");
  EXPECT_EQ(script.seen[0].target, "/container/k?sv=1&sig=hidden");
  EXPECT_FALSE(script.seen[0].headers.contains("authorization"));
}

}  // namespace
}  // namespace icefield::object_store_testing
