#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "dataset/spec.h"

namespace icefield::cli {

/// What `DYNAMICAL_ENV` says.
enum class Environment { kDev, kTest, kProd };

/// Default: kDev. Errors: kInvalidArgument for any other word than dev, test, prod.
core::Result<Environment> environment();

/// Folder of a dataset's store on this machine, below the working directory:
/// data/output/<id>/v<version>.icechunk, with `dev` for the version in kDev. Absolute.
/// Errors: kNotFound when there is no working directory any more.
core::Result<std::string> local_store_path(const dataset::DatasetSpec& spec,
                                           Environment environment);

/// The comma-separated words of an environment variable, without blanks around them; none when it
/// is not set.
std::vector<std::string> words_of_variable(const char* name);

/// One line on standard error, whatever the message holds, and the exit status for it.
int fail(const core::Error& error);

}  // namespace icefield::cli
