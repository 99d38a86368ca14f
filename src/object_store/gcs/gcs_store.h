#pragma once

#include <memory>
#include <string>

#include "object_store/http/retry.h"
#include "object_store/internal/environment.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

enum class GcsAccess { kEnvironment, kAnonymous };

/// A bucket of Google Cloud Storage by its JSON interface. Versions are generations. Endpoint:
/// STORAGE_EMULATOR_HOST, else Google's. Credentials: see GcsTokens; kAnonymous looks for none.
/// Nothing is contacted before the first use.
std::unique_ptr<ObjectStore> make_gcs_store(const std::string& bucket, GcsAccess access,
                                            const Environment& environment, const Sending& sending);

/// The endpoint that the environment names.
std::string gcs_endpoint(const Environment& environment);

}  // namespace icefield::object_store
