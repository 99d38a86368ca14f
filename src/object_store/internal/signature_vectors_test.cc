#include <gtest/gtest.h>

#include "core/file.h"
#include "core/json.h"
#include "object_store/azure/azure_client.h"
#include "object_store/internal/digest.h"
#include "object_store/s3/s3_address.h"
#include "object_store/s3/signature_v4.h"

// tests/stores/signatures.json: addresses and signatures as botocore and azure-storage-blob make
// them, for services that cannot be reached from a test (see signatures.py beside it).
namespace icefield::object_store {
namespace {

std::string text_of(const core::Json& document, const char* name) {
  const auto* const value = document.find(name);
  return value != nullptr && value->is_string() ? value->as_string() : "(missing)";
}

core::Json vectors() {
  const auto bytes = core::read_file(ICEFIELD_SOURCE_DIR "/tests/stores/signatures.json");
  EXPECT_TRUE(bytes);
  auto document = core::Json::parse(core::as_text(*bytes));
  EXPECT_TRUE(document);
  return *std::move(document);
}

Query query_of(const core::Json& tested) {
  Query query;
  for (const auto& pair : tested.find("query")->as_array()) {
    query.emplace_back(pair.as_array()[0].as_string(), pair.as_array()[1].as_string());
  }
  return query;
}

Headers headers_of(const core::Json& tested) {
  Headers headers;
  for (const auto& pair : tested.find("headers")->as_array()) {
    headers.push_back({pair.as_array()[0].as_string(), pair.as_array()[1].as_string()});
  }
  return headers;
}

TEST(SignatureVectors, s3_services_are_addressed_and_signed_for_as_by_botocore) {
  const auto document = vectors();
  const auto now = *core::parse_timestamp(text_of(document, "time"));
  const auto& cases = document.find("s3")->as_array();
  ASSERT_GE(cases.size(), 40U);
  for (const auto& tested : cases) {
    const S3Settings settings{.bucket = text_of(tested, "bucket"),
                              .endpoint = text_of(tested, "endpoint"),
                              .region = text_of(tested, "region"),
                              .path_style = tested.find("path_style")->as_bool()};
    const auto body = text_of(tested, "body");
    HttpRequest request{
        .method = text_of(tested, "method"),
        .url = s3_url(settings, settings.region, text_of(tested, "key"), query_of(tested)),
        .headers = headers_of(tested),
        .body = core::as_bytes(body)};
    EXPECT_EQ(request.url, text_of(tested, "url")) << text_of(tested, "name");
    const bool unsigned_body = request.url.starts_with("https://") && !body.empty();
    sign_v4(request,
            {text_of(document, "access_key"), text_of(document, "secret_key"),
             text_of(tested, "token"), std::nullopt},
            {.region = settings.region},
            unsigned_body ? std::string(kUnsignedPayload) : hex(sha256(request.body)), now);
    EXPECT_EQ(request.headers.back().value, text_of(tested, "authorization"))
        << text_of(tested, "name");
  }
}

TEST(SignatureVectors, shared_key_is_that_of_azure_s_own_library) {
  const auto document = vectors();
  const auto now = *core::parse_timestamp(text_of(document, "time"));
  const auto& cases = document.find("azure")->as_array();
  ASSERT_GE(cases.size(), 7U);
  for (const auto& tested : cases) {
    const auto body = text_of(tested, "body");
    HttpRequest request{.method = text_of(tested, "method"),
                        .url = text_of(tested, "url"),
                        .headers = headers_of(tested),
                        .body = core::as_bytes(body)};
    const AzureSettings settings{.account = text_of(tested, "account"),
                                 .container = "container",
                                 .endpoint = {},
                                 .key = *decode_base64(text_of(tested, "key"))};
    const auto path = request.url.substr(request.url.find('/', request.url.find("://") + 3));
    sign_azure(request, settings, path, query_of(tested), now);
    EXPECT_EQ(request.headers.back().value, text_of(tested, "authorization"))
        << text_of(tested, "name");
  }
}

}  // namespace
}  // namespace icefield::object_store
