#pragma once

#include <string>
#include <variant>

#include "core/result.h"
#include "sample_source/generate.h"

namespace icefield::sample_source {

/// What the command line asks for.
struct Options {
  SampleRequest request;
  bool json = false;
};

/// The text of `--help`: for standard output, status 0.
struct HelpText {
  std::string text;
};

/// Reads the command line. Errors: kInvalidArgument, one line that says what to do.
core::Result<std::variant<Options, HelpText>> parse_options(int argc, const char* const* argv);

}  // namespace icefield::sample_source
