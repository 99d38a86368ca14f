#include <map>
#include <string>

#include <gtest/gtest.h>

#include "icechunk/commit/testing/repository_words.h"
#include "icechunk/session/zarr_store.h"

namespace icefield::icechunk {
namespace {

using namespace testing_words;  // NOLINT: small words of the tests

/// A repository with two containers, `near` authorised and `far` not.
class VirtualChunks : public testing::Test {
 protected:
  VirtualChunks() {
    RepositoryConfig config;
    must(config.set_container(anonymous_s3_container("near", "s3://near/data/", "us-east-1")));
    must(config.set_container(anonymous_s3_container("far", "s3://far/", "us-east-1")));
    must(near_->put(object_store::Key("f.grib2"), core::as_bytes("0123456789"), {}));
    RepositoryOptions options;
    options.access.authorize("s3://near/data/", near_);
    repository_.emplace(must(Repository::create(store_, config, options)));
    auto session = must(repository_->writable_session("main"));
    put_array(session, "/a", {10});
    must(commit(session, "array"));
  }

  Session writable() { return must(repository_->writable_session("main")); }

  static void refer(Session& session, std::uint32_t chunk, std::string_view location,
                    core::ByteRange range, const SourceIdentity& identity = {}) {
    const LocationNumber number = must(session.add_location(location, identity));
    must(session.set_virtual_references("/a", {.indices = std::span(&chunk, 1),
                                               .locations = std::span(&number, 1),
                                               .offsets = std::span(&range.offset, 1),
                                               .lengths = std::span(&range.length, 1)}));
  }

  std::shared_ptr<object_store::ObjectStore> store_ = memory_store();
  std::shared_ptr<object_store::ObjectStore> near_ = memory_store();
  std::optional<Repository> repository_;
};

TEST_F(VirtualChunks, are_read_through_their_container) {
  auto session = writable();
  refer(session, 1, "s3://near/data/f.grib2", {2, 3});
  EXPECT_EQ(chunk_text(session, "/a", {1}), "234");
  must(commit(session, "refs"));
  const auto reader = must(repository_->readonly_session(BranchName("main")));
  EXPECT_EQ(chunk_text(reader, "/a", {1}), "234");
  EXPECT_EQ(chunks_of(reader, "/a").at({1}), "@vcc://near/f.grib2+2");
  const auto part = must(reader.read_chunk("/a", ChunkIndex{1}, core::ByteRange{1, 1}));
  EXPECT_EQ(core::as_text(*part), "3");
}

// VREF-1: a chunk with a reference never reads as fill
TEST_F(VirtualChunks, that_cannot_be_read_are_errors_naming_the_location) {
  auto session = writable();
  refer(session, 1, "s3://near/data/none.grib2", {0, 4});
  refer(session, 2, "s3://near/data/f.grib2", {8, 4});
  const auto absent = session.read_chunk("/a", ChunkIndex{1});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code(), core::ErrorCode::kNotFound);
  EXPECT_NE(absent.error().message().find("vcc://near/none.grib2"), std::string::npos);
  const auto cut = session.read_chunk("/a", ChunkIndex{2});
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code(), core::ErrorCode::kCorrupt);
  EXPECT_NE(cut.error().message().find("vcc://near/f.grib2"), std::string::npos);
  EXPECT_EQ(chunk_text(session, "/a", {3}), "-");
  EXPECT_FALSE(ZarrStore(session).get("a/c/1"));
  EXPECT_TRUE(must(ZarrStore(session).exists("a/c/1")));
}

// VREF-3: reading a container that nobody authorised names its prefix
TEST_F(VirtualChunks, of_other_containers_are_refused_by_prefix) {
  auto session = writable();
  refer(session, 1, "s3://far/x", {0, 4});
  const auto refused = session.read_chunk("/a", ChunkIndex{1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), core::ErrorCode::kPermissionDenied);
  EXPECT_NE(refused.error().message().find("s3://far/"), std::string::npos);
  const auto needs = must(repository_->containers());
  ASSERT_EQ(needs.size(), 2U);
  for (const ContainerNeed& need : needs) {
    EXPECT_EQ(need.authorized, need.container.name == "near");
    EXPECT_FALSE(need.needs_credentials);
  }
}

TEST_F(VirtualChunks, need_a_matching_container) {
  auto session = writable();
  const auto refused = session.add_location("s3://elsewhere/x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), core::ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message().find("s3://elsewhere/x"), std::string::npos);
}

TEST_F(VirtualChunks, follow_a_container_that_is_re_pointed_for_one_process) {
  auto session = writable();
  refer(session, 1, "vcc://near/f.grib2", {0, 2});
  must(commit(session, "refs"));
  const auto mirror = memory_store();
  must(mirror->put(object_store::Key("f.grib2"), core::as_bytes("abcdefghij"), {}));
  RepositoryOptions options;
  options.repointed.push_back(anonymous_s3_container("near", "s3://mirror/", "us-east-1"));
  options.access.authorize("s3://mirror/", mirror);
  const auto other = must(Repository::open(store_, options));
  EXPECT_EQ(chunk_text(must(other.readonly_session(BranchName("main"))), "/a", {1}), "ab");
  EXPECT_EQ(chunk_text(must(repository_->readonly_session(BranchName("main"))), "/a", {1}), "01");
}

TEST_F(VirtualChunks, are_refused_when_the_source_changed_since) {
  const auto info = must(near_->head(object_store::Key("f.grib2")));
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(info.last_modified);
  const LastModified seen{static_cast<std::uint32_t>(seconds.time_since_epoch().count())};
  auto session = writable();
  refer(session, 1, "vcc://near/f.grib2", {0, 2}, seen);
  refer(session, 2, "vcc://near/f.grib2", {0, 2}, EntityTag{info.version.value()});
  refer(session, 3, "vcc://near/f.grib2", {0, 2}, LastModified{seen.seconds - 2});
  refer(session, 4, "vcc://near/f.grib2", {0, 2}, EntityTag{"another"});
  EXPECT_EQ(chunk_text(session, "/a", {1}), "01");
  EXPECT_EQ(chunk_text(session, "/a", {2}), "01");
  for (const std::uint32_t chunk : {3U, 4U}) {
    const auto refused = session.read_chunk("/a", ChunkIndex{chunk});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), core::ErrorCode::kConflict);
  }
}

// VREF-7: aliases of schemes, one spelling in the store, the longest prefix wins
TEST(VirtualLocations, are_spelled_one_way_and_belong_to_the_longest_prefix) {
  RepositoryConfig config;
  for (const auto& [name, prefix] :
       std::map<std::string, std::string>{{"outer", "gs://b/"}, {"inner", "gs://b/x/"}}) {
    VirtualContainer container;
    container.name = name;
    container.url_prefix = prefix;
    container.kind = StoreKind::kGcs;
    must(config.set_container(container));
  }
  const auto inner = memory_store();
  must(inner->put(object_store::Key("k"), core::as_bytes("inner"), {}));
  RepositoryOptions options;
  options.access.authorize("gs://b/x/", inner);
  const auto repository = must(Repository::create(memory_store(), config, options));
  auto session = must(repository.writable_session("main"));
  put_array(session, "/a", {4});
  const auto one = must(session.add_location("gcs://b/x/k"));
  EXPECT_EQ(one, must(session.add_location("gs://b/x/k")));
  EXPECT_EQ(one, must(session.add_location("vcc://inner/k")));
  must(session.set_reference(
      "/a", ChunkIndex{0},
      VirtualChunk{.location = "gcs://b/x/k", .range = {0, 5}, .identity = {}}));
  EXPECT_EQ(chunk_text(session, "/a", {0}), "inner");
  EXPECT_EQ(chunks_of(session, "/a").at({0}), "@vcc://inner/k+0");
}

}  // namespace
}  // namespace icefield::icechunk
