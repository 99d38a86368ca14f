// `icefield sample-source`: hands over to the executable of its own that makes synthetic provider
// files, so that this one need not link a GRIB encoder.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "core/text.h"

namespace icefield::cli {
namespace {

constexpr const char* kProgram = "icefield-sample-source";

/// The generator beside this executable; falls back to the search path.
std::string generator() {
  std::error_code failed;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return kProgram;
  auto beside = self.parent_path() / kProgram;
  return std::filesystem::exists(beside, failed) ? beside.string() : kProgram;
}

int hand_over(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{generator()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(pointers[0], pointers.data());
  std::fputs(core::text("icefield: cannot start ", words[0], ": ", std::strerror(errno),  // NOLINT
                        "; build or install it beside icefield\n")
                 .c_str(),
             stderr);
  return kFailed;
}

}  // namespace

void add_sample_source_command(CLI::App& app, Run& run) {
  auto* const command = app.add_subcommand(
      "sample-source", "Make a synthetic tree of provider files (see sample-source --help)");
  command->prefix_command();
  command->set_help_flag();  // the generator prints its own help
  command->callback([command, &run] {
    run = [arguments = command->remaining()] { return hand_over(arguments); };
  });
}

}  // namespace icefield::cli
