#include "object_store/s3/credentials.h"

#include <sstream>

#include <gtest/gtest.h>

#include "object_store/s3/credential_sources.h"
#include "object_store/s3/profile_files.h"
#include "object_store/testing/scratch_folder.h"
#include "object_store/testing/scripted_service.h"
#include "object_store/testing/tiny_server.h"

namespace icefield::object_store_testing {
namespace {

using namespace std::chrono_literals;
constexpr const char* kJson =
    R"({"Code":"Success","AccessKeyId":"AK","SecretAccessKey":"SK","Token":"TOKEN",)"
    R"("Expiration":"2030-01-01T00:00:00Z"})";

/// Answers as the three services do, and remembers what it was asked.
struct StandIn {
  TinyServer server{[this](const TinyRequest& request) { return answer(request); }};
  std::mutex mutex;  // guards asked
  std::vector<std::string> asked;

  TinyAnswer answer(const TinyRequest& request) {
    const std::lock_guard lock(mutex);
    asked.push_back(request.method + " " + request.target);
    const auto header = [&request](const char* name) { return header_of(request, name); };
    if (request.target == "/container") {
      return {.status = header("authorization") == "let me in" ? 200 : 403, .body = kJson};
    }
    if (request.target == "/latest/api/token") return {.body = "session"};
    if (header("x-aws-ec2-metadata-token") == "session") {
      const auto role = std::string("/latest/meta-data/iam/security-credentials/");
      return {.body = request.target == role ? "role" : kJson};
    }
    if (request.body.find("WebIdentityToken=pod%20token") != std::string::npos &&
        request.body.find("RoleArn=arn") != std::string::npos) {
      return {.body =
                  "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult>"
                  "<Credentials><AccessKeyId>AK</AccessKeyId><SecretAccessKey>SK</SecretAccessKey>"
                  "<SessionToken>TOKEN</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration>"
                  "</Credentials></AssumeRoleWithWebIdentityResult>"
                  "</AssumeRoleWithWebIdentityResponse>"};
    }
    return {.status = 400, .body = "SK must not be repeated"};
  }
};

class CredentialPlaces : public testing::Test {
 protected:
  // "key/secret/token" of what the chain finds, or its error.
  std::string found(Variables variables) {
    variables.try_emplace("HOME", folder_.path().string());
    const object_store::Sending sending{.transport = &transport_,
                                        .retry = {.attempts = 1, .first = 1ms}};
    object_store::CredentialKeeper keeper(
        object_store::credential_chain(environment_of(std::move(variables)), sending));
    const auto credentials = keeper.get(core::system_now());
    if (!credentials) return credentials.error().message();
    return credentials->access_key + "/" + credentials->secret_key + "/" +
           credentials->session_token;
  }

  std::string file(const std::string& name, const std::string& text) {
    return write_text((folder_.path() / name).string(), text);
  }

  ScratchFolder folder_;
  StandIn service_;
  object_store::Transport transport_{4};
};

TEST_F(CredentialPlaces, variables_come_first) {
  EXPECT_EQ(found({{"AWS_ACCESS_KEY_ID", "A"},
                   {"AWS_SECRET_ACCESS_KEY", "S"},
                   {"AWS_SESSION_TOKEN", "T"},
                   {"AWS_CONTAINER_CREDENTIALS_FULL_URI", service_.server.url() + "/container"}}),
            "A/S/T");
  EXPECT_TRUE(service_.asked.empty());
}

TEST_F(CredentialPlaces, half_a_pair_is_an_error) {
  EXPECT_NE(found({{"AWS_ACCESS_KEY_ID", "A"}}).find("must both be set"), std::string::npos);
}

TEST_F(CredentialPlaces, web_identity_is_exchanged_at_the_token_service) {
  EXPECT_EQ(found({{"AWS_WEB_IDENTITY_TOKEN_FILE", file("token", "pod token\n")},
                   {"AWS_ROLE_ARN", "arn"},
                   {"AWS_ENDPOINT_URL_STS", service_.server.url()}}),
            "AK/SK/TOKEN");
}

TEST_F(CredentialPlaces, profiles_are_read_from_both_files) {
  const auto credentials = file("credentials",
                                "[default]\naws_access_key_id = A\naws_secret_access_key=S\n"
                                "[other]\naws_access_key_id=B\naws_secret_access_key=T\n");
  const auto config =
      file("config", "# text\n[profile other]\nregion = eu-west-1\ns3 =\n  x = y\n");
  const Variables files = {{"AWS_SHARED_CREDENTIALS_FILE", credentials},
                           {"AWS_CONFIG_FILE", config}};
  EXPECT_EQ(found(files), "A/S/");
  auto other = files;
  other["AWS_PROFILE"] = "other";
  EXPECT_EQ(found(other), "B/T/");
  EXPECT_EQ(object_store::profile_setting(environment_of(other), "region"), "eu-west-1");
  other["AWS_PROFILE"] = "none";
  EXPECT_NE(found(other).find("profile none has no keys"), std::string::npos);
}

TEST_F(CredentialPlaces, container_endpoint_with_token) {
  Variables variables = {
      {"AWS_CONTAINER_CREDENTIALS_FULL_URI", service_.server.url() + "/container"},
      {"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", file("auth", "let me in")}};
  EXPECT_EQ(found(variables), "AK/SK/TOKEN");
  variables["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = file("auth", "wrong");
  EXPECT_EQ(found(variables).find("SK"), std::string::npos);
  EXPECT_NE(found({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://example.com/x"}}).find("https"),
            std::string::npos);
}

struct ContainerCase {
  const char* variable;
  const char* value;
  const char* url;  // empty: refused
};

TEST(ContainerUrl, is_this_machine_s_or_one_of_the_known_addresses_or_protected) {
  constexpr const char* kFull = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
  const ContainerCase cases[] = {
      {"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/credentials/1",
       "http://169.254.170.2/v2/credentials/1"},
      {kFull, "http://169.254.170.23/v1/credentials", "http://169.254.170.23/v1/credentials"},
      {kFull, "http://[fd00:ec2::23]/v1/credentials", "http://[fd00:ec2::23]/v1/credentials"},
      {kFull, "http://localhost:8080/c", "http://localhost:8080/c"},
      {kFull, "https://example.com/c", "https://example.com/c"},
      {kFull, "http://example.com/c", ""},
      {kFull, "http://169.254.170.2.example.com/c", ""},
      {kFull, "http://127.0.0.1@example.com/c", ""},
  };
  for (const auto& tested : cases) {
    const auto url = object_store::container_url(environment_of({{tested.variable, tested.value}}));
    const std::string found = url && *url ? **url : "";
    EXPECT_EQ(found, tested.url) << tested.value;
  }
}

TEST_F(CredentialPlaces, instance_metadata_only_when_asked_for) {
  const auto endpoint = service_.server.url();
  EXPECT_EQ(found({{"AWS_EC2_METADATA_SERVICE_ENDPOINT", endpoint}}), "AK/SK/TOKEN");
  EXPECT_EQ(service_.asked.front(), "PUT /latest/api/token");
  service_.asked.clear();
  EXPECT_NE(found({}).find("no credentials found"), std::string::npos);
  EXPECT_NE(found({{"AWS_EC2_METADATA_SERVICE_ENDPOINT", endpoint},
                   {"AWS_EC2_METADATA_DISABLED", "true"}})
                .find("no credentials found"),
            std::string::npos);
  EXPECT_TRUE(service_.asked.empty());
}

TEST_F(CredentialPlaces, answers_of_secret_places_are_never_repeated) {
  // a server in trouble that echoes what it was sent, or shows what it should not
  ScriptedService broken({{.status = 500, .body = "hidden AK SK TOKEN"}});
  const std::vector<Variables> places = {
      {{"AWS_CONTAINER_CREDENTIALS_FULL_URI", broken.url() + "/c"},
       {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "hidden"}},
      {{"AWS_EC2_METADATA_SERVICE_ENDPOINT", broken.url()}},
      {{"AWS_WEB_IDENTITY_TOKEN_FILE", file("token", "hidden")},
       {"AWS_ROLE_ARN", "arn"},
       {"AWS_ENDPOINT_URL_STS", broken.url()}}};
  for (const auto& place : places) {
    const auto said = found(place);
    EXPECT_NE(said.find("status 500"), std::string::npos) << said;
    EXPECT_EQ(said.find("hidden"), std::string::npos) << said;
  }
  ScriptedService denied({{.status = 403,
                           .body = "<ErrorResponse><Error><Code>AccessDenied</Code><Message>hidden"
                                   "</Message></Error></ErrorResponse>"}});
  const auto said = found({{"AWS_WEB_IDENTITY_TOKEN_FILE", file("token", "hidden")},
                           {"AWS_ROLE_ARN", "arn"},
                           {"AWS_ENDPOINT_URL", denied.url()}});
  EXPECT_NE(said.find("status 403 AccessDenied"), std::string::npos) << said;
  EXPECT_EQ(said.find("hidden"), std::string::npos) << said;
}

TEST_F(CredentialPlaces, a_place_that_is_set_up_and_fails_is_not_passed_over) {
  ScriptedService other({{.body = kJson}});
  const auto said = found({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", service_.server.url() + "/wrong"},
                           {"AWS_EC2_METADATA_SERVICE_ENDPOINT", other.url()}});
  EXPECT_NE(said.find("credentials from container endpoint"), std::string::npos) << said;
  EXPECT_TRUE(other.seen().empty());
}

TEST(Credentials, are_printed_without_their_secrets) {
  std::ostringstream text;
  text << object_store::Credentials{"AKIAEXAMPLE", "hidden", "hidden too", std::nullopt};
  EXPECT_EQ(text.str(), "Credentials(AKIA...)");
  EXPECT_EQ(testing::PrintToString(object_store::Credentials{"AKIAEXAMPLE", "s", "t", {}}),
            "Credentials(AKIA...)");
}

TEST(CredentialKeeper, fetches_again_before_they_expire) {
  const auto start = core::system_now();
  int fetched = 0;
  int failures = 0;
  bool fails = false;
  object_store::CredentialKeeper keeper(
      {{"test", [&]() -> core::Result<std::optional<object_store::Credentials>> {
          if (fails) {
            ++failures;
            return core::Error(core::ErrorCode::kUnavailable, "down");
          }
          ++fetched;
          return std::optional(object_store::Credentials{"A" + std::to_string(fetched), "S", "",
                                                         start + fetched * 60min});
        }}});
  const auto key = [&](auto later) {
    const auto credentials = keeper.get(start + later);
    return credentials ? credentials->access_key : credentials.error().message();
  };
  EXPECT_EQ(key(0min), "A1");
  EXPECT_EQ(key(54min), "A1");
  EXPECT_EQ(key(56min), "A2");
  fails = true;
  EXPECT_EQ(key(117min), "A2");  // the service is down, and they are good for three minutes
  EXPECT_EQ(key(117min + 10s), "A2");
  EXPECT_EQ(failures, 1);  // nor asked again by every request meanwhile
  EXPECT_NE(key(119min + 30s).find("down"), std::string::npos);
  fails = false;
  keeper.forget();
  EXPECT_EQ(key(1min), "A3");
}

}  // namespace
}  // namespace icefield::object_store_testing
