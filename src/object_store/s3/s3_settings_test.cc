#include "object_store/s3/s3_settings.h"

#include <map>

#include <gtest/gtest.h>

namespace icefield::object_store {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

Environment environment_of(const Variables& variables) {
  return [variables](std::string_view name) -> std::optional<std::string> {
    const auto at = variables.find(name);
    return at == variables.end() ? std::nullopt : std::optional(at->second);
  };
}

struct SettingsCase {
  std::string name, bucket;
  Variables variables;
  std::string endpoint, region;
  bool path_style;
};

class S3SettingsOf : public testing::TestWithParam<SettingsCase> {};

TEST_P(S3SettingsOf, the_environment) {
  const auto settings = s3_settings(GetParam().bucket, environment_of(GetParam().variables));
  ASSERT_TRUE(settings) << settings.error().message();
  EXPECT_EQ(settings->endpoint, GetParam().endpoint);
  EXPECT_EQ(settings->region, GetParam().region);
  EXPECT_EQ(settings->path_style, GetParam().path_style);
}

INSTANTIATE_TEST_SUITE_P(
    , S3SettingsOf,
    testing::Values(
        SettingsCase{"amazon", "bucket", {}, "", "", false},
        SettingsCase{"dotted_bucket", "us-west-2.opendata.source.coop", {}, "", "", true},
        SettingsCase{
            "region", "bucket", {{"AWS_DEFAULT_REGION", "eu-west-1"}}, "", "eu-west-1", false},
        SettingsCase{"source_cooperative",
                     "dynamical",
                     {{"AWS_ENDPOINT_URL_S3", "https://data.source.coop/"}},
                     "https://data.source.coop",
                     "",
                     true},
        SettingsCase{"r2",
                     "bucket",
                     {{"AWS_ENDPOINT_URL", "https://account.r2.cloudflarestorage.com"},
                      {"AWS_REGION", "auto"},
                      {"AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "true"}},
                     "https://account.r2.cloudflarestorage.com",
                     "auto",
                     false},
        SettingsCase{"endpoint_with_a_path",
                     "bucket",
                     {{"AWS_ENDPOINT_URL_S3", "https://project.example/storage/v1/s3/"}},
                     "https://project.example/storage/v1/s3",
                     "",
                     true},
        SettingsCase{"the_service_s_own_endpoint_prevails",
                     "bucket",
                     {{"AWS_ENDPOINT_URL_S3", "http://a:9000"}, {"AWS_ENDPOINT_URL", "http://b"}},
                     "http://a:9000",
                     "",
                     true},
        SettingsCase{"endpoints_ignored",
                     "bucket",
                     {{"AWS_ENDPOINT_URL_S3", "http://a:9000"},
                      {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true"}},
                     "",
                     "",
                     false}),
    [](const auto& tested) { return tested.param.name; });

TEST(S3Settings, refuse_what_cannot_be) {
  EXPECT_FALSE(s3_settings("a/b", environment_of({})));
  EXPECT_FALSE(s3_settings("ab", environment_of({})));
  EXPECT_FALSE(s3_settings("bucket", environment_of({{"AWS_ENDPOINT_URL", "ftp://x"}})));
  EXPECT_FALSE(s3_settings("bucket", environment_of({{"AWS_ENDPOINT_URL", "http://x/?query"}})));
  const auto user =
      s3_settings("bucket", environment_of({{"AWS_ENDPOINT_URL", "http://user:hidden@x"}}));
  ASSERT_FALSE(user);
  EXPECT_EQ(user.error().message().find("hidden"), std::string::npos);
}

}  // namespace
}  // namespace icefield::object_store
