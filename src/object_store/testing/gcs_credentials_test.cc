#include <memory>

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "core/json.h"
#include "core/text.h"
#include "object_store/gcs/gcs_token.h"
#include "object_store/testing/scratch_folder.h"
#include "object_store/testing/scripted_service.h"

namespace icefield::object_store_testing {
namespace {

const TinyAnswer kToken{.body = R"({"access_token":"T","expires_in":3600})"};

unsigned char* octets(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());  // NOLINT: C interface
}

/// A key of RSA made for the test.
struct RsaKey {
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key{EVP_RSA_gen(2048), EVP_PKEY_free};

  std::string pem() const {
    const std::unique_ptr<BIO, decltype(&BIO_free)> text{BIO_new(BIO_s_mem()), BIO_free};
    PEM_write_bio_PrivateKey(text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    char* bytes = nullptr;
    const auto length = BIO_get_mem_data(text.get(), &bytes);
    return {bytes, static_cast<std::size_t>(length)};
  }

  bool signed_by(std::string message, std::string signature) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                          EVP_MD_CTX_free};
    return EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
           EVP_DigestVerify(context.get(), octets(signature), signature.size(), octets(message),
                            message.size()) == 1;
  }
};

std::string decoded(std::string text) {  // of base64 for URLs
  for (auto& c : text) c = c == '-' ? '+' : c == '_' ? '/' : c;
  std::size_t padding = 0;
  for (; text.size() % 4 != 0; ++padding) text += '=';
  std::string out(text.size(), '\0');
  const auto length = EVP_DecodeBlock(octets(out), octets(text), static_cast<int>(text.size()));
  out.resize(static_cast<std::size_t>(length) - padding);
  return out;
}

class GcsCredentials : public testing::Test {
 protected:
  // The token, or the error's text.
  std::string token(Variables variables) {
    variables.insert({"HOME", folder_.path().string()});
    object_store::GcsTokens tokens(environment_of(std::move(variables)),
                                   {.transport = &transport_, .retry = {.attempts = 1}});
    const auto got = tokens.get(core::system_now());
    return got ? *got : got.error().message();
  }

  std::string file(const std::string& name, const core::Json& content) {
    return write_text((folder_.path() / name).string(), content.dump());
  }

  ScratchFolder folder_;
  object_store::Transport transport_{4};
};

TEST_F(GcsCredentials, of_a_service_account_are_an_assertion_signed_with_its_key) {
  const RsaKey key;
  // the first answer: a clock that is ahead of ours
  ScriptedService service({{.status = 400,
                            .headers = {{"date", "Sun, 06 Nov 2033 08:49:37 GMT"}},
                            .body = R"({"error":"invalid_grant"})"},
                           kToken});
  const auto account = core::Json::object({{"type", "service_account"},
                                           {"client_email", "robot@project.example"},
                                           {"private_key", key.pem()},
                                           {"token_uri", service.url() + "/token"}});
  EXPECT_EQ(token({{"GOOGLE_APPLICATION_CREDENTIALS", file("key.json", account)}}), "T");
  ASSERT_EQ(service.seen().size(), 2U);
  const auto body = service.seen()[1].body;
  const std::string start = "assertion=";
  const auto at = body.find(start) + start.size();
  const auto parts = core::split(body.substr(at, body.find('&', at) - at), '.');
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_TRUE(key.signed_by(parts[0] + "." + parts[1], decoded(parts[2])));
  const auto head = *core::Json::parse(decoded(parts[0]));
  EXPECT_EQ(head.find("alg")->as_string(), "RS256");
  const auto claims = *core::Json::parse(decoded(parts[1]));
  EXPECT_EQ(claims.find("iss")->as_string(), "robot@project.example");
  EXPECT_EQ(claims.find("aud")->as_string(), service.url() + "/token");
  const auto issued = claims.find("iat")->as_int64();
  EXPECT_EQ(claims.find("exp")->as_int64() - issued, 3600);
  const auto theirs = core::parse_timestamp("2033-11-06T08:49:37")->time_since_epoch().count();
  EXPECT_NEAR(static_cast<double>(issued - theirs), 0, 60);
  EXPECT_NE(body.find("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"),
            std::string::npos);
}

TEST_F(GcsCredentials, of_a_user_are_found_where_gcloud_keeps_them) {
  ScriptedService service({kToken});
  const auto user = core::Json::object({{"type", "authorized_user"},
                                        {"client_id", "c"},
                                        {"client_secret", "s"},
                                        {"refresh_token", "r"},
                                        {"token_uri", service.url() + "/token"}});
  const auto path = file("application_default_credentials.json", user);
  EXPECT_EQ(token({{"CLOUDSDK_CONFIG", folder_.path().string()}}), "T");
  EXPECT_EQ(service.seen().back().body,
            "client_id=c&client_secret=s&grant_type=refresh_token&refresh_token=r");
  file(".config/gcloud/application_default_credentials.json", user);
  EXPECT_EQ(token({}), "T");
  EXPECT_EQ(token({{"GOOGLE_APPLICATION_CREDENTIALS", path}}), "T");
  EXPECT_EQ(service.seen().size(), 3U);
}

TEST_F(GcsCredentials, of_a_workload_elsewhere_are_exchanged_twice) {
  ScriptedService service(
      {kToken, {.body = R"({"accessToken":"SA","expireTime":"2033-01-01T00:00:00Z"})"}});
  const auto subject = write_text((folder_.path() / "subject").string(), R"({"id":"pod token"})");
  const auto account = core::Json::object(
      {{"type", "external_account"},
       {"audience", "//iam.example/pool"},
       {"subject_token_type", "urn:ietf:params:oauth:token-type:jwt"},
       {"token_url", service.url() + "/token"},
       {"service_account_impersonation_url", service.url() + "/impersonate"},
       {"credential_source",
        core::Json::object(
            {{"file", subject},
             {"format",
              core::Json::object({{"type", "json"}, {"subject_token_field_name", "id"}})}})}});
  EXPECT_EQ(token({{"GOOGLE_APPLICATION_CREDENTIALS", file("workload.json", account)}}), "SA");
  ASSERT_EQ(service.seen().size(), 2U);
  EXPECT_NE(service.seen()[0].body.find("subject_token=pod%20token"), std::string::npos);
  EXPECT_EQ(service.seen()[1].target, "/impersonate");
  EXPECT_EQ(header_of(service.seen()[1], "authorization"), "Bearer T");
}

TEST_F(GcsCredentials, of_the_metadata_server_only_where_it_is_named) {
  ScriptedService service({kToken});
  const auto host = service.url().substr(std::string("http://").size());
  EXPECT_EQ(token({{"GCE_METADATA_HOST", host}}), "T");
  EXPECT_EQ(header_of(service.seen()[0], "metadata-flavor"), "Google");
  EXPECT_NE(token({}).find("no credentials for gs://"), std::string::npos);
  EXPECT_EQ(token({{"STORAGE_EMULATOR_HOST", "localhost:1"}}), "");
  EXPECT_EQ(service.seen().size(), 1U);
}

TEST_F(GcsCredentials, are_never_repeated_in_errors) {
  ScriptedService broken({{.status = 500, .body = "hidden"}});
  ScriptedService denied(
      {{.status = 400, .body = R"({"error":"invalid_grant","error_description":"hidden"})"}});
  const auto user = [](const std::string& url) {
    return core::Json::object({{"type", "authorized_user"},
                               {"client_id", "c"},
                               {"client_secret", "hidden"},
                               {"refresh_token", "hidden"},
                               {"token_uri", url}});
  };
  const auto of_broken =
      token({{"GOOGLE_APPLICATION_CREDENTIALS", file("a", user(broken.url() + "/?hidden"))}});
  EXPECT_NE(of_broken.find("status 500"), std::string::npos) << of_broken;
  EXPECT_EQ(of_broken.find("hidden"), std::string::npos) << of_broken;
  const auto of_denied =
      token({{"GOOGLE_APPLICATION_CREDENTIALS", file("b", user(denied.url() + "/token"))}});
  EXPECT_NE(of_denied.find("status 400 invalid_grant"), std::string::npos) << of_denied;
  EXPECT_EQ(of_denied.find("hidden"), std::string::npos) << of_denied;
  const auto no_json =
      token({{"GOOGLE_APPLICATION_CREDENTIALS",
              write_text((folder_.path() / "c").string(), "{\"private_key\":\"hidden")}});
  EXPECT_EQ(no_json.find("hidden"), std::string::npos) << no_json;
  const auto no_key = token(
      {{"GOOGLE_APPLICATION_CREDENTIALS",
        file("d", core::Json::object({{"type", "service_account"}, {"private_key", "hidden"}}))}});
  EXPECT_EQ(no_key.find("hidden"), std::string::npos) << no_key;
}

}  // namespace
}  // namespace icefield::object_store_testing
