#include "object_store/azure/azure_store.h"

#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "core/text.h"
#include "object_store/testing/expectations.h"
#include "object_store/testing/scratch_folder.h"
#include "object_store/testing/scripted_service.h"

namespace icefield::object_store_testing {
namespace {

using object_store::azure_settings;
using object_store::Key;
using object_store::PutCondition;

std::unique_ptr<object_store::ObjectStore> store_at(const std::string& url,
                                                    Variables variables = {}) {
  variables.insert({{"AZURE_STORAGE_ACCOUNT_NAME", "account"}, {"AZURE_STORAGE_ENDPOINT", url}});
  return *object_store::open_store("az://container", options_of(std::move(variables)));
}

const TinyAnswer kWritten{
    .status = 201,
    .headers = {{"etag", "\"2\""}, {"last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"}}};

TinyAnswer refused(int status, const char* code) {
  return {.status = status, .headers = {{"x-ms-error-code", code}}};
}

// In base64.
std::string md5_of(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned char text[2 * EVP_MAX_MD_SIZE];
  unsigned length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_md5(), nullptr);
  const int written = EVP_EncodeBlock(text, digest, static_cast<int>(length));
  return {text, text + written};
}

TEST(AzureStore, a_signature_in_the_query_is_sent_and_never_shown) {
  ScriptedService service({refused(403, "AuthFailed")});
  const auto store = store_at(service.url(), {{"AZURE_STORAGE_SAS_TOKEN", "?sv=1&sig=hidden"}});
  const auto object = store->get(Key("k"));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().message(), "az://container/k: status 403 AuthFailed");
  EXPECT_EQ(service.seen()[0].target, "/container/k?sv=1&sig=hidden");
  EXPECT_EQ(header_of(service.seen()[0], "authorization"), "");
}

TEST(AzureStore, signs_again_by_the_service_s_clock) {
  auto skewed = refused(403, "AuthenticationFailed");
  skewed.headers.emplace_back("date", "Sun, 06 Nov 2033 08:49:37 GMT");
  ScriptedService service({skewed, object_answer()});
  const auto store = store_at(service.url(), {{"AZURE_STORAGE_ACCOUNT_KEY", "a2V5"}});
  EXPECT_EQ(text_of(*store, "k"), "object");
  ASSERT_EQ(service.seen().size(), 2U);
  EXPECT_EQ(header_of(service.seen()[1], "x-ms-date").substr(0, 19), "Sun, 06 Nov 2033 08");
}

TEST(AzureStore, compares_the_md5_of_a_whole_blob) {
  const auto with_md5 = [](const char* value) { return object_answer({{"content-md5", value}}); };
  ScriptedService damaged_once(
      {with_md5("AAAAAAAAAAAAAAAAAAAAAA=="), with_md5("qM/eYzG9WesqyW+JEcS2Zg==")});
  EXPECT_EQ(text_of(*store_at(damaged_once.url()), "k"), "object");
  EXPECT_EQ(damaged_once.seen().size(), 2U);
  ScriptedService damaged({with_md5("AAAAAAAAAAAAAAAAAAAAAA==")});
  const auto object = store_at(damaged.url())->get(Key("k"));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code(), core::ErrorCode::kCorrupt);
  EXPECT_EQ(object.error().message(),
            "az://container/k: 6 bytes came with MD5 AAAAAAAAAAAAAAAAAAAAAA==, but theirs is "
            "qM/eYzG9WesqyW+JEcS2Zg==");
}

TEST(AzureStore, puts_by_entity_tag_with_the_md5_and_again_when_it_was_damaged) {
  ScriptedService service({refused(400, "Md5Mismatch"), kWritten});
  const auto store = store_at(service.url());
  const auto bytes = core::as_bytes("object");
  EXPECT_EQ(outcome(store->put(Key("k"), bytes, PutCondition::absent())), "ok");
  EXPECT_EQ(outcome(store->put(Key("k"), bytes,
                               PutCondition::unchanged_since(object_store::Version("\"2\"")))),
            "ok");
  const auto seen = service.seen();
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(header_of(seen[1], "if-none-match"), "*");
  EXPECT_EQ(header_of(seen[1], "content-md5"), "qM/eYzG9WesqyW+JEcS2Zg==");
  EXPECT_EQ(header_of(seen[2], "if-match"), "\"2\"");
}

TEST(AzureStore, tells_a_lost_race_from_a_busy_service) {  // OBJ-3
  const TinyAnswer look{.headers = object_answer({{"content-length", "6"}}).headers,
                        .content_length = false};
  ScriptedService created({refused(409, "BlobAlreadyExists"), look});
  EXPECT_EQ(outcome(store_at(created.url())->put(Key("k"), {}, PutCondition::absent())),
            "conflict");
  ScriptedService busy_once({refused(409, "ContainerBeingDeleted"), kWritten});
  EXPECT_EQ(outcome(store_at(busy_once.url())->put(Key("k"), {}, PutCondition::absent())), "ok");
  ScriptedService busy({refused(409, "ContainerBeingDeleted")});
  const auto store = store_at(busy.url());
  for (const auto& found : {core::Status(store->put(Key("k"), {}, PutCondition::absent()).error()),
                            store->remove(std::vector{Key("k")}).front()}) {
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code(), core::ErrorCode::kUnavailable);
    EXPECT_NE(found.error().message().find("status 409 ContainerBeingDeleted"), std::string::npos);
  }
}

TEST(AzureStore, sends_large_blobs_in_blocks_and_lists_them_under_the_condition) {
  ScriptedService service({kWritten});
  const auto bytes = pattern((16U << 20U) + 3);
  const auto written = store_at(service.url())->put(Key("k"), bytes, PutCondition::absent());
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(written->size, bytes.size());
  const auto seen = service.seen();
  ASSERT_EQ(seen.size(), 4U);
  std::map<std::string, std::string> blocks;  // by name
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string start = "/container/k?blockid=";
    ASSERT_TRUE(seen[i].target.starts_with(start)) << seen[i].target;
    ASSERT_TRUE(seen[i].target.ends_with("&comp=block"));
    EXPECT_EQ(header_of(seen[i], "content-md5"), md5_of(seen[i].body));
    EXPECT_EQ(header_of(seen[i], "if-none-match"), "");
    auto name = seen[i].target.substr(start.size());
    name.resize(name.size() - std::string("&comp=block").size());
    while (name.find("%3D") != std::string::npos) name.replace(name.find("%3D"), 3, "=");
    blocks[name] = seen[i].body;
  }
  EXPECT_EQ(seen[3].target, "/container/k?comp=blocklist");
  EXPECT_EQ(header_of(seen[3], "if-none-match"), "*");
  EXPECT_EQ(header_of(seen[3], "x-ms-meta-icechunkwriteid").size(), 32U);
  EXPECT_EQ(header_of(seen[3], "x-ms-blob-content-md5"), md5_of(core::as_text(bytes)));
  std::string whole;
  for (const auto& part : core::split(seen[3].body, '<')) {
    if (part.starts_with("Latest>")) whole += blocks[part.substr(std::string("Latest>").size())];
  }
  EXPECT_TRUE(core::as_bytes(whole).size() == bytes.size() && whole == core::as_text(bytes));
}

TEST(AzureStore, blocks_that_somebody_else_s_put_has_dropped_are_a_lost_race) {
  ScriptedService service(
      {kWritten,
       kWritten,
       kWritten,
       refused(400, "InvalidBlockList"),
       {.headers = object_answer({{"content-length", "6"}}).headers, .content_length = false}});
  const auto bytes = pattern((16U << 20U) + 3);
  EXPECT_EQ(outcome(store_at(service.url())->put(Key("k"), bytes, PutCondition::absent())),
            "conflict");
}

struct IdentityCase {
  std::string name;
  Variables variables;  // "@" stands for the service's URL, "token" is a file with "pod token"
  std::string target, header, value, body;
};

class AzureIdentities : public testing::TestWithParam<IdentityCase> {};

TEST_P(AzureIdentities, get_a_token_once) {
  const ScratchFolder folder;
  ScriptedService service({object_answer()});
  ScriptedService tokens({{.body = R"({"access_token":"T","expires_in":"3599"})"}});
  auto variables = GetParam().variables;
  for (auto& [name, value] : variables) {
    if (value.starts_with("@")) value = tokens.url() + value.substr(1);
    if (value == "token") value = write_text((folder.path() / "token").string(), "pod token\n");
  }
  const auto store = store_at(service.url(), variables);
  EXPECT_EQ(text_of(*store, "k"), "object");
  EXPECT_EQ(text_of(*store, "k"), "object");
  ASSERT_EQ(tokens.seen().size(), 1U);
  EXPECT_EQ(tokens.seen()[0].target, GetParam().target);
  EXPECT_EQ(header_of(tokens.seen()[0], GetParam().header), GetParam().value);
  EXPECT_EQ(tokens.seen()[0].body, GetParam().body);
  EXPECT_EQ(header_of(service.seen()[1], "authorization"), "Bearer T");
}

INSTANTIATE_TEST_SUITE_P(
    , AzureIdentities,
    testing::Values(
        IdentityCase{"workload",
                     {{"AZURE_AUTHORITY_HOST", "@/"},
                      {"AZURE_TENANT_ID", "tenant"},
                      {"AZURE_CLIENT_ID", "client"},
                      {"AZURE_FEDERATED_TOKEN_FILE", "token"}},
                     "/tenant/oauth2/v2.0/token",
                     "content-type",
                     "application/x-www-form-urlencoded",
                     "client_assertion=pod%20token&client_assertion_type=urn%3Aietf%3Aparams%3A"
                     "oauth%3Aclient-assertion-type%3Ajwt-bearer&client_id=client&grant_type="
                     "client_credentials&scope=https%3A%2F%2Fstorage.azure.com%2F.default"},
        IdentityCase{"secret",
                     {{"AZURE_AUTHORITY_HOST", "@"},
                      {"AZURE_TENANT_ID", "tenant"},
                      {"AZURE_CLIENT_ID", "client"},
                      {"AZURE_CLIENT_SECRET", "secret"}},
                     "/tenant/oauth2/v2.0/token",
                     "content-type",
                     "application/x-www-form-urlencoded",
                     "client_id=client&client_secret=secret&grant_type=client_credentials&scope="
                     "https%3A%2F%2Fstorage.azure.com%2F.default"},
        IdentityCase{
            "app_service",
            {{"IDENTITY_ENDPOINT", "@/msi/token"}, {"IDENTITY_HEADER", "secret"}},
            "/msi/token?api-version=2019-08-01&resource=https%3A%2F%2Fstorage.azure.com%2F",
            "x-identity-header",
            "secret",
            ""},
        IdentityCase{"metadata",
                     {{"AZURE_POD_IDENTITY_AUTHORITY_HOST", "@"}, {"AZURE_CLIENT_ID", "client"}},
                     "/metadata/identity/oauth2/token?api-version=2018-02-01&client_id=client&"
                     "resource=https%3A%2F%2Fstorage.azure.com%2F",
                     "metadata",
                     "true",
                     ""}),
    [](const auto& tested) { return tested.param.name; });

TEST(AzureIdentity, that_is_refused_repeats_no_secret_and_a_revoked_token_is_replaced) {
  ScriptedService broken({{.status = 500, .body = "hidden"}});
  const auto object = store_at(broken.url(), {{"AZURE_AUTHORITY_HOST", broken.url()},
                                              {"AZURE_TENANT_ID", "tenant"},
                                              {"AZURE_CLIENT_ID", "client"},
                                              {"AZURE_CLIENT_SECRET", "hidden"}})
                          ->get(Key("k"));
  ASSERT_FALSE(object);
  EXPECT_NE(object.error().message().find("status 500"), std::string::npos);
  EXPECT_EQ(object.error().message().find("hidden"), std::string::npos);
  ScriptedService tokens({{.body = R"({"access_token":"OLD","expires_on":"1999999999"})"},
                          {.body = R"({"access_token":"NEW","expires_on":"1999999999"})"}});
  ScriptedService service({{.status = 401}, object_answer()});
  EXPECT_EQ(text_of(*store_at(service.url(), {{"IDENTITY_ENDPOINT", tokens.url()}}), "k"),
            "object");
  EXPECT_EQ(header_of(service.seen()[1], "authorization"), "Bearer NEW");
}

TEST(AzureSettings, come_from_a_connection_string) {
  const auto settings = azure_settings(
      "container",
      environment_of({{"AZURE_STORAGE_CONNECTION_STRING",
                       "DefaultEndpointsProtocol=https;AccountName=name;AccountKey=a2V5PT0=;"
                       "EndpointSuffix=core.chinacloudapi.cn"}}));
  ASSERT_TRUE(settings) << settings.error().message();
  EXPECT_EQ(settings->account, "name");
  EXPECT_EQ(settings->endpoint, "https://name.blob.core.chinacloudapi.cn");
  EXPECT_EQ(core::as_text(settings->key), "key==");
  const auto by_signature = azure_settings(
      "container", environment_of({{"AZURE_STORAGE_CONNECTION_STRING",
                                    "BlobEndpoint=https://host/path/;AccountName=name;"
                                    "SharedAccessSignature=sv=1&sig=x%3D"}}));
  ASSERT_TRUE(by_signature) << by_signature.error().message();
  EXPECT_EQ(by_signature->endpoint, "https://host/path");
  EXPECT_EQ(by_signature->token, "sv=1&sig=x%3D");
}

TEST(AzureSettings, of_the_emulator_are_its_published_ones) {
  for (const Variables& variables :
       {Variables{{"AZURE_STORAGE_USE_EMULATOR", "true"}},
        Variables{{"AZURE_STORAGE_CONNECTION_STRING", "UseDevelopmentStorage=true"}}}) {
    const auto settings = azure_settings("container", environment_of(variables));
    ASSERT_TRUE(settings) << settings.error().message();
    EXPECT_EQ(settings->account, "devstoreaccount1");
    EXPECT_EQ(settings->endpoint, "http://127.0.0.1:10000/devstoreaccount1");
    EXPECT_EQ(settings->key.size(), 64U);
  }
  const auto elsewhere = azure_settings(
      "container", environment_of({{"AZURE_STORAGE_USE_EMULATOR", "true"},
                                   {"AZURITE_BLOB_STORAGE_URL", "http://azurite:10000"}}));
  EXPECT_EQ(elsewhere->endpoint, "http://azurite:10000/devstoreaccount1");
}

TEST(AzureSettings, of_anonymous_access_hold_no_secret_and_none_is_looked_for) {
  const auto settings = azure_settings(
      "container",
      environment_of({{"AZURE_STORAGE_CONNECTION_STRING", "AccountName=name;AccountKey=a2V5"},
                      {"AZURE_STORAGE_ACCOUNT_KEY", "a2V5"},
                      {"AZURE_STORAGE_SAS_TOKEN", "sig=x"},
                      {"IDENTITY_ENDPOINT", "http://127.0.0.1:1"}}),
      true);
  ASSERT_TRUE(settings) << settings.error().message();
  EXPECT_TRUE(settings->key.empty());
  EXPECT_TRUE(settings->token.empty());
  EXPECT_EQ(settings->identity.kind, object_store::AzureIdentity::Kind::kNone);
}

TEST(AzureSettings, are_refused_and_printed_without_secrets) {
  const auto bad_key =
      azure_settings("container", environment_of({{"AZURE_STORAGE_ACCOUNT_NAME", "name"},
                                                  {"AZURE_STORAGE_ACCOUNT_KEY", "hidden!"}}));
  ASSERT_FALSE(bad_key);
  EXPECT_EQ(bad_key.error().message().find("hidden"), std::string::npos);
  const auto bad_endpoint = azure_settings(
      "container", environment_of({{"AZURE_STORAGE_ACCOUNT_NAME", "name"},
                                   {"AZURE_STORAGE_ENDPOINT", "https://user:hidden@host"}}));
  ASSERT_FALSE(bad_endpoint);
  EXPECT_EQ(bad_endpoint.error().message().find("hidden"), std::string::npos);
  std::ostringstream text;
  text << *azure_settings("container", environment_of({{"AZURE_STORAGE_ACCOUNT_NAME", "name"},
                                                       {"AZURE_STORAGE_SAS_TOKEN", "sig=hidden"}}));
  EXPECT_EQ(text.str(), "AzureSettings(name/container, signature)");
}

}  // namespace
}  // namespace icefield::object_store_testing
