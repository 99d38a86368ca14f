#pragma once

#include <memory>
#include <string>

#include "object_store/object_store.h"

namespace icefield::object_store {

/// A store in this process's memory, for tests and trials. All rules of ObjectStore hold.
/// Stores with one non-empty name share their objects for the life of the process; an empty name
/// gives a fresh store. Its keys may have any form that check_key lets pass.
std::unique_ptr<ObjectStore> make_memory_store(const std::string& name = "");

}  // namespace icefield::object_store
