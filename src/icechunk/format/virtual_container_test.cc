#include "icechunk/format/virtual_container.h"

#include <string>

#include <gtest/gtest.h>

namespace icefield::icechunk {
namespace {

using core::Json;

struct StoreCase {
  std::string name;
  std::string entry;
  StoreKind kind;
};

class ContainerJson : public testing::TestWithParam<StoreCase> {};
TEST_P(ContainerJson, reads_and_writes_back_all_members) {
  const auto json = Json::parse(GetParam().entry);
  ASSERT_TRUE(json);
  const auto container = container_from_json(*json);
  ASSERT_TRUE(container) << container.error().message();
  EXPECT_EQ(container->kind, GetParam().kind);
  EXPECT_EQ(container_to_json(*container).dump({.sort_names = true}),
            json->dump({.sort_names = true}));
}

// entries as the official library stores them
INSTANTIATE_TEST_SUITE_P(
    , ContainerJson,
    testing::Values(
        StoreCase{"s3",
                  R"({"name":"cloud","url_prefix":"s3://example-bucket/","store":{"s3":{
                  "region":"us-east-1","endpoint_url":null,"anonymous":true,"allow_http":false,
                  "force_path_style":false,"network_stream_timeout_seconds":30,
                  "requester_pays":false,"checksum_algorithm":null}}})",
                  StoreKind::kS3},
        StoreCase{"gcs", R"({"name":null,"url_prefix":"gs://example-bucket/","store":{"gcs":{}}})",
                  StoreKind::kGcs},
        StoreCase{"azure",
                  R"({"name":null,"url_prefix":"az://container/",
                  "store":{"azure":{"account":"account"}}})",
                  StoreKind::kAzure},
        StoreCase{"http",
                  R"({"name":null,"url_prefix":"https://example.com/d/","store":{"http":{
                  "allow_http":"true","headers":{"x-header":"1"}}}})",
                  StoreKind::kHttp},
        StoreCase{"local",
                  R"({"name":"data","url_prefix":"file:///tmp/data/",
                  "store":{"local_file_system":"/tmp/data"}})",
                  StoreKind::kLocal},
        StoreCase{"memory", R"({"name":null,"url_prefix":"memory://x/","store":"in_memory"})",
                  StoreKind::kMemory}),
    [](const auto& tested) { return tested.param.name; });

TEST(ContainerFromJson, refuses_other_structures) {
  for (const char* bad :
       {"1", "{}", R"({"url_prefix":"s3://a/"})", R"({"url_prefix":"s3://a/","store":{"s3":1}})",
        R"({"url_prefix":"s3://a/","store":{"other":{}}})",
        R"({"url_prefix":"s3://a/","store":{"s3":{"anonymous":"yes"}}})",
        R"({"name":1,"url_prefix":"s3://a/","store":{"s3":{}}})"})
    EXPECT_FALSE(container_from_json(*Json::parse(bad))) << bad;
}

struct CheckCase {
  std::string prefix;
  StoreKind kind;
  bool good;
};

const CheckCase kChecks[] = {
    {"s3://bucket/", StoreKind::kS3, true},        {"s3://bucket/a b/", StoreKind::kS3, true},
    {"s3://bucket", StoreKind::kS3, false},        {"s3:///key/", StoreKind::kS3, false},
    {"gs://bucket/", StoreKind::kS3, false},       {"tigris://bucket/", StoreKind::kTigris, true},
    {"s3://bucket/", StoreKind::kTigris, true},    {"gcs://bucket/", StoreKind::kGcs, true},
    {"abfs://c/", StoreKind::kAzure, true},        {"http://h:80/", StoreKind::kHttp, true},
    {"file:///", StoreKind::kLocal, true},         {"file:///a/b/", StoreKind::kLocal, true},
    {"file:///a/../b/", StoreKind::kLocal, false}, {"file://host/a/", StoreKind::kLocal, false},
    {"memory://x/", StoreKind::kMemory, false},    {"no url/", StoreKind::kS3, false},
};

TEST(CheckContainer, wants_a_prefix_that_fits_its_store) {
  for (const CheckCase& one : kChecks) {
    const VirtualContainer container{.url_prefix = one.prefix, .kind = one.kind};
    EXPECT_EQ(static_cast<bool>(check_container(container)), one.good) << one.prefix;
  }
}

}  // namespace
}  // namespace icefield::icechunk
