#include "icechunk/maintenance/verify.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "icechunk/assets/keys.h"
#include "icechunk/commit/refs.h"
#include "icechunk/commit/testing/repository_words.h"
#include "icechunk/format/snapshot_codec.h"
#include "icechunk/format/transaction_log_codec.h"

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
        DamageCase{"metadata_not_logged",
                   [](const Sample& s) {
                     s.edit(s.tip, [](Snapshot& snapshot) {
                       snapshot.find("/")->user_data = SharedBytes(
                           core::to_bytes(R"({"node_type":"group","attributes":{"x":1}})"));
                     });
                   },
                   "new metadata of / is not logged"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace icefield::icechunk
