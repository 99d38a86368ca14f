#include <gtest/gtest.h>

#include "core/text.h"
#include "object_store/s3/credential_sources.h"
#include "object_store/testing/scratch_folder.h"
#include "object_store/testing/scripted_service.h"

namespace icefield::object_store_testing {
namespace {

using namespace std::chrono_literals;

std::string assumed(const char* action) {
  return core::text("<", action, "Response><", action,
                    "Result><Credentials><AccessKeyId>RK</AccessKeyId><SecretAccessKey>RS"
                    "</SecretAccessKey><SessionToken>RT</SessionToken><Expiration>"
                    "2030-01-01T00:00:00Z</Expiration></Credentials></",
                    action, "Result></", action, "Response>");
}

class Profiles : public testing::Test {
 protected:
  // "key/secret/token" of what the profile gives, or its error.
  std::string found(const std::string& config, const std::string& profile,
                    const Variables& more = {}) {
    Variables variables = more;
    variables.insert({{"HOME", folder_.path().string()},
                      {"AWS_PROFILE", profile},
                      {"AWS_CONFIG_FILE", file("config", config)},
                      {"AWS_ENDPOINT_URL_STS", service_.url()}});
    const object_store::Sending sending{.transport = &transport_,
                                        .retry = {.attempts = 1, .first = 1ms}};
    const auto credentials =
        object_store::credentials_from_files(environment_of(variables), sending);
    if (!credentials) return credentials.error().message();
    if (!*credentials) return "(none)";
    return (*credentials)->access_key + "/" + (*credentials)->secret_key + "/" +
           (*credentials)->session_token;
  }

  std::string file(const std::string& name, const std::string& text) {
    return write_text((folder_.path() / name).string(), text);
  }

  ScratchFolder folder_;
  ScriptedService service_{{{.body = assumed("AssumeRole")}}};
  object_store::Transport transport_{4};
};

TEST_F(Profiles, a_role_is_asked_for_with_another_profile_s_keys) {
  EXPECT_EQ(found("[default]\naws_access_key_id = A\naws_secret_access_key = S\n"
                  "[profile worker]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = default\n"
                  "external_id = x/y\nrole_session_name = job\nduration_seconds = 900\n"
                  "region = eu-west-1\n",
                  "worker"),
            "RK/RS/RT");
  ASSERT_EQ(service_.seen().size(), 1U);
  const auto request = service_.seen().front();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.body,
            "Action=AssumeRole&DurationSeconds=900&ExternalId=x%2Fy&RoleArn=arn%3Aaws%3Aiam%3A%3A1"
            "%3Arole%2Fr&RoleSessionName=job&Version=2011-06-15");
  const auto signature = header_of(request, "authorization");
  EXPECT_NE(signature.find("Credential=A/"), std::string::npos);
  EXPECT_NE(signature.find("/eu-west-1/sts/aws4_request"), std::string::npos);
}

TEST_F(Profiles, a_role_may_be_asked_for_with_the_profile_s_own_keys) {
  EXPECT_EQ(found("[profile own]\nrole_arn = arn\nsource_profile = own\n"
                  "aws_access_key_id = A\naws_secret_access_key = S\n",
                  "own"),
            "RK/RS/RT");
}

TEST_F(Profiles, a_role_may_be_asked_for_with_what_a_place_gives) {
  const auto config = [](const char* place) {
    return core::text("[profile p]\nrole_arn = arn\ncredential_source = ", place, "\n");
  };
  EXPECT_EQ(found(config("Environment"), "p",
                  {{"AWS_ACCESS_KEY_ID", "E"}, {"AWS_SECRET_ACCESS_KEY", "S"}}),
            "RK/RS/RT");
  EXPECT_NE(header_of(service_.seen().back(), "authorization").find("Credential=E/"),
            std::string::npos);
  ScriptedService container({{.body = R"({"AccessKeyId":"C","SecretAccessKey":"S"})"}});
  EXPECT_EQ(found(config("EcsContainer"), "p",
                  {{"AWS_CONTAINER_CREDENTIALS_FULL_URI", container.url() + "/c"}}),
            "RK/RS/RT");
  EXPECT_NE(header_of(service_.seen().back(), "authorization").find("Credential=C/"),
            std::string::npos);
  ScriptedService instance(
      {{.body = "session"},
       {.body = "role"},
       {.body = R"({"Code":"Success","AccessKeyId":"I","SecretAccessKey":"S","Token":"T"})"}});
  EXPECT_EQ(found(config("Ec2InstanceMetadata"), "p",
                  {{"AWS_EC2_METADATA_SERVICE_ENDPOINT", instance.url()}}),
            "RK/RS/RT");
  EXPECT_NE(header_of(service_.seen().back(), "authorization").find("Credential=I/"),
            std::string::npos);
  EXPECT_NE(found(config("Elsewhere"), "p").find("credential_source"), std::string::npos);
}

TEST_F(Profiles, a_token_file_of_a_profile_is_exchanged) {
  ScriptedService service({{.body = assumed("AssumeRoleWithWebIdentity")}});
  const auto config =
      "[profile pod]\nrole_arn = arn\nweb_identity_token_file = " + file("token", "pod token\n");
  EXPECT_EQ(found(config, "pod", {{"AWS_ENDPOINT_URL_STS", service.url()}}), "RK/RS/RT");
  EXPECT_NE(service.seen().front().body.find("WebIdentityToken=pod%20token"), std::string::npos);
  EXPECT_EQ(header_of(service.seen().front(), "authorization"), "");
}

TEST_F(Profiles, a_request_at_a_wrong_time_is_signed_again_by_the_service_s_clock) {
  ScriptedService service({{.status = 403, .headers = {{"date", "Sun, 06 Nov 2033 08:49:37 GMT"}}},
                           {.body = assumed("AssumeRole")}});
  EXPECT_EQ(found("[default]\naws_access_key_id=A\naws_secret_access_key=S\n"
                  "[profile p]\nrole_arn=arn\nsource_profile=default\n",
                  "p", {{"AWS_ENDPOINT_URL_STS", service.url()}}),
            "RK/RS/RT");
  ASSERT_EQ(service.seen().size(), 2U);
  EXPECT_EQ(header_of(service.seen()[1], "x-amz-date").substr(0, 11), "20331106T08");
}

TEST_F(Profiles, a_program_s_credentials_are_read) {
  const auto output = file("output", R"({"Version":1,"AccessKeyId":"P","SecretAccessKey":"S",)"
                                     R"("SessionToken":"T","Expiration":"2030-01-01T00:00:00Z"})");
  EXPECT_EQ(found("[profile p]\ncredential_process = cat \"" + output + "\"\n", "p"), "P/S/T");
}

TEST_F(Profiles, programs_that_fail_are_named_and_not_repeated) {
  const auto said = [this](const std::string& command) {
    return found("[profile p]\ncredential_process = " + command + "\n", "p");
  };
  EXPECT_NE(said("false").find("credential_process of profile p: it ended with status 1"),
            std::string::npos);
  EXPECT_NE(said("/no/such/program hidden").find("it cannot be started"), std::string::npos);
  EXPECT_EQ(said("/no/such/program hidden").find("hidden"), std::string::npos);
  EXPECT_NE(said("echo hidden").find("version 1"), std::string::npos);
  EXPECT_EQ(said("echo hidden").find("hidden"), std::string::npos);
  EXPECT_NE(said("echo 'open").find("quote without end"), std::string::npos);
}

TEST_F(Profiles, what_cannot_be_is_said) {
  const auto said = [this](const std::string& lines) {
    return found("[profile p]\n" + lines + "[profile q]\nrole_arn=b\nsource_profile=p\n", "p");
  };
  EXPECT_NE(said("").find("profile p has no keys"), std::string::npos);
  EXPECT_NE(said("role_arn=a\nsource_profile=q\n").find("names itself and has no keys"),
            std::string::npos);
  EXPECT_NE(said("role_arn=a\n").find("nothing to ask for it with"), std::string::npos);
  EXPECT_NE(said("sso_session=s\n").find("single sign-on"), std::string::npos);
  EXPECT_NE(said("role_arn=a\nmfa_serial=m\nsource_profile=q\n").find("mfa_serial"),
            std::string::npos);
}

}  // namespace
}  // namespace icefield::object_store_testing
