#include "object_store/s3/signature_v4.h"

#include <gtest/gtest.h>

#include "object_store/internal/digest.h"

namespace icefield::object_store {
namespace {

// The worked examples of "Authenticating Requests: Using the Authorization Header" in Amazon's
// documentation of S3: these keys, this time, the bucket examplebucket.
const Credentials kExample{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "",
                           std::nullopt};
const core::Timestamp kTime = *core::parse_timestamp("2013-05-24T00:00:00");

std::string signature_of(HttpRequest request) {
  sign_v4(request, kExample, {.region = "us-east-1"}, hex(sha256(request.body)), kTime);
  const auto& value = request.headers.back().value;
  return value.substr(value.find("Signature=") + 10);
}

TEST(SignatureV4, of_a_listing_equals_the_documented_example) {
  EXPECT_EQ(signature_of({.url = "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J"}),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

TEST(SignatureV4, of_a_query_without_value_equals_the_documented_example) {
  EXPECT_EQ(signature_of({.url = "https://examplebucket.s3.amazonaws.com/?lifecycle="}),
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
}

TEST(SignatureV4, a_session_token_is_sent_and_signed) {
  auto credentials = kExample;
  credentials.session_token = "token";
  HttpRequest request{.url = "https://examplebucket.s3.amazonaws.com/a%20b"};
  sign_v4(request, credentials, {.region = "eu-west-1"}, kUnsignedPayload, kTime);
  const auto& value = request.headers.back().value;
  EXPECT_NE(value.find("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token"),
            std::string::npos);
  EXPECT_NE(value.find("AKIAIOSFODNN7EXAMPLE/20130524/eu-west-1/s3/aws4_request"),
            std::string::npos);
  EXPECT_EQ(value.find("wJalr"), std::string::npos);
}

}  // namespace
}  // namespace icefield::object_store
