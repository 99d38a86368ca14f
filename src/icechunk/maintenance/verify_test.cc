#include "icechunk/maintenance/verify.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/file.h"
#include "icechunk/assets/keys.h"
#include "icechunk/commit/refs.h"
#include "icechunk/commit/testing/repository_words.h"
#include "icechunk/format/snapshot_codec.h"
#include "icechunk/format/transaction_log_codec.h"
#include "icechunk/format/virtual_container.h"
#include "object_store/testing/scratch_folder.h"

namespace icefield::icechunk {
namespace {

using namespace testing_words;  // NOLINT: small words of the tests

using Store = std::shared_ptr<object_store::ObjectStore>;

/// A small repository with chunks of every own kind, a branch, a tag and a move.
struct Sample {
  Store store = memory_store();
  SnapshotId first;
  SnapshotId tip;

  Sample() {
    const auto repository = new_repository(store, split_by(2));
    auto session = must(repository.writable_session("main"));
    put_group(session, "/");
    put_array(session, "/a", {6});
    put_chunk(session, "/a", {0}, "small");
    put_chunk(session, "/a", {3}, std::string(600, 'x'));
    first = must(commit(session, "first")).snapshot;
    auto again = must(repository.writable_session("main"));
    put_chunk(again, "/a", {1}, "more");
    tip = must(commit(again, "second")).snapshot;
    must(create_branch(repository, "b", first));
    must(create_tag(repository, "t", tip));
  }

  std::string first_key(std::string_view folder) const {
    return must(object_store::list_all(*store, std::string(folder)))[0].key.value();
  }
  void remove(const std::string& key) const {
    const object_store::Key object(key);
    must(store->remove(std::span(&object, 1))[0]);
  }
  void replace(const std::string& key, std::span<const std::byte> bytes) const {
    must(store->put(object_store::Key(key), bytes, {}));
  }
  core::Bytes read(const std::string& key) const {
    return must(store->get(object_store::Key(key))).bytes;
  }
  /// Writes a snapshot again after a change to its value.
  void edit(const SnapshotId& id, const std::function<void(Snapshot&)>& change) const {
    const std::string key = snapshot_key(id).value();
    Snapshot snapshot = must(decode_snapshot(read(key)));
    change(snapshot);
    replace(key, must(encode_snapshot(snapshot)));
  }

  VerifyReport verified() const { return must(verify(must(Repository::open(store)))); }
};

TEST(Verify, finds_nothing_wrong_with_what_we_write) {
  const auto report = Sample().verified();
  for (const Finding& finding : report.findings) ADD_FAILURE() << finding.object << finding.what;
  EXPECT_EQ(report.snapshots, 3U);
  EXPECT_EQ(report.references, 3U);
}

struct DamageCase {
  std::string name;
  std::function<void(const Sample&)> damage;
  std::string what;  // part of a finding's text
  friend std::ostream& operator<<(std::ostream& out, const DamageCase& tested) {
    return out << tested.name;
  }
};
class VerifyDamage : public testing::TestWithParam<DamageCase> {};

TEST_P(VerifyDamage, is_found) {
  const Sample sample;
  GetParam().damage(sample);
  const auto report = sample.verified();
  EXPECT_FALSE(report.sound());
  const bool told = std::ranges::any_of(report.findings, [](const Finding& finding) {
    return finding.severity == Severity::kDamage &&
           finding.what.find(GetParam().what) != std::string::npos;
  });
  std::string all;
  for (const Finding& finding : report.findings) all += finding.object + ": " + finding.what + "\n";
  EXPECT_TRUE(told) << all;
}

void cut(const Sample& sample, const std::string& key) {
  auto bytes = sample.read(key);
  bytes.resize(bytes.size() / 2);
  sample.replace(key, bytes);
}

INSTANTIATE_TEST_SUITE_P(
    , VerifyDamage,
    testing::Values(
        DamageCase{"snapshot_gone", [](const Sample& s) { s.remove(snapshot_key(s.tip).value()); },
                   "does not exist"},
        DamageCase{"snapshot_cut", [](const Sample& s) { cut(s, snapshot_key(s.tip).value()); },
                   "zstd"},
        DamageCase{"manifest_gone", [](const Sample& s) { s.remove(s.first_key("manifests/")); },
                   "does not exist"},
        DamageCase{"manifest_cut", [](const Sample& s) { cut(s, s.first_key("manifests/")); },
                   "listed as"},
        DamageCase{"chunk_gone", [](const Sample& s) { s.remove(s.first_key("chunks/")); },
                   "does not exist"},
        DamageCase{"chunk_cut", [](const Sample& s) { cut(s, s.first_key("chunks/")); },
                   "which has 300"},
        DamageCase{"log_gone",
                   [](const Sample& s) { s.remove(transaction_log_key(s.tip).value()); },
                   "does not exist"},
        DamageCase{"log_empty",
                   [](const Sample& s) {
                     s.replace(transaction_log_key(s.tip).value(),
                               must(encode_transaction_log({.id = s.tip})));
                   },
                   "a changed chunk of /a is not logged"},
        DamageCase{"log_of_another",
                   [](const Sample& s) {
                     s.replace(transaction_log_key(s.tip).value(),
                               s.read(transaction_log_key(s.first).value()));
                   },
                   "under the name of"},
        DamageCase{"message_differs",
                   [](const Sample& s) {
                     s.edit(s.tip, [](Snapshot& snapshot) { snapshot.message = "other"; });
                   },
                   "message differs"},
        DamageCase{"metadata_differs",
                   [](const Sample& s) {
                     s.edit(s.tip, [](Snapshot& snapshot) { snapshot.metadata.clear(); });
                   },
                   "metadata differs"},
        DamageCase{"size_listed_wrongly",
                   [](const Sample& s) {
                     s.edit(s.tip,
                            [](Snapshot& snapshot) { snapshot.manifest_files[0].size_bytes += 1; });
                   },
                   "listed as"},
        DamageCase{"count_listed_wrongly",
                   [](const Sample& s) {
                     s.edit(s.first, [](Snapshot& snapshot) {
                       snapshot.manifest_files[0].num_chunk_refs += 1;
                     });
                   },
                   "references, listed as"},
        DamageCase{"shape_differs",
                   [](const Sample& s) {
                     s.edit(s.tip, [](Snapshot& snapshot) {
                       snapshot.find("/a")->array->shape[0].array_length = 7;
                     });
                   },
                   "the shape differs from zarr.json"},
        DamageCase{"node_id_twice",
                   [](const Sample& s) {
                     s.edit(s.tip, [](Snapshot& snapshot) {
                       snapshot.find("/a")->id = snapshot.find("/")->id;
                     });
                   },
                   "has the id of another"},
        DamageCase{"box_empty",
                   [](const Sample& s) {
                     s.edit(s.tip, [](Snapshot& snapshot) {
                       auto refs = snapshot.find("/a")->array->manifests.refs();
                       refs[0].extents.set(0, {.from = 2, .to = 2});
                       snapshot.find("/a")->array->manifests = refs;
                     });
                   },
                   "box is empty"},
        DamageCase{"version_1_in_the_header_of_repo",
                   [](const Sample& s) {
                     auto bytes = s.read("repo");
                     bytes[36] = std::byte{1};
                     s.replace("repo", bytes);
                   },
                   "spec version 1"},
        DamageCase{"metadata_not_logged",
                   [](const Sample& s) {
                     s.edit(s.tip, [](Snapshot& snapshot) {
                       snapshot.find("/")->user_data = SharedBytes(
                           core::to_bytes(R"({"node_type":"group","attributes":{"x":1}})"));
                     });
                   },
                   "new metadata of / is not logged"}),
    [](const auto& tested) { return tested.param.name; });

TEST(Verify, tells_of_file_sources_that_cannot_be_read) {
  const object_store_testing::ScratchFolder scratch;
  const auto file = scratch.path() / "f.bin";
  must(core::write_file(file, core::to_bytes("12345678")));
  const auto store = memory_store();
  RepositoryConfig config;
  must(config.set_container(local_container("src", scratch.path().string())));
  const auto repository = new_repository(store, config);
  auto session = must(repository.writable_session("main"));
  put_group(session, "/");
  put_array(session, "/v", {2});
  const auto location = must(session.add_location("vcc://src/f.bin", {}));
  const std::vector<std::uint32_t> indices{0, 1};
  const std::vector<LocationNumber> locations{location, location};
  const std::vector<std::uint64_t> offsets{0, 4};
  const std::vector<std::uint64_t> lengths{4, 4};
  must(session.set_virtual_references(
      "/v", {.indices = indices, .locations = locations, .offsets = offsets, .lengths = lengths}));
  must(commit(session, "references"));
  const auto findings = [&repository] { return must(verify(repository)).findings; };
  EXPECT_TRUE(findings().empty());
  must(core::write_file(file, core::to_bytes("1234567")));
  ASSERT_EQ(findings().size(), 1U);
  EXPECT_EQ(findings()[0].severity, Severity::kUnusual);
  EXPECT_NE(findings()[0].what.find("it has 7 bytes, not 8"), std::string::npos);
  std::filesystem::remove(file);
  EXPECT_EQ(findings().size(), 2U);
}

}  // namespace
}  // namespace icefield::icechunk
