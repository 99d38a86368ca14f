#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"
#include "icechunk/commit/commit.h"
#include "icechunk/commit/internal/flush.h"
#include "icechunk/format/transaction_log_codec.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {

/// Where the new snapshot goes.
enum class CommitMode {
  kOnTop,  // child of the tip
  kAmend,  // in the place of the tip
};

struct CommitOrder {
  std::string_view message;
  const Metadata& metadata;
  CommitMode mode = CommitMode::kOnTop;
  CommitOptions options;
  FlushOptions flush;
  std::uint64_t most_chunks = kMaxUpdatedChunks;  // that readers take in one log
};

/// One commit over all its attempts.
class CommitRun {
 public:
  CommitRun(SessionState& state, CommitOrder order);

  /// As commit() and amend().
  core::Result<CommitResult> run();

  const Flush& flush() const noexcept { return flush_; }

 private:
  core::Status check() const;
  core::Status count_chunks();
  core::Status check_amendable();
  core::Status flush_manifests(Flush::Crowding crowding);
  core::Status follow_branch(const RepoInfo& repo);
  /// True: published. False: somebody else replaced repo first.
  core::Result<bool> attempt(const RepoState& repo);
  core::Result<Snapshot> build_snapshot(const SnapshotInfo& parent);
  core::Result<bool> write_files(const Snapshot& snapshot, const RepoState& repo,
                                 const std::string& backup);
  Metadata stamped_metadata() const;
  core::Status count_lost_race();

  SessionState& state_;
  CommitOrder order_;
  Flush flush_;
  CommitResult result_;
  std::shared_ptr<const TransactionLog> amended_;  // log of the snapshot that is replaced
};

}  // namespace icefield::icechunk
