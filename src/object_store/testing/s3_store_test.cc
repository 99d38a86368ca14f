#include "object_store/s3/s3_store.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/text.h"
#include "object_store/testing/expectations.h"
#include "object_store/testing/scripted_service.h"

namespace icefield::object_store_testing {
namespace {

using object_store::Key;
using object_store::ObjectStore;
using object_store::PutCondition;
using object_store::PutRequest;

/// A store at `url` with keys of its own, or whatever the variables say.
std::unique_ptr<ObjectStore> store_at(const std::string& url, Variables variables = {}) {
  variables.insert({{"AWS_ENDPOINT_URL_S3", url},
                    {"AWS_ACCESS_KEY_ID", "A"},
                    {"AWS_SECRET_ACCESS_KEY", "hidden"}});
  return *object_store::open_store("s3://bucket/p", options_of(std::move(variables)));
}

TinyAnswer error_answer(int status, const std::string& code, const std::string& more = {}) {
  return {.status = status, .body = core::text("<Error><Code>", code, "</Code>", more, "</Error>")};
}

const TinyAnswer kWritten{
    .headers = {{"etag", "\"2\""}, {"date", "Sun, 06 Nov 1994 08:49:37 GMT"}}};

TEST(S3Store, finds_the_bucket_s_region_by_redirect) {
  ScriptedService service(
      {{.status = 301, .headers = {{"x-amz-bucket-region", "eu-west-1"}}}, object_answer()});
  const auto store = store_at(service.url());
  EXPECT_EQ(text_of(*store, "k"), "object");
  ASSERT_EQ(service.seen().size(), 2U);
  EXPECT_EQ(service.seen()[1].target, "/bucket/p/k");
  EXPECT_NE(header_of(service.seen()[0], "authorization").find("/us-east-1/s3/"),
            std::string::npos);
  EXPECT_NE(header_of(service.seen()[1], "authorization").find("/eu-west-1/s3/"),
            std::string::npos);
}

TEST(S3Store, finds_the_bucket_s_region_by_the_error_and_keeps_it) {
  ScriptedService service(
      {error_answer(400, "AuthorizationHeaderMalformed", "<Region>ap-south-1</Region>"),
       object_answer()});
  const auto store = store_at(service.url());
  EXPECT_EQ(text_of(*store, "k"), "object");
  EXPECT_EQ(text_of(*store, "k"), "object");
  ASSERT_EQ(service.seen().size(), 3U);
  EXPECT_NE(header_of(service.seen()[2], "authorization").find("/ap-south-1/s3/"),
            std::string::npos);
}

/// Whether all of several far ranges of one object are read, which are asked for together.
bool reads_many(const ObjectStore& store) {
  const std::vector<core::ByteRange> ranges = {{0, 6}, {10'000'000, 6}, {20'000'000, 6}};
  const auto read = store.get_many(Key("k"), ranges);
  return std::ranges::all_of(
      read, [](const auto& one) { return one && core::as_text(*one) == "object"; });
}

TinyAnswer range_answer(const TinyRequest& request) {
  auto answer = object_answer();
  const auto range = header_of(request, "range").substr(std::string("bytes=").size());
  answer.status = 206;
  answer.headers.emplace_back("content-range", "bytes " + range + "/30000000");
  return answer;
}

TEST(S3Store, corrects_its_region_for_all_that_was_asked_together) {
  TinyServer server([](const TinyRequest& request) {
    if (header_of(request, "authorization").find("/eu-west-1/s3/") != std::string::npos) {
      return range_answer(request);
    }
    return TinyAnswer{.status = 301, .headers = {{"x-amz-bucket-region", "eu-west-1"}}};
  });
  EXPECT_TRUE(reads_many(*store_at(server.url())));
  EXPECT_EQ(server.requests(), 6);
}

TEST(S3Store, corrects_its_region_once_for_many_puts) {
  TinyServer server([](const TinyRequest& request) {
    const auto signature = header_of(request, "authorization");
    if (signature.find("/eu-west-1/s3/") != std::string::npos) return kWritten;
    return TinyAnswer{.status = 301, .headers = {{"x-amz-bucket-region", "eu-west-1"}}};
  });
  std::vector<PutRequest> objects;
  for (int i = 0; i < 20; ++i) objects.push_back({Key(core::text("k", i)), {}});
  for (const auto& written : store_at(server.url())->put_many(objects)) {
    EXPECT_EQ(outcome(written), "ok");
  }
  EXPECT_EQ(server.requests(), 40);
}

/// Creates objects, and hangs up before it says so.
class Wordless {
 public:
  TinyAnswer answer(const TinyRequest& request) {
    const std::lock_guard lock(mutex_);
    const bool there = ids_.contains(request.target);
    auto& id = ids_[request.target];
    if (request.method == "HEAD") {
      return {.headers = {{"etag", "\"1\""},
                          {"content-length", "0"},
                          {"last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"},
                          {"x-amz-meta-icechunkwriteid", id}},
              .content_length = false};
    }
    if (there) return error_answer(412, "PreconditionFailed");
    id = header_of(request, "x-amz-meta-icechunkwriteid");
    return {.way = TinyAnswer::Way::kHangUp};
  }

 private:
  std::mutex mutex_;  // guards ids_
  std::map<std::string, std::string> ids_;
};

TEST(S3Store, many_creations_whose_answers_are_lost_are_no_conflicts) {
  Wordless service;
  TinyServer server([&](const TinyRequest& request) { return service.answer(request); });
  const auto store = store_at(server.url());
  std::vector<PutRequest> objects;
  for (int i = 0; i < 20; ++i) {
    objects.push_back({Key(core::text("k", i)), {}, PutCondition::absent()});
  }
  for (const auto& created : store->put_many(objects)) EXPECT_EQ(outcome(created), "ok");
  for (const auto& again : store->put_many(objects)) EXPECT_EQ(outcome(again), "conflict");
}

TEST(S3Store, corrects_its_clock_for_all_that_was_asked_together) {
  TinyServer server([](const TinyRequest& request) {
    if (header_of(request, "x-amz-date").starts_with("20331106T08")) return range_answer(request);
    auto skewed = error_answer(403, "RequestTimeTooSkewed");
    skewed.headers = {{"date", "Sun, 06 Nov 2033 08:49:37 GMT"}};
    return skewed;
  });
  EXPECT_TRUE(reads_many(*store_at(server.url())));
  EXPECT_EQ(server.requests(), 6);
}

TEST(S3Store, fetches_new_credentials_once_for_all_that_was_asked_together) {
  ScriptedService container(
      {{.body = R"({"AccessKeyId":"OLD","SecretAccessKey":"S","Token":"T"})"},
       {.body = R"({"AccessKeyId":"NEW","SecretAccessKey":"S","Token":"T"})"}});
  TinyServer server([](const TinyRequest& request) {
    const bool old = header_of(request, "authorization").find("=OLD/") != std::string::npos;
    return old ? error_answer(400, "ExpiredToken") : range_answer(request);
  });
  const auto store = *object_store::open_store(
      "s3://bucket", options_of({{"AWS_ENDPOINT_URL", server.url()},
                                 {"AWS_CONTAINER_CREDENTIALS_FULL_URI", container.url() + "/c"}}));
  EXPECT_TRUE(reads_many(*store));
  EXPECT_EQ(container.seen().size(), 2U);
}

TEST(S3Store, follows_a_temporary_redirect_and_signs_for_its_host) {
  ScriptedService there({object_answer()});
  ScriptedService here(
      {{.status = 307, .headers = {{"location", there.url() + "/elsewhere/k?ignored=1"}}}});
  EXPECT_EQ(text_of(*store_at(here.url()), "k"), "object");
  ASSERT_EQ(there.seen().size(), 1U);
  EXPECT_EQ(there.seen()[0].target, "/elsewhere/k");
  EXPECT_NE(header_of(there.seen()[0], "authorization"), "");
  EXPECT_NE(header_of(there.seen()[0], "authorization"),
            header_of(here.seen()[0], "authorization"));
}

TEST(S3Store, anonymous_access_signs_nothing_and_looks_for_no_credentials) {
  ScriptedService service({object_answer()});
  std::vector<std::string> looked_at;
  auto options = options_of({{"AWS_ENDPOINT_URL", service.url()},
                             {"AWS_EC2_METADATA_SERVICE_ENDPOINT", service.url()},
                             {"AWS_CONTAINER_CREDENTIALS_FULL_URI", service.url() + "/c"}});
  options.environment = [&looked_at, inner = options.environment](std::string_view name) {
    looked_at.emplace_back(name);
    return inner(name);
  };
  options.access = object_store::Access::kAnonymous;
  const auto store = *object_store::open_store("s3://bucket", options);
  EXPECT_EQ(text_of(*store, "k"), "object");
  ASSERT_EQ(service.seen().size(), 1U);
  EXPECT_EQ(header_of(service.seen()[0], "authorization"), "");
  EXPECT_FALSE(looked_at.empty());
  for (const auto& name : looked_at) {
    for (const auto* part : {"KEY", "TOKEN", "CREDENTIALS", "PROFILE", "HOME", "METADATA"}) {
      EXPECT_EQ(name.find(part), std::string::npos) << name;
    }
  }
}

TEST(S3Store, given_keys_are_used_and_no_place_is_asked) {
  ScriptedService service({object_answer()});
  object_store::Transport transport(4);
  const object_store::S3Settings settings{.bucket = "bucket",
                                          .endpoint = service.url(),
                                          .region = "us-east-1",
                                          .path_style = true,
                                          .access = object_store::S3Access::kKeys,
                                          .keys = {"GIVEN", "S", "", std::nullopt}};
  int asked = 0;
  const auto store = object_store::make_s3_store(settings,
                                                 [&asked](std::string_view /*name*/) {
                                                   ++asked;
                                                   return std::optional<std::string>();
                                                 },
                                                 {.transport = &transport});
  EXPECT_EQ(text_of(*store, "k"), "object");
  EXPECT_EQ(asked, 0);
  EXPECT_NE(header_of(service.seen()[0], "authorization").find("Credential=GIVEN/"),
            std::string::npos);
}

TEST(S3Store, asks_for_new_credentials_when_the_service_calls_them_expired) {
  ScriptedService container(
      {{.body = R"({"AccessKeyId":"OLD","SecretAccessKey":"S","Token":"T"})"},
       {.body = R"({"AccessKeyId":"NEW","SecretAccessKey":"S","Token":"T"})"}});
  ScriptedService service({error_answer(400, "ExpiredToken"), object_answer()});
  const auto store = *object_store::open_store(
      "s3://bucket", options_of({{"AWS_ENDPOINT_URL", service.url()},
                                 {"AWS_CONTAINER_CREDENTIALS_FULL_URI", container.url() + "/c"}}));
  EXPECT_EQ(text_of(*store, "k"), "object");
  ASSERT_EQ(service.seen().size(), 2U);
  EXPECT_NE(header_of(service.seen()[0], "authorization").find("=OLD/"), std::string::npos);
  EXPECT_NE(header_of(service.seen()[1], "authorization").find("=NEW/"), std::string::npos);
  EXPECT_EQ(header_of(service.seen()[1], "x-amz-security-token"), "T");
}

TEST(S3Store, signs_again_by_the_service_s_clock) {
  auto skewed = error_answer(403, "RequestTimeTooSkewed");
  skewed.headers = {{"date", "Sun, 06 Nov 2033 08:49:37 GMT"}};
  ScriptedService service({skewed, object_answer()});
  const auto store = store_at(service.url());
  EXPECT_EQ(text_of(*store, "k"), "object");
  EXPECT_EQ(text_of(*store, "k"), "object");
  ASSERT_EQ(service.seen().size(), 3U);  // what was learnt is kept
  EXPECT_EQ(header_of(service.seen()[1], "x-amz-date").substr(0, 11), "20331106T08");
  EXPECT_EQ(header_of(service.seen()[2], "x-amz-date").substr(0, 11), "20331106T08");
}

TEST(S3Store, a_wrong_time_that_the_service_s_clock_does_not_explain_is_an_error) {
  ScriptedService service({error_answer(403, "RequestTimeTooSkewed")});  // and no Date
  const auto object = store_at(service.url())->get(Key("k"));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().message(), "s3://bucket/p/k: status 403 RequestTimeTooSkewed: ");
  EXPECT_EQ(service.seen().size(), 1U);
}

TEST(S3Store, a_refused_head_says_why) {
  ScriptedService service({{.status = 403}, error_answer(403, "AccessDenied")});
  const auto info = store_at(service.url())->head(Key("k"));
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code(), core::ErrorCode::kPermissionDenied);
  EXPECT_EQ(info.error().message(), "s3://bucket/p/k: status 403 AccessDenied: ");
  ASSERT_EQ(service.seen().size(), 2U);
  EXPECT_EQ(service.seen()[1].method, "GET");
  EXPECT_EQ(header_of(service.seen()[1], "range"), "bytes=0-0");
}

TEST(S3Store, errors_say_status_code_and_object_and_no_secret) {
  ScriptedService service({error_answer(403, "AccessDenied", "<Message>no</Message>")});
  const auto object = store_at(service.url())->get(Key("k"));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code(), core::ErrorCode::kPermissionDenied);
  EXPECT_EQ(object.error().message(), "s3://bucket/p/k: status 403 AccessDenied: no");
}

TEST(S3Store, a_busy_answer_is_not_a_lost_race) {  // OBJ-3
  ScriptedService service({error_answer(409, "ConditionalRequestConflict"), kWritten});
  const auto store = store_at(service.url());
  EXPECT_EQ(outcome(store->put(Key("k"), {}, PutCondition::absent())), "ok");
  ASSERT_EQ(service.seen().size(), 2U);
  EXPECT_EQ(header_of(service.seen()[1], "if-none-match"), "*");
}

TEST(S3Store, of_many_puts_only_the_disturbed_one_is_sent_again) {
  ScriptedService service({error_answer(409, "OperationAborted"), kWritten});
  const std::vector<PutRequest> objects = {{Key("a"), {}, PutCondition::absent()},
                                           {Key("b"), {}, PutCondition::absent()},
                                           {Key("c"), {}, PutCondition::none()}};
  for (const auto& written : store_at(service.url())->put_many(objects)) {
    EXPECT_EQ(outcome(written), "ok");
  }
  EXPECT_EQ(service.seen().size(), 4U);
}

TEST(S3Store, a_service_that_stays_busy_is_unavailable_and_nobody_has_won) {
  ScriptedService service({error_answer(409, "ConditionalRequestConflict")});
  const auto store = store_at(service.url());
  const auto put = store->put(Key("k"), {}, PutCondition::absent());
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), core::ErrorCode::kUnavailable);
  EXPECT_NE(put.error().message().find("status 409 ConditionalRequestConflict"), std::string::npos);
  const auto copied = store->copy(Key("k"), Key("l"), std::nullopt);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code(), core::ErrorCode::kUnavailable);
  EXPECT_NE(copied.error().message().find("409"), std::string::npos);
}

TEST(S3Store, a_lost_race_is_412_and_says_so) {
  // the second answer is that to the look at whose object it is
  ScriptedService service({error_answer(412, "PreconditionFailed"),
                           {.headers = {{"etag", "\"3\""},
                                        {"content-length", "6"},
                                        {"last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"}},
                            .content_length = false}});
  const auto put = store_at(service.url())->put(Key("k"), {}, PutCondition::absent());
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), core::ErrorCode::kConflict);
  EXPECT_NE(put.error().message().find("s3://bucket/p/k: status 412 PreconditionFailed"),
            std::string::npos);
  EXPECT_EQ(service.seen().size(), 2U);
}

TEST(S3Store, keys_that_could_not_be_deleted_just_then_are_deleted_later) {
  ScriptedService service(
      {{.body = "<DeleteResult><Error><Key>p/a</Key><Code>SlowDown</Code></Error></DeleteResult>"},
       {.body = "<DeleteResult/>"}});
  const std::vector<Key> keys = {Key("a"), Key("b")};
  for (const auto& removed : store_at(service.url())->remove(keys)) {
    EXPECT_EQ(outcome(removed), "ok");
  }
  EXPECT_EQ(service.seen().size(), 2U);
}

TEST(S3Store, aborts_old_uploads_below_its_prefix_only) {
  const auto upload = [](const char* key, const char* id, const char* begun) {
    return core::text("<Upload><Key>", key, "</Key><UploadId>", id, "</UploadId><Initiated>", begun,
                      "</Initiated></Upload>");
  };
  ScriptedService service(
      {{.body = core::text("<ListMultipartUploadsResult>",
                           upload("p/old", "1", "2020-01-01T00:00:00.000Z"),
                           upload("p/new", "2", "2025-01-01T00:00:00.000Z"),
                           upload("q/old", "3", "2020-01-01T00:00:00.000Z"),
                           "<IsTruncated>true</IsTruncated><NextKeyMarker>p/new</NextKeyMarker>"
                           "<NextUploadIdMarker>2</NextUploadIdMarker>"
                           "</ListMultipartUploadsResult>")},
       {.status = 204},
       {.body = core::text("<ListMultipartUploadsResult>",
                           upload("p/older", "4", "2019-01-01T00:00:00.000Z"),
                           "</ListMultipartUploadsResult>")},
       {.status = 204}});
  const auto removed =
      store_at(service.url())
          ->remove_leftovers(core::Instant(*core::parse_timestamp("2024-01-01T00:00:00")));
  ASSERT_TRUE(removed) << removed.error().message();
  EXPECT_EQ(*removed, 2U);
  ASSERT_EQ(service.seen().size(), 4U);
  EXPECT_EQ(service.seen()[0].target, "/bucket?prefix=p%2F&uploads=");
  EXPECT_EQ(service.seen()[1].target, "/bucket/p/old?uploadId=1");
  EXPECT_EQ(service.seen()[2].target,
            "/bucket?key-marker=p%2Fnew&prefix=p%2F&upload-id-marker=2&uploads=");
  EXPECT_EQ(service.seen()[3].target, "/bucket/p/older?uploadId=4");
}

}  // namespace
}  // namespace icefield::object_store_testing
