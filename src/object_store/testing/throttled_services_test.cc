#include <set>

#include <gtest/gtest.h>

#include "core/text.h"
#include "object_store/testing/expectations.h"
#include "object_store/testing/scripted_service.h"

// OBJ-1 and OBJ-2: each kind of request of each kind of store is refused, or left hanging, when it
// comes for the first time, and answered when it comes again.
namespace icefield::object_store_testing {
namespace {

using namespace std::chrono_literals;
using object_store::Key;
using object_store::ObjectStore;
using object_store::PutCondition;

using Service = TinyAnswer (*)(const TinyRequest& request);

bool asks(const TinyRequest& request, const char* method, const char* part = "") {
  return request.method == method && request.target.find(part) != std::string::npos;
}

TinyAnswer with_range(const TinyRequest& request, TinyAnswer answer) {
  if (header_of(request, "range").empty()) return answer;
  answer.status = 206;
  answer.headers.push_back({"content-range", "bytes 0-5/6"});
  return answer;
}

TinyAnswer head_answer() {
  auto answer = object_answer({{"content-length", "6"}});
  answer.content_length = false;
  return answer;
}

// An S3 service with one object, as far as statuses and documents go.
TinyAnswer s3_service(const TinyRequest& request) {
  if (asks(request, "POST", "uploads=")) {
    return {.body = "<I><UploadId>u</UploadId></I>"};
  }
  if (asks(request, "POST", "uploadId=")) {
    return {.headers = {{"date", "Sun, 06 Nov 1994 08:49:37 GMT"}},
            .body = "<C><ETag>\"1\"</ETag></C>"};
  }
  if (asks(request, "POST", "delete=")) return {.body = "<DeleteResult/>"};
  if (asks(request, "GET", "list-type=2")) return {.body = "<ListBucketResult/>"};
  if (asks(request, "GET", "uploads=")) return {.body = "<ListMultipartUploadsResult/>"};
  if (asks(request, "HEAD")) return head_answer();
  if (asks(request, "PUT")) {
    return {.headers = {{"etag", "\"1\""}, {"date", "Sun, 06 Nov 1994 08:49:37 GMT"}},
            .body = header_of(request, "x-amz-copy-source").empty() ? "" : "<CopyObjectResult/>"};
  }
  return with_range(request, object_answer());
}

// The same of Google's.
TinyAnswer gcs_service(const TinyRequest& request) {
  constexpr const char* kResource =
      R"({"size":"6","generation":"1","updated":"2025-01-01T00:00:00Z"})";
  if (asks(request, "POST", "uploadType=resumable")) {
    return {.headers = {{"location", "http://" + header_of(request, "host") + "/session"}}};
  }
  if (asks(request, "PUT", "/session")) {
    const auto range = header_of(request, "content-range");
    const auto slash = range.find('/');
    const auto last = range.substr(range.find('-') + 1, slash - range.find('-') - 1);
    const bool whole = std::stoull(last) + 1 == std::stoull(range.substr(slash + 1));
    if (whole) return {.body = kResource};
    return {.status = 308, .headers = {{"range", "bytes=0-" + last}}};
  }
  if (asks(request, "POST", "rewriteTo")) return {.body = "{}"};
  if (asks(request, "GET", "prefix=")) return {.body = "{}"};
  if (asks(request, "DELETE")) return {.status = 204};
  if (asks(request, "GET", "alt=media")) return with_range(request, object_answer());
  return {.body = kResource};
}

// The same of Azure's.
TinyAnswer azure_service(const TinyRequest& request) {
  if (asks(request, "GET", "comp=list")) return {.body = "<EnumerationResults/>"};
  if (asks(request, "HEAD")) return head_answer();
  if (asks(request, "DELETE")) return {.status = 202};
  if (asks(request, "PUT")) {
    return {.status = 201,
            .headers = {{"etag", "\"1\""}, {"last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"}}};
  }
  return with_range(request, object_answer());
}

struct Kind {
  std::string name, url;
  Service service;
  Variables variables;  // "@" stands for the service's URL
};

class EveryStore : public testing::TestWithParam<Kind> {
 protected:
  // The first request of each method and target gets `trouble`.
  void serve(const TinyAnswer& trouble) {
    server_ = std::make_unique<TinyServer>([this, trouble](const TinyRequest& request) {
      const std::lock_guard lock(mutex_);
      // what an upload is called differs from time to time
      const auto target = request.target.substr(0, request.target.find("blockid"));
      if (known_.insert(request.method + target + header_of(request, "content-range")).second) {
        ++troubled_;
        return trouble;
      }
      return GetParam().service(request);
    });
    auto variables = GetParam().variables;
    for (auto& [name, value] : variables) {
      if (value == "@") value = server_->url();
    }
    auto options = options_of(variables);
    options.deadlines = {.connect = 1s, .first_byte = 200ms, .stall = 200ms, .total = 10s};
    store_ = *object_store::open_store(GetParam().url, options);
  }

  // Each kind of request; "ok" or what went wrong, with its name.
  std::vector<std::string> ask_everything() {
    std::vector<std::string> outcomes;
    const auto add = [&](const char* name, const auto& result) {
      outcomes.push_back(core::text(name, ": ", outcome(result)));
    };
    const Key key("k");
    const auto small = core::as_bytes("object");
    const auto large = pattern((16U << 20U) + 1);
    add("get", store_->get(key));
    add("get_if_changed", store_->get_if_changed(key, object_store::Version("\"0\"")));
    add("get_many", get_range(*store_, Key("ranged"), {0, 6}));
    add("get_suffix", store_->get_suffix(Key("suffix"), 6));
    add("head", store_->head(Key("headed")));
    add("put", store_->put(Key("put"), small, PutCondition::none()));
    add("create", store_->put(Key("created"), small, PutCondition::absent()));
    add("large", store_->put(Key("large"), large, PutCondition::absent()));
    add("copy", store_->copy(Key("from"), Key("to"), std::nullopt));
    add("remove", store_->remove(std::vector{Key("removed")}).front());
    add("list", list_all(*store_, "l"));
    add("leftovers", store_->remove_leftovers(core::system_now()));
    return outcomes;
  }

  std::mutex mutex_;  // guards known_ and troubled_
  std::set<std::string> known_;
  int troubled_ = 0;
  std::unique_ptr<ObjectStore> store_;
  std::unique_ptr<TinyServer> server_;
};

TEST_P(EveryStore, tries_every_kind_of_request_again_after_slow_down) {  // OBJ-1
  serve({.status = 503, .body = "<Error><Code>SlowDown</Code></Error>"});
  for (const auto& one : ask_everything()) EXPECT_TRUE(one.ends_with(": ok")) << one;
  EXPECT_GE(troubled_, 12);
}

TEST_P(EveryStore, tries_every_kind_of_request_again_after_silence) {  // OBJ-2
  serve({.way = TinyAnswer::Way::kSilence});
  for (const auto& one : ask_everything()) EXPECT_TRUE(one.ends_with(": ok")) << one;
  EXPECT_GE(troubled_, 12);
}

INSTANTIATE_TEST_SUITE_P(
    , EveryStore,
    testing::Values(Kind{"s3",
                         "s3://bucket",
                         s3_service,
                         {{"AWS_ENDPOINT_URL", "@"}, {"AWS_SKIP_SIGNATURE", "true"}}},
                    Kind{"gcs", "gs://bucket", gcs_service, {{"STORAGE_EMULATOR_HOST", "@"}}},
                    Kind{"azure",
                         "az://container",
                         azure_service,
                         {{"AZURE_STORAGE_ACCOUNT_NAME", "account"},
                          {"AZURE_STORAGE_ENDPOINT", "@"}}}),
    [](const auto& tested) { return tested.param.name; });

TEST(Trickle, of_a_body_is_a_stall_and_read_again) {  // OBJ-2
  ScriptedService service({{.headers = object_answer().headers,
                            .body = std::string(200, 'x'),
                            .way = TinyAnswer::Way::kTrickle},
                           object_answer()});
  auto options = options_of({{"AWS_ENDPOINT_URL", service.url()}, {"AWS_SKIP_SIGNATURE", "true"}});
  options.deadlines = {.connect = 1s, .first_byte = 200ms, .stall = 200ms, .total = 10s};
  const auto store = *object_store::open_store("s3://bucket", options);
  EXPECT_EQ(text_of(*store, "k"), "object");
  EXPECT_EQ(service.seen().size(), 2U);
}

}  // namespace
}  // namespace icefield::object_store_testing
