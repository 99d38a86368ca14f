#pragma once

#include <functional>

#include "core/result.h"
#include "icechunk/session/session.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {

/// Calls `visit` for every chunk of an array that has a reference in the session's view, ascending
/// by index, until it returns false. Holds only manifests whose boxes overlap along the first
/// dimension at one time. Errors: those of reading manifests.
core::Status walk_chunks(const SessionState& state, const NodeState& array,
                         const std::function<bool(const ChunkEntry&)>& visit);

}  // namespace icefield::icechunk
