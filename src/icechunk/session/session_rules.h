#pragma once

#include "core/result.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {

/// Errors: kInvalidArgument on a read-only session, or one that moves nodes.
inline core::Status check_can_edit(const SessionState& state) {
  if (!state.branch()) {
    return core::Error(core::ErrorCode::kInvalidArgument, "the session is read-only");
  }
  if (!state.changes().moves.empty()) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       "the session moves nodes: commit before editing");
  }
  return {};
}

/// Errors: kInvalidArgument on a read-only session, or one that holds edits.
inline core::Status check_can_move(const SessionState& state) {
  if (!state.branch()) {
    return core::Error(core::ErrorCode::kInvalidArgument, "the session is read-only");
  }
  if (state.changes().moves.empty() && !state.changes().empty()) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       "the session holds edits: commit before moving nodes");
  }
  return {};
}

}  // namespace icefield::icechunk
