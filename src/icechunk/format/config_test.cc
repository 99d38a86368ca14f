#include "icechunk/format/config.h"

#include <string>

#include <gtest/gtest.h>

namespace icefield::icechunk {
namespace {

using core::Json;

RepositoryConfig config(const char* text) {
  auto made = RepositoryConfig::from_json(*Json::parse(text));
  EXPECT_TRUE(made) << text;
  return made ? *std::move(made) : RepositoryConfig();
}

TEST(RepositoryConfig, has_defaults_for_what_is_absent_or_null) {
  for (const auto& empty :
       {RepositoryConfig(), config(R"({"inline_chunk_threshold_bytes":null,"manifest":null,
                                      "repo_update_retries":{"default":null}})")}) {
    EXPECT_EQ(empty.inline_chunk_threshold_bytes(), 512);
    EXPECT_EQ(empty.num_updates_per_repo_info_file(), 1000);
    EXPECT_EQ(empty.compression_level(), 3);
    EXPECT_EQ(empty.update_retries(), (UpdateRetries{100, 50, 30'000}));
    EXPECT_EQ(empty.preload_max_arrays_to_scan(), 50U);
    EXPECT_TRUE(empty.splitting().empty());
    EXPECT_TRUE(empty.containers().empty());
  }
}

TEST(RepositoryConfig, keeps_what_it_does_not_know) {
  RepositoryConfig made =
      config(R"({"from_the_future":{"x":[1]},"compression":{"level":7,"y":1}})");
  made.set_compression_level(9);
  made.set_preload_max_arrays_to_scan(0);
  const auto bytes = encode_config(made);
  ASSERT_TRUE(bytes);
  const auto back = decode_config(*bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->json().dump({.sort_names = true}),
            R"({"compression":{"level":9,"y":1},"from_the_future":{"x":[1]},)"
            R"("manifest":{"preload":{"max_arrays_to_scan":0}}})");
}

TEST(RepositoryConfig, refuses_what_would_lock_official_readers_out) {
  for (const char* bad :
       {"[]", R"({"inline_chunk_threshold_bytes":70000})", R"({"inline_chunk_threshold_bytes":-1})",
        R"({"inline_chunk_threshold_bytes":"512"})", R"({"inline_chunk_threshold_bytes":1.5})",
        R"({"compression":3})", R"({"compression":{"level":256}})",
        R"({"storage":{"retries":{"max_tries":0}}})",
        R"({"manifest":{"virtual_chunk_location_compression":{"compression_level":3000000000}}})",
        R"({"manifest":{"splitting":{"split_sizes":[1]}}})",
        R"({"manifest":{"preload":{"preload_if":{"perhaps":[]}}}})",
        R"({"manifest":{"preload":{"preload_if":{"or":["true",1]}}}})",
        R"({"manifest":{"preload":{"preload_if":{"num_refs":{"from":"Unbounded","to":3}}}}})",
        R"({"manifest":{"preload":{"preload_if":{"name_matches":"x"}}}})",
        R"({"repo_update_retries":{"default":{"max_tries":0}}})"}) {
    const auto made = RepositoryConfig::from_json(*Json::parse(bad));
    ASSERT_FALSE(made) << bad;
    EXPECT_EQ(made.error().code(), core::ErrorCode::kCorrupt);
  }
}

TEST(RepositoryConfig, takes_every_condition_of_preloading) {
  config(R"({"manifest":{"preload":{"preload_if":{"or":["true","false",{"and":[]},
      {"path_matches":{"regex":"a"}},{"name_matches":{"regex":"b"}},
      {"num_refs":{"from":{"Included":1},"to":{"Excluded":9}}},
      {"num_refs":{"from":"Unbounded","to":"Unbounded"}}]}}}})");
}

TEST(RepositoryConfig, merges_maps_by_field_and_some_as_a_whole) {
  const auto base = config(R"({"inline_chunk_threshold_bytes":1,"compression":{"level":1},
      "manifest":{"preload":{"max_total_refs":1},"splitting":{"split_sizes":[]},
                  "max_concurrent_manifest_fetches_during_commit":1},
      "virtual_chunk_containers":{"s3://a/":{"name":null,"url_prefix":"s3://a/","store":"in_memory"}}})");
  const auto later =
      config(R"({"inline_chunk_threshold_bytes":null,"compression":{"algorithm":"zstd"},
      "manifest":{"preload":{"max_arrays_to_scan":0}},"virtual_chunk_containers":{}})");
  EXPECT_EQ(base.merged_with(later).json().dump({.sort_names = true}),
            R"({"compression":{"algorithm":"zstd","level":1},"inline_chunk_threshold_bytes":1,)"
            R"("manifest":{"max_concurrent_manifest_fetches_during_commit":1,)"
            R"("preload":{"max_arrays_to_scan":0},"splitting":{"split_sizes":[]}},)"
            R"("virtual_chunk_containers":{}})");
}

TEST(RepositoryConfig, replaces_containers_by_name_and_prefix) {
  RepositoryConfig made;
  ASSERT_TRUE(made.set_container(anonymous_s3_container("src", "s3://one/", "us-east-1")));
  ASSERT_TRUE(made.set_container(anonymous_s3_container("src", "s3://two/", "us-east-1")));
  ASSERT_TRUE(made.set_container(local_container("", "/data")));
  const auto containers = made.containers();
  ASSERT_EQ(containers.size(), 2U);
  EXPECT_EQ(containers[0].url_prefix, "s3://two/");
  EXPECT_TRUE(containers[0].s3.anonymous);
  EXPECT_EQ(containers[1].url_prefix, "file:///data/");
  EXPECT_EQ(containers[1].name, std::nullopt);
  EXPECT_TRUE(made.remove_container("src"));
  EXPECT_FALSE(made.remove_container("src"));
}

TEST(RepositoryConfig, leaves_out_containers_that_official_readers_ignore) {
  const auto made = config(R"({"virtual_chunk_containers":{
      "s3://a/":{"name":"a/b","url_prefix":"s3://a/","store":{"s3":{"anonymous":true,"allow_http":false}}},
      "gs://b/":{"name":"b","url_prefix":"gs://b/","store":{"s3":{"anonymous":true,"allow_http":false}}},
      "s3://c/":{"name":"c","url_prefix":"s3://c","store":{"s3":{"anonymous":true,"allow_http":false}}},
      "x://d/":{"name":"d","url_prefix":"x://d/","store":{"new_store":{}}}}})");
  const auto containers = made.containers();
  ASSERT_EQ(containers.size(), 1U);
  EXPECT_EQ(containers[0].url_prefix, "s3://c/");  // the missing / was added
}

TEST(NewRepositoryConfig, keeps_readers_from_scanning_arrays) {
  EXPECT_EQ(new_repository_config().json().dump(),
            R"({"manifest":{"preload":{"max_arrays_to_scan":0}}})");
}

}  // namespace
}  // namespace icefield::icechunk
