#pragma once

#include <memory>

#include "object_store/http/retry.h"
#include "object_store/object_store.h"
#include "object_store/s3/s3_settings.h"

namespace icefield::object_store {

/// A bucket that speaks S3. Versions are entity tags. A put whose answer was lost is resolved by
/// reading back an id that it carries; only what cannot be resolved is kUnknownOutcome.
/// `environment` is where kChain looks. Nothing is contacted before the first use.
std::unique_ptr<ObjectStore> make_s3_store(const S3Settings& settings,
                                           const Environment& environment, const Sending& sending);

}  // namespace icefield::object_store
