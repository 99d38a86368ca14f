#pragma once

#include <memory>

#include "object_store/azure/azure_client.h"
#include "object_store/http/retry.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// A container of Azure Blob Storage. Versions are entity tags. Listings from a key on read and
/// drop what comes before it: the service cannot start in the middle. A copy is a read of that very
/// version and a put. Nothing is contacted before the first use.
std::unique_ptr<ObjectStore> make_azure_store(AzureSettings settings, const Sending& sending);

}  // namespace icefield::object_store
