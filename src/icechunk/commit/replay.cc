#include "icechunk/commit/replay.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "core/text.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/commit/history.h"
#include "icechunk/commit/internal/merge_documents.h"
#include "icechunk/session/chunk_lookup.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {
namespace {

using ChangedChunks = std::map<NodeId, ChunkIndexSet>;

core::Error conflict(std::string_view path, std::string_view why) {
  return core::Error(core::ErrorCode::kConflict, core::text("replay: ", path, ": ", why));
}

/// What a side changed since both began.
struct Side {
  std::vector<SnapshotId> commits;
  ChangedChunks chunks;
  NodeIds updated;  // documents
};

enum class Structure { kMustStay, kMayChange };

/// Errors: kConflict when a commit created, deleted or moved nodes and that must not be.
core::Result<Side> read_side(AssetStore& assets, const RepoInfo& repo, const SnapshotId& from,
                             const SnapshotId& to, Structure structure) {
  Side side;
  TRY_ASSIGN(side.commits, logs_between(repo, from, to));
  for (const SnapshotId& id : side.commits) {
    TRY_ASSIGN(const auto log, assets.transaction_log(id));
    const bool same_nodes = log->new_arrays.empty() && log->new_groups.empty() &&
                            log->deleted_arrays.empty() && log->deleted_groups.empty() &&
                            log->moves.empty();
    if (structure == Structure::kMustStay && !same_nodes) {
      return conflict("commit " + id.text(), "it created, deleted or moved nodes");
    }
    for (const auto& [node, chunks] : log->updated_chunks) {
      auto& all = side.chunks[node];
      if (!all.empty() && all.rank() != chunks.rank()) {
        return core::Error(core::ErrorCode::kCorrupt,
                           "the logs disagree about the rank of node " + node.text());
      }
      all = ChunkIndexSet::join(all, chunks);
    }
    for (const NodeIds* ids : {&log->updated_arrays, &log->updated_groups}) {
      side.updated.insert(side.updated.end(), ids->begin(), ids->end());
    }
  }
  put_in_order(side.updated);
  return side;
}

class Replay {
 public:
  Replay(SessionState& ours, SessionState& theirs, const ReplayOptions& options)
      : ours_(ours), theirs_(theirs), options_(options) {}

  /// What has to be done, without doing it: so that an error leaves the session as it was.
  core::Status plan(const Snapshot& from, const Side& their_side) {
    for (const NodeState& theirs : theirs_.nodes("/")) {
      const bool document = holds(their_side.updated, theirs.id);
      const auto chunks = their_side.chunks.find(theirs.id);
      if (!document && chunks == their_side.chunks.end()) continue;
      const auto ours = ours_.find(theirs.path);
      if (!ours || ours->id != theirs.id) {
        return conflict(theirs.path, "the node is gone from the branch that takes it over");
      }
      const Node* before = from.find(theirs.path);
      TRY_ASSIGN(auto merged, merged_document(before, *ours, theirs, document));
      if (merged) documents_.emplace_back(std::string(theirs.path), *std::move(merged));
      if (chunks != their_side.chunks.end() && !options_.keep_chunks_of(theirs.path)) {
        arrays_.emplace_back(std::string(theirs.path), &chunks->second);
      }
    }
    return {};
  }

  core::Status apply(Session& onto, const Side& our_side, ReplayReport& report) {
    for (auto& [path, document] : documents_) {
      TRY_ASSIGN([[maybe_unused]] const bool changed, onto.set_metadata(path, document));
    }
    for (const auto& [path, chunks] : arrays_) TRY(take_chunks(path, *chunks, our_side, report));
    return {};
  }

 private:
  core::Status take_chunks(const std::string& path, const ChunkIndexSet& positions,
                           const Side& our_side, ReplayReport& report) {
    TRY_ASSIGN(const auto array, ours_.find_array(path));
    TRY_ASSIGN(const auto source, theirs_.find_array(path));
    const auto own_chunks = our_side.chunks.find(array.id);
    const ArrayChanges* staged = ours_.changes().chunks_of(array.id);
    ChunkLookup lookup(theirs_, source);
    std::vector<ChunkEdit> edits(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const ChunkIndexView index = positions[i];
      const bool both =
          (own_chunks != our_side.chunks.end() && own_chunks->second.contains(index)) ||
          (staged != nullptr && staged->find(index, ours_.locations()));
      if (both) report.overlaps.push_back({.path = path, .index = {index.begin(), index.end()}});
      TRY_ASSIGN(const auto view, lookup.find(index));
      if (view) edits[i] = own(*view);
    }
    ArrayChanges& changes =
        ours_.changes().chunks.try_emplace(array.id, array.shape->size()).first->second;
    for (std::size_t i = 0; i < edits.size(); ++i) changes.edit(positions[i], std::move(edits[i]));
    report.chunks += edits.size();
    return {};
  }

  core::Result<std::optional<core::Bytes>> merged_document(const Node* before,
                                                           const NodeState& ours,
                                                           const NodeState& theirs,
                                                           bool they_changed) {
    auto merged = merge_documents(ours.user_data->view(), theirs.user_data->view());
    if (!merged) return std::move(merged).error().within("replay: " + std::string(theirs.path));
    if (!they_changed || *ours.user_data == *theirs.user_data) return {std::nullopt};
    const bool we_changed = before == nullptr || !(before->user_data == *ours.user_data);
    if (we_changed) return {*std::move(merged)};
    const auto bytes = theirs.user_data->view();
    return {core::Bytes(bytes.begin(), bytes.end())};
  }

  SessionState& ours_;
  SessionState& theirs_;
  const ReplayOptions& options_;
  std::vector<std::pair<std::string, core::Bytes>> documents_;
  std::vector<std::pair<std::string, const ChunkIndexSet*>> arrays_;
};

}  // namespace

core::Result<ReplayReport> replay(const Repository& repository, const SnapshotId& from,
                                  const SnapshotId& to, Session& onto,
                                  const ReplayOptions& options) {
  AssetStore& assets = *repository.assets();
  TRY_ASSIGN(const auto repo, repository.info());
  TRY_ASSIGN(const auto theirs, read_side(assets, *repo, from, to, Structure::kMustStay));
  TRY_ASSIGN(const auto ours, read_side(assets, *repo, from, onto.base(), Structure::kMayChange));
  TRY_ASSIGN(const auto before, assets.snapshot(from));
  TRY_ASSIGN(auto source, repository.readonly_session(to));
  Replay run(onto.state(), source.state(), options);
  TRY(run.plan(*before, theirs));
  ReplayReport report;
  report.commits = theirs.commits;
  TRY(run.apply(onto, ours, report));
  return report;
}

}  // namespace icefield::icechunk
