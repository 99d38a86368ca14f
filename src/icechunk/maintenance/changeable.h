#pragma once

#include "core/result.h"
#include "icechunk/commit/repository.h"

namespace icefield::icechunk {

/// What every change would be refused for, before it is tried; so dry runs tell it, too.
/// Errors: kUnsupported for spec version 1; kPermissionDenied, with the stored reason, when the
/// repository is read only.
core::Status require_changeable(const Repository& repository);

}  // namespace icefield::icechunk
