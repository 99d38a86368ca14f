#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace icefield::object_store {

/// The words of a command line as a shell without expansions splits it: at spaces, with '...' and
/// "..." and backslashes. Errors: kInvalidArgument for a quote without its end.
core::Result<std::vector<std::string>> split_command(std::string_view line);

/// What a program writes to its standard output; its standard error is thrown away. It is ended
/// after `most` time or when `stop` is requested. No shell is involved.
/// Errors: kInvalidArgument when it cannot be started or gives an exit status other than 0,
/// kUnavailable when it takes too long, kCorrupt for more than 256 KiB, kCancelled. None repeats
/// its output or its arguments.
core::Result<std::string> run_command(const std::vector<std::string>& words,
                                      std::chrono::milliseconds most, const std::stop_token& stop);

}  // namespace icefield::object_store
