#include "icechunk/format/location.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace icefield::icechunk {
namespace {

VirtualContainer container(const char* name, const char* prefix, StoreKind kind) {
  VirtualContainer made{.url_prefix = prefix, .kind = kind};
  if (*name != '\0') made.name = name;
  return made;
}

const std::vector<VirtualContainer> kContainers{
    container("outer", "gs://b/", StoreKind::kGcs),
    container("inner", "gs://b/x/", StoreKind::kGcs),
    container("amazon", "s3://bucket/data/", StoreKind::kS3),
    container("", "abfs://box/", StoreKind::kAzure),
    container("web", "https://host:8080/d/", StoreKind::kHttp),
    container("disk", "file:///srv/my data/", StoreKind::kLocal),
};

struct ResolveCase {
  std::string location;
  std::string container;  // its prefix
  std::string bucket;
  std::string key;
};

const ResolveCase kResolved[] = {
    {"gs://b/k", "gs://b/", "b", "k"},
    {"gs://b/x/k", "gs://b/x/", "b", "x/k"},
    {"gcs://b/x/k", "gs://b/x/", "b", "x/k"},
    {"GS://b/x/k", "gs://b/x/", "b", "x/k"},
    {"az://box/k", "abfs://box/", "box", "k"},
    {"azure://box/k", "abfs://box/", "box", "k"},
    {"vcc://inner/k", "gs://b/x/", "b", "x/k"},
    {"vcc://outer/x/k", "gs://b/x/", "b", "x/k"},  // expanded first, then the longest prefix
    {"vcc://amazon/a/b.grib2", "s3://bucket/data/", "bucket", "data/a/b.grib2"},
    {"s3://bucket/data//odd/../k", "s3://bucket/data/", "bucket", "data//odd/../k"},
    {"s3://bucket/data/a%20b%2520?v=1#f", "s3://bucket/data/", "bucket", "data/a b%20"},
    {"s3://bucket/d%61ta/k", "s3://bucket/data/", "bucket", "data/k"},
    {"https://host:8080/d/k", "https://host:8080/d/", "host:8080", "d/k"},
    {"file:///srv/my%20data/k", "file:///srv/my data/", "", "/srv/my data/k"},
    {"file:///srv/x/../my data/./k", "file:///srv/my data/", "", "/srv/my data/k"},
    {"vcc://disk/a b", "file:///srv/my data/", "", "/srv/my data/a b"},
};

TEST(ResolveLocation, finds_the_longest_prefix_and_the_key) {
  for (const ResolveCase& one : kResolved) {
    const auto found = resolve_location(one.location, kContainers);
    ASSERT_TRUE(found) << one.location << ": " << found.error().message();
    EXPECT_EQ(found->container->url_prefix, one.container) << one.location;
    EXPECT_EQ(found->bucket, one.bucket) << one.location;
    EXPECT_EQ(found->key, one.key) << one.location;
  }
}

struct RefusedCase {
  std::string location;
  core::ErrorCode code;
};

const RefusedCase kRefused[] = {
    {"s3://other/k", core::ErrorCode::kNotFound},
    {"s3://bucket/dat", core::ErrorCode::kNotFound},
    {"vcc://nobody/k", core::ErrorCode::kNotFound},
    {"file:///srv/my data/../secret", core::ErrorCode::kNotFound},
    {"file:///srv/my data/%2e%2e/secret", core::ErrorCode::kNotFound},
    {"vcc://disk/../secret", core::ErrorCode::kNotFound},
    {"file://elsewhere/srv/my data/k", core::ErrorCode::kInvalidArgument},
    {"no url", core::ErrorCode::kInvalidArgument},
    {"s3:///k", core::ErrorCode::kInvalidArgument},
    {"gs://b/a//k", core::ErrorCode::kUnsupported},
    {"gs://b/a/../k", core::ErrorCode::kUnsupported},
    {"https://host:8080/d/%2e%2e/k", core::ErrorCode::kUnsupported},
};

TEST(ResolveLocation, refuses_what_belongs_to_no_container) {
  for (const RefusedCase& one : kRefused) {
    const auto found = resolve_location(one.location, kContainers);
    ASSERT_FALSE(found) << one.location;
    EXPECT_EQ(found.error().code(), one.code) << one.location;
    EXPECT_NE(found.error().message().find(one.location.substr(0, 4)), std::string::npos);
  }
}

struct CanonicalCase {
  std::string location;
  std::string as_given;
  std::string relative;
};

const CanonicalCase kCanonical[] = {
    {"gcs://b/x/k", "gs://b/x/k", "vcc://inner/k"},
    {"S3://bucket/data/k", "s3://bucket/data/k", "vcc://amazon/k"},
    {"az://box/k", "abfs://box/k", "abfs://box/k"},  // no name to be relative to
    {"vcc://outer/k", "vcc://outer/k", "vcc://outer/k"},
    {"VCC://outer/k", "vcc://outer/k", "vcc://outer/k"},
    {"file:///srv/my data/ü", "file:///srv/my%20data/%C3%BC", "vcc://disk/%C3%BC"},
    {"s3://bucket/data/a%20b?v=1", "s3://bucket/data/a%20b?v=1", "vcc://amazon/a%20b?v=1"},
};

TEST(CanonicalLocation, has_one_spelling) {
  for (const CanonicalCase& one : kCanonical) {
    const auto as_given = canonical_location(one.location, kContainers, LocationForm::kAsGiven);
    ASSERT_TRUE(as_given) << one.location;
    EXPECT_EQ(*as_given, one.as_given);
    const auto relative = canonical_location(one.location, kContainers, LocationForm::kRelative);
    ASSERT_TRUE(relative) << one.location;
    EXPECT_EQ(*relative, one.relative);
    const auto direct = resolve_location(one.location, kContainers);
    const auto again = resolve_location(*relative, kContainers);
    ASSERT_TRUE(direct && again);
    EXPECT_EQ(direct->key, again->key);
    EXPECT_EQ(direct->container, again->container);
  }
  EXPECT_FALSE(canonical_location("s3://other/k", kContainers, LocationForm::kRelative));
  EXPECT_FALSE(canonical_location("vcc://nobody/k", kContainers, LocationForm::kRelative));
  EXPECT_FALSE(canonical_location("vcc://outer", kContainers, LocationForm::kRelative));
}

}  // namespace
}  // namespace icefield::icechunk
