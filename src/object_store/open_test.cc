#include "object_store/open.h"

#include <filesystem>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace icefield::object_store {
namespace {

struct UrlCase {
  std::string name, url, location;  // location empty: refused
  core::ErrorCode code = core::ErrorCode::kInvalidArgument;
};

class Urls : public testing::TestWithParam<UrlCase> {};

TEST_P(Urls, lead_to_their_store) {
  OpenOptions options;
  options.environment = [](std::string_view /*name*/) { return std::optional<std::string>(); };
  const auto store = open_store(GetParam().url, options);
  if (!GetParam().location.empty()) {
    ASSERT_TRUE(store) << store.error().message();
    EXPECT_EQ((*store)->location(), GetParam().location);
    return;
  }
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code(), GetParam().code);
  EXPECT_EQ(store.error().message().find("secret"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    , Urls,
    testing::Values(
        UrlCase{"path", "/data/x", "file:///data/x/"},
        UrlCase{"path_with_slash", "/data/x/", "file:///data/x/"},
        UrlCase{"path_is_cleaned", "/data/./y/../x//", "file:///data/x/"},
        UrlCase{"path_is_taken_as_it_is", "/data/a%20b#c", "file:///data/a%2520b%23c/"},
        UrlCase{"relative", "x/y",
                "file://" + (std::filesystem::current_path() / "x/y").string() + "/"},
        UrlCase{"root", "/", "file:///"}, UrlCase{"file", "file:///data/x", "file:///data/x/"},
        UrlCase{"file_decoded", "file:///data/a%20b", "file:///data/a%20b/"},
        UrlCase{"file_on_localhost", "file://localhost/data", "file:///data/"},
        UrlCase{"file_elsewhere", "file://host/data", ""},
        UrlCase{"file_bad_percent", "file:///data/%4", ""},
        UrlCase{"file_query", "file:///data?x", ""}, UrlCase{"memory", "memory://", "memory:///"},
        UrlCase{"memory_named", "memory://one", "memory://one/"},
        UrlCase{"memory_prefix", "memory://one/a/b", "memory://one/a/b/"},
        UrlCase{"memory_bad_prefix", "memory://one/a//b", ""},
        UrlCase{"s3", "s3://bucket/a/b/", "s3://bucket/a/b/"},
        UrlCase{"s3_bucket_alone", "s3://bucket", "s3://bucket/"},
        UrlCase{"s3_no_bucket", "s3://", ""}, UrlCase{"s3_bad_prefix", "s3://bucket/a/../b", ""},
        UrlCase{"gcs", "gs://bucket/a", "gs://bucket/a/"},
        UrlCase{"azure_without_account", "az://container/a", ""},
        UrlCase{"http", "https://host:8443/a", "https://host:8443/a/"},
        UrlCase{"http_query", "https://host/a?secret", ""},
        UrlCase{"http_user", "https://user:secret@host/a", ""}, UrlCase{"empty", "", ""},
        UrlCase{"user_information", "s3://key:secret@bucket/x", ""},
        UrlCase{"user_information_with_a_slash", "s3://key:secret/secret@bucket/x", ""},
        UrlCase{"user_information_gcs", "gs://key:secret@bucket/x", ""},
        UrlCase{"user_information_azure", "az://key:secret@container/x", ""},
        UrlCase{"user_information_http", "http://key:secret/secret@host/x", ""},
        UrlCase{"unknown_scheme", "ftp://host/x", "", core::ErrorCode::kUnsupported}),
    [](const auto& tested) { return tested.param.name; });

TEST(MemoryUrls, share_by_name_only) {
  const auto put = [](const std::string& url) {
    return (*open_store(url))->put(Key("k"), core::as_bytes("x"), PutCondition::none()).has_value();
  };
  ASSERT_TRUE(put("memory://shared-by-name/a"));
  ASSERT_TRUE(put("memory://"));
  EXPECT_TRUE((*open_store("memory://shared-by-name"))->head(Key("a/k")));
  EXPECT_FALSE((*open_store("memory://"))->head(Key("k")));
}

}  // namespace
}  // namespace icefield::object_store
