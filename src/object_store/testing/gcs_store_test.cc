#include "object_store/gcs/gcs_store.h"

#include <gtest/gtest.h>

#include "core/json.h"
#include "core/text.h"
#include "object_store/testing/expectations.h"
#include "object_store/testing/scripted_service.h"

namespace icefield::object_store_testing {
namespace {

using object_store::Key;
using object_store::PutCondition;

std::unique_ptr<object_store::ObjectStore> anonymous_store(const std::string& url) {
  return *object_store::open_store("gs://bucket", options_of({{"STORAGE_EMULATOR_HOST", url}}));
}

TinyAnswer resource(const char* generation, const std::string& more = {}) {
  return {.body = core::text(R"({"size":"6","updated":"2025-01-01T00:00:00.5Z","generation":")",
                             generation, "\"", more, "}")};
}

TEST(GcsStore, compares_the_checksum_of_a_whole_object) {
  const auto with_hash = [](const char* value) { return object_answer({{"x-goog-hash", value}}); };
  ScriptedService damaged_once({with_hash("crc32c=AAAAAA==,md5=qM/eYzG9WesqyW+JEcS2Zg=="),
                                with_hash("crc32c=TCnd0A==,md5=qM/eYzG9WesqyW+JEcS2Zg==")});
  EXPECT_EQ(text_of(*anonymous_store(damaged_once.url()), "k"), "object");
  EXPECT_EQ(damaged_once.seen().size(), 2U);
  ScriptedService damaged({with_hash("crc32c=AAAAAA==")});
  const auto object = anonymous_store(damaged.url())->get(Key("k"));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code(), core::ErrorCode::kCorrupt);
  EXPECT_EQ(object.error().message(),
            "gs://bucket/k: 6 bytes came with crc32c AAAAAA==, but theirs is TCnd0A==");
  EXPECT_EQ(damaged.seen().size(), 3U);
}

TEST(GcsStore, does_not_compare_what_the_service_unpacked) {
  ScriptedService service({object_answer(
      {{"x-goog-hash", "crc32c=AAAAAA=="}, {"x-goog-stored-content-encoding", "gzip"}})});
  EXPECT_EQ(text_of(*anonymous_store(service.url()), "k"), "object");
}

TEST(GcsStore, puts_by_generation_with_the_checksum) {
  ScriptedService service({resource("7")});
  const auto store = anonymous_store(service.url());
  const auto bytes = core::as_bytes("object");
  const auto made = store->put(Key("k"), bytes, PutCondition::absent());
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->version.value(), "7");
  EXPECT_EQ(outcome(store->put(Key("k"), bytes, PutCondition::unchanged_since(made->version))),
            "ok");
  EXPECT_EQ(outcome(store->put(Key("k"), bytes, PutCondition::none())), "ok");
  const auto seen = service.seen();
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0].target,
            "/upload/storage/v1/b/bucket/o?ifGenerationMatch=0&name=k&uploadType=multipart");
  EXPECT_EQ(seen[1].target,
            "/upload/storage/v1/b/bucket/o?ifGenerationMatch=7&name=k&uploadType=multipart");
  EXPECT_EQ(seen[2].target, "/upload/storage/v1/b/bucket/o?name=k&uploadType=multipart");
  for (const auto& request : seen) {
    EXPECT_NE(request.body.find(R"("crc32c":"TCnd0A==")"), std::string::npos);
  }
}

TEST(GcsStore, sends_again_what_was_damaged_on_its_way) {
  ScriptedService service(
      {{.status = 400,
        .body = R"({"error":{"message":"Provided CRC32C \"x\" doesn't match calculated CRC32C"}})"},
       resource("7")});
  EXPECT_EQ(outcome(anonymous_store(service.url())
                        ->put(Key("k"), core::as_bytes("object"), PutCondition::none())),
            "ok");
}

TEST(GcsStore, busy_is_409_and_lost_is_412) {  // OBJ-3
  ScriptedService busy_once({{.status = 409}, resource("7")});
  EXPECT_EQ(outcome(anonymous_store(busy_once.url())->put(Key("k"), {}, PutCondition::absent())),
            "ok");
  ScriptedService busy({{.status = 409, .body = R"({"error":{"message":"busy"}})"}});
  const auto store = anonymous_store(busy.url());
  for (const auto& found : {core::Status(store->put(Key("k"), {}, PutCondition::absent()).error()),
                            store->copy(Key("a"), Key("b"), std::nullopt),
                            store->remove(std::vector{Key("k")}).front()}) {
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code(), core::ErrorCode::kUnavailable);
    EXPECT_NE(found.error().message().find("status 409 busy"), std::string::npos);
  }
  ScriptedService lost({{.status = 412}, resource("8")});
  const auto put = anonymous_store(lost.url())->put(Key("k"), {}, PutCondition::absent());
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), core::ErrorCode::kConflict);
}

/// A session that keeps only a part of the first piece, loses the connection in the second, and
/// holds what it has.
class Session {
 public:
  std::string url() const { return server_.url(); }
  std::string kept;  // read after the upload
  std::vector<std::string> asked;

 private:
  TinyAnswer answer(const TinyRequest& request) {
    const std::lock_guard lock(mutex_);
    asked.push_back(request.method + " " + header_of(request, "content-range"));
    if (request.method == "POST") {
      return {.headers = {{"location", server_.url() + "/session?upload_id=hidden"}}};
    }
    const auto range = header_of(request, "content-range");
    const auto from = std::stoull(range.substr(6));
    if (from > kept.size()) return {.status = 400};
    kept.resize(from);
    kept += request.body;
    if (asked.size() == 2) kept.resize(kept.size() - 262'144);
    if (asked.size() == 3) return {.way = TinyAnswer::Way::kHangUp};
    const auto total = std::stoull(range.substr(range.find('/') + 1));
    if (kept.size() == total) return resource("9");
    return {.status = 308, .headers = {{"range", core::text("bytes=0-", kept.size() - 1)}}};
  }

  std::mutex mutex_;  // guards kept and asked while the server runs
  TinyServer server_{[this](const TinyRequest& request) { return answer(request); }};
};

TEST(GcsStore, goes_on_with_a_large_upload_where_the_service_lacks_bytes) {
  const auto bytes = pattern((17U << 20U) + 5);
  Session session;
  const auto written =
      anonymous_store(session.url())->put(Key("large"), bytes, PutCondition::absent());
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(written->version.value(), "9");
  EXPECT_TRUE(core::as_text(bytes) == session.kept);
  EXPECT_EQ(session.asked[1], "PUT bytes 0-8388607/17825797");
  EXPECT_EQ(session.asked[2], "PUT bytes 8126464-16515071/17825797");
  EXPECT_EQ(session.asked[3], session.asked[2]);
}

TEST(GcsStore, ends_a_session_that_does_not_go_on) {
  ScriptedService stuck(std::vector{TinyAnswer{.status = 308}});
  const auto bytes = pattern(17U << 20U);
  ScriptedService begins({{.headers = {{"location", stuck.url() + "/session"}}}});
  const auto written =
      anonymous_store(begins.url())->put(Key("large"), bytes, PutCondition::none());
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message().find("gs://bucket/large"), std::string::npos);
  ASSERT_FALSE(stuck.seen().empty());
  EXPECT_EQ(stuck.seen().back().method, "DELETE");
}

}  // namespace
}  // namespace icefield::object_store_testing
