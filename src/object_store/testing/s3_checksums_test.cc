#include <gtest/gtest.h>

#include "core/text.h"
#include "object_store/s3/s3_store.h"
#include "object_store/testing/expectations.h"
#include "object_store/testing/scripted_service.h"

namespace icefield::object_store_testing {
namespace {

using object_store::Key;
using object_store::PutCondition;

std::unique_ptr<object_store::ObjectStore> anonymous_store(const std::string& url,
                                                           Variables variables = {}) {
  variables.insert({{"AWS_ENDPOINT_URL_S3", url}, {"AWS_SKIP_SIGNATURE", "true"}});
  return *object_store::open_store("s3://bucket", options_of(std::move(variables)));
}

struct SumCase {
  std::string name, header, right, wrong;
};

class S3Checksums : public testing::TestWithParam<SumCase> {};

TEST_P(S3Checksums, of_a_whole_object_are_asked_for_and_compared) {
  const auto& [name, header, right, wrong] = GetParam();
  ScriptedService damaged_once(
      {object_answer({{header, wrong}}), object_answer({{header, right}})});
  EXPECT_EQ(text_of(*anonymous_store(damaged_once.url()), "k"), "object");
  ASSERT_EQ(damaged_once.seen().size(), 2U);
  EXPECT_EQ(header_of(damaged_once.seen()[0], "x-amz-checksum-mode"), "ENABLED");

  ScriptedService damaged({object_answer({{header, wrong}})});
  const auto object = anonymous_store(damaged.url())->get(Key("k"));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code(), core::ErrorCode::kCorrupt);
  EXPECT_EQ(object.error().message(), core::text("s3://bucket/k: 6 bytes came with ", header, " ",
                                                 wrong, ", but theirs is ", right));
  EXPECT_EQ(damaged.seen().size(), 3U);  // as often as the policy says
}

// sums of "object" by google-crc32c 1.9.0, crcmod 1.7, Python's binascii and hashlib
INSTANTIATE_TEST_SUITE_P(
    , S3Checksums,
    testing::Values(
        SumCase{"crc64nvme", "x-amz-checksum-crc64nvme", "kHHftj1pSiM=", "kHHftj1pSiA="},
        SumCase{"crc32c", "x-amz-checksum-crc32c", "TCnd0A==", "TCnd0Q=="},
        SumCase{"crc32", "x-amz-checksum-crc32", "qK2r7A==", "qK2r7Q=="},
        SumCase{"sha256", "x-amz-checksum-sha256", "KVjUFtCKpaRy17UJA2y36v1UKt2EUn5moUXqZMtM3HU=",
                "KVjUFtCKpaRy17UJA2y36v1UKt2EUn5moUXqZMtM3HA="}),
    [](const auto& tested) { return tested.param.name; });

TEST(S3ChecksumsOf, parts_sums_and_ranges_are_not_compared) {
  ScriptedService service({object_answer({{"x-amz-checksum-crc32c", "AAAAAA==-3"}})});
  EXPECT_EQ(text_of(*anonymous_store(service.url()), "k"), "object");
  TinyAnswer part =
      object_answer({{"content-range", "bytes 0-5/100"}, {"x-amz-checksum-crc32c", "AAAAAA=="}});
  part.status = 206;
  ScriptedService ranged({part});
  const auto bytes = get_range(*anonymous_store(ranged.url()), Key("k"), {0, 6});
  ASSERT_TRUE(bytes) << bytes.error().message();
  EXPECT_EQ(core::as_text(*bytes), "object");
  EXPECT_EQ(header_of(ranged.seen()[0], "x-amz-checksum-mode"), "");
}

const TinyAnswer kWritten{
    .headers = {{"etag", "\"2\""}, {"date", "Sun, 06 Nov 1994 08:49:37 GMT"}}};

TEST(S3ChecksumsOf, puts_are_sent_with_them_and_damaged_puts_again) {
  ScriptedService service(
      {{.status = 400, .body = "<Error><Code>BadDigest</Code></Error>"}, kWritten});
  const auto put =
      anonymous_store(service.url())->put(Key("k"), core::as_bytes("object"), PutCondition::none());
  EXPECT_EQ(outcome(put), "ok");
  ASSERT_EQ(service.seen().size(), 2U);
  EXPECT_EQ(header_of(service.seen()[0], "x-amz-checksum-crc32c"), "TCnd0A==");
  EXPECT_EQ(header_of(service.seen()[1], "x-amz-checksum-crc32c"), "TCnd0A==");
  EXPECT_EQ(service.seen()[1].body, "object");
}

TEST(S3ChecksumsOf, neither_are_used_when_the_environment_says_so) {
  ScriptedService service({object_answer(
      {{"x-amz-checksum-crc32c", "AAAAAA=="}, {"date", "Sun, 06 Nov 1994 08:49:37 GMT"}})});
  const auto store =
      anonymous_store(service.url(), {{"AWS_REQUEST_CHECKSUM_CALCULATION", "when_required"},
                                      {"AWS_RESPONSE_CHECKSUM_VALIDATION", "when_required"}});
  EXPECT_EQ(text_of(*store, "k"), "object");
  EXPECT_EQ(header_of(service.seen()[0], "x-amz-checksum-mode"), "");
  EXPECT_EQ(outcome(store->put(Key("k"), core::as_bytes("x"), PutCondition::none())), "ok");
  EXPECT_EQ(header_of(service.seen()[1], "x-amz-checksum-crc32c"), "");
}

/// A service that takes uploads in parts and keeps what it was asked.
class PartsService {
 public:
  std::string url() const { return server_.url(); }
  std::vector<TinyRequest> asked(const std::string& what) const {
    const std::lock_guard lock(mutex_);
    std::vector<TinyRequest> found;
    for (const auto& request : seen_) {
      if ((request.method + " " + request.target).find(what) != std::string::npos) {
        found.push_back(request);
      }
    }
    return found;
  }
  TinyAnswer completion{.headers = {{"date", "Sun, 06 Nov 1994 08:49:37 GMT"}},
                        .body =
                            "<CompleteMultipartUploadResult><ETag>\"whole\"</ETag>"
                            "</CompleteMultipartUploadResult>"};
  int part_status = 200;

 private:
  TinyAnswer answer(const TinyRequest& request) {
    const std::lock_guard lock(mutex_);
    seen_.push_back(request);
    if (request.target.ends_with("?uploads=")) {
      return {.body =
                  "<InitiateMultipartUploadResult><UploadId>u</UploadId>"
                  "</InitiateMultipartUploadResult>"};
    }
    if (request.method == "PUT") {
      const auto number = request.target.substr(request.target.find("partNumber=") + 11, 1);
      return {.status = part_status, .headers = {{"etag", "\"" + number + "\""}}};
    }
    if (request.method == "DELETE") return {.status = 204};
    if (request.method == "HEAD") return {.status = 404};
    return completion;
  }

  mutable std::mutex mutex_;  // guards seen_
  std::vector<TinyRequest> seen_;
  TinyServer server_{[this](const TinyRequest& request) { return answer(request); }};
};

class UploadInParts : public testing::Test {
 protected:
  // "0123456789" in parts of four bytes
  core::Result<object_store::ObjectInfo> put(const PutCondition& condition) {
    const object_store::S3Settings settings{.bucket = "bucket",
                                            .endpoint = service_.url(),
                                            .region = "us-east-1",
                                            .path_style = true,
                                            .access = object_store::S3Access::kAnonymous,
                                            .multipart_from = 8,
                                            .part = 4};
    const auto options = options_of({});
    const auto store = make_s3_store(settings, options.environment,
                                     {.transport = &transport_, .retry = options.retry});
    return store->put(Key("k"), core::as_bytes("0123456789"), condition);
  }

  PartsService service_;
  object_store::Transport transport_{4};
};

TEST_F(UploadInParts, tells_each_part_s_checksum_and_keeps_one_of_the_whole) {
  const auto written = put(PutCondition::absent());
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(written->version.value(), "\"whole\"");
  const auto begun = service_.asked("POST /bucket/k?uploads=").front();
  EXPECT_EQ(header_of(begun, "x-amz-checksum-algorithm"), "CRC32C");
  EXPECT_EQ(header_of(begun, "x-amz-checksum-type"), "FULL_OBJECT");
  EXPECT_EQ(header_of(begun, "x-amz-meta-icechunkwriteid").size(), 32U);
  const auto parts = service_.asked("PUT /bucket/k");
  ASSERT_EQ(parts.size(), 3U);
  for (const auto& part : parts) EXPECT_EQ(header_of(part, "x-amz-checksum-crc32c").size(), 8U);
  const auto completed = service_.asked("POST /bucket/k?uploadId=u").front();
  EXPECT_EQ(header_of(completed, "if-none-match"), "*");
  // CRC-32C of "0123", "4567", "89" by google-crc32c 1.9.0
  EXPECT_EQ(completed.body,
            "<CompleteMultipartUpload>"
            "<Part><PartNumber>1</PartNumber><ETag>&quot;1&quot;</ETag>"
            "<ChecksumCRC32C>BjliuQ==</ChecksumCRC32C></Part>"
            "<Part><PartNumber>2</PartNumber><ETag>&quot;2&quot;</ETag>"
            "<ChecksumCRC32C>atUBkw==</ChecksumCRC32C></Part>"
            "<Part><PartNumber>3</PartNumber><ETag>&quot;3&quot;</ETag>"
            "<ChecksumCRC32C>ZGo0lA==</ChecksumCRC32C></Part></CompleteMultipartUpload>");
  EXPECT_TRUE(service_.asked("DELETE").empty());
}

TEST_F(UploadInParts, leaves_nothing_when_a_part_is_refused) {
  service_.part_status = 403;
  const auto written = put(PutCondition::none());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), core::ErrorCode::kPermissionDenied);
  EXPECT_EQ(service_.asked("DELETE /bucket/k?uploadId=u").size(), 1U);
}

TEST_F(UploadInParts, leaves_nothing_when_its_condition_does_not_hold) {
  service_.completion = {.status = 412, .body = "<Error><Code>PreconditionFailed</Code></Error>"};
  const auto written = put(PutCondition::absent());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), core::ErrorCode::kConflict);
  EXPECT_EQ(service_.asked("DELETE /bucket/k?uploadId=u").size(), 1U);
}

TEST_F(UploadInParts, begins_anew_when_the_service_says_so) {
  service_.completion = {.status = 409,
                         .body = "<Error><Code>ConditionalRequestConflict</Code></Error>"};
  const auto written = put(PutCondition::absent());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), core::ErrorCode::kUnavailable);
  const auto begun = service_.asked("?uploads=").size();
  EXPECT_GT(begun, 1U);
  EXPECT_EQ(service_.asked("DELETE").size(), begun);
}

TEST_F(UploadInParts, that_is_gone_is_no_lost_race) {
  service_.completion = {.status = 404, .body = "<Error><Code>NoSuchUpload</Code></Error>"};
  const auto written = put(PutCondition::absent());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), core::ErrorCode::kUnknownOutcome);
}

TEST_F(UploadInParts, that_ends_in_an_error_after_a_good_status_is_completed_again) {
  service_.completion = {.body = "<Error><Code>InternalError</Code></Error>"};
  const auto written = put(PutCondition::absent());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), core::ErrorCode::kUnknownOutcome);
  EXPECT_NE(written.error().message().find("InternalError"), std::string::npos);
  EXPECT_EQ(service_.asked("POST /bucket/k?uploadId=u").size(), 3U);
}

}  // namespace
}  // namespace icefield::object_store_testing
