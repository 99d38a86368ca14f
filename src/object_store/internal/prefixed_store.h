#pragma once

#include <memory>
#include <string>

#include "object_store/object_store.h"

namespace icefield::object_store {

/// The part of `whole` below `prefix` (segments, ending in '/') as a store of its own: keys and
/// listings lose the prefix. `whole` itself when the prefix is empty. Leftovers are the whole
/// store's: `whole` must limit them to the prefix.
std::unique_ptr<ObjectStore> below_prefix(std::unique_ptr<ObjectStore> whole, std::string prefix);

}  // namespace icefield::object_store
