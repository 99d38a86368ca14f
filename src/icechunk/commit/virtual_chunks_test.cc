#include <map>
#include <string>

#include <gtest/gtest.h>

#include "icechunk/commit/refresh_sources.h"
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

// VREF-2: a source that was replaced between the reading of its index and the commit: never old
// offsets on new bytes
TEST_F(VirtualChunks, of_a_source_replaced_before_the_commit_are_never_read_from_the_new_one) {
  const object_store::Key key("f.grib2");
  const auto seen = must(near_->head(key));  // with the index
  auto session = writable();
  refer(session, 1, "vcc://near/f.grib2", {2, 3}, EntityTag{seen.version.value()});
  must(near_->put(key, core::as_bytes("ab012345678"), {}));
  must(commit(session, "refs"));
  const auto reader = must(repository_->readonly_session(BranchName("main")));
  for (const auto& part : {std::optional<core::ByteRange>(), {core::ByteRange{1, 1}}}) {
    const auto refused = reader.read_chunk("/a", ChunkIndex{1}, part);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), core::ErrorCode::kConflict);
    EXPECT_NE(refused.error().message().find("vcc://near/f.grib2"), std::string::npos);
  }
  // parsed again: the new offsets of the new file
  auto again = writable();
  refer(again, 1, "vcc://near/f.grib2", {4, 3}, EntityTag{must(near_->head(key)).version.value()});
  must(commit(again, "parsed again"));
  const auto later = must(repository_->readonly_session(BranchName("main")));
  EXPECT_EQ(chunk_text(later, "/a", {1}), "234");
}

// VREF-6: a source copied over itself: refused, allowed with a warning, repaired, allowed
TEST_F(VirtualChunks, of_sources_touched_but_identical_are_repaired) {
  const object_store::Key key("f.grib2");
  const object_store::Key other("g.grib2");
  must(near_->put(other, core::as_bytes("9876543210"), {}));
  const auto tag = [&](const object_store::Key& of) {
    return EntityTag{must(near_->head(of)).version.value()};
  };
  auto session = writable();
  refer(session, 1, "vcc://near/f.grib2", {2, 3}, tag(key));
  refer(session, 2, "vcc://near/f.grib2", {5, 2}, tag(key));
  refer(session, 3, "vcc://near/g.grib2", {0, 2}, tag(other));
  refer(session, 4, "vcc://near/g.grib2", {0, 2});  // records nothing
  must(commit(session, "refs"));
  must(near_->put(key, core::as_bytes("0123456789"), {}));    // the same bytes
  must(near_->put(other, core::as_bytes("abcdefghij"), {}));  // others
  const auto reader = [&](const RepositoryOptions& options) {
    return must(must(Repository::open(store_, options)).readonly_session(BranchName("main")));
  };
  RepositoryOptions checking;
  checking.access.authorize("s3://near/data/", near_);
  EXPECT_EQ(reader(checking).read_chunk("/a", ChunkIndex{1}).error().code(),
            core::ErrorCode::kConflict);
  RepositoryOptions trusting = checking;
  trusting.access.allow_changed_sources();
  testing::internal::CaptureStderr();
  const auto trusted = reader(trusting);
  EXPECT_EQ(chunk_text(trusted, "/a", {1}), "234");
  EXPECT_EQ(chunk_text(trusted, "/a", {2}), "56");
  const std::string logged = testing::internal::GetCapturedStderr();
  EXPECT_NE(logged.find("vcc://near/f.grib2"), std::string::npos);
  EXPECT_EQ(logged.find("vcc://near/f.grib2"), logged.rfind("vcc://near/f.grib2"));  // once

  std::size_t asked = 0;
  const RefreshOptions options{.same = [&](const ChangedSource& source) -> core::Result<bool> {
    ++asked;
    const auto now = must(source.store.get(source.now.key));
    if (source.location == "vcc://near/f.grib2") {
      EXPECT_EQ(source.ranges, (std::vector<core::ByteRange>{{2, 3}, {5, 2}}));
    }
    return core::as_text(now.bytes) == "0123456789";
  }};
  const auto report = must(refresh_sources(*repository_, "main", "refreshed", options));
  EXPECT_EQ(asked, 2U);
  EXPECT_EQ(report.sources, 2U);
  EXPECT_EQ(report.refreshed, std::vector<std::string>{"vcc://near/f.grib2"});
  EXPECT_EQ(report.different, std::vector<std::string>{"vcc://near/g.grib2"});
  EXPECT_EQ(report.commit->references, 2U);
  const auto repaired = reader(checking);
  EXPECT_EQ(chunk_text(repaired, "/a", {1}), "234");
  EXPECT_EQ(chunk_text(repaired, "/a", {2}), "56");
  EXPECT_EQ(repaired.read_chunk("/a", ChunkIndex{3}).error().code(), core::ErrorCode::kConflict);
  EXPECT_EQ(chunk_text(repaired, "/a", {4}), "ab");
  // nothing left to do: no commit
  const auto again = must(refresh_sources(*repository_, "main", "again", options));
  EXPECT_FALSE(again.commit);
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
