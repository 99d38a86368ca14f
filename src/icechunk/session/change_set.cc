#include "icechunk/session/change_set.h"

#include <algorithm>

#include <unistd.h>

namespace icefield::icechunk {

bool ChangeSet::empty() const {
  return created.empty() && updated.empty() && deleted.empty() && moves.empty() &&
         std::ranges::all_of(chunks, [](const auto& entry) { return entry.second.size() == 0; });
}

NodeId ChangeSet::new_node_id() {
  const bool mine = last_maker == ::getpid();  // a forked child must not count on
  if (mine && last_made != NodeId()) last_made = last_made.successor();
  if (!mine || last_made == NodeId()) last_made = NodeId::random();
  last_maker = ::getpid();
  return last_made;
}

const ArrayChanges* ChangeSet::chunks_of(const NodeId& node) const {
  const auto found = chunks.find(node);
  return found == chunks.end() || found->second.size() == 0 ? nullptr : &found->second;
}

}  // namespace icefield::icechunk
