// `icefield <dataset-id> update-template`: writes the checked-in template from the code.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/exit_status.h"
#include "core/text.h"
#include "dataset/template.h"

namespace icefield::cli {
namespace {

/// templates/<id> somewhere below src/datasets of the working directory.
core::Result<std::filesystem::path> folder_in_checkout(const dataset::DatasetSpec& spec) {
  const std::filesystem::path root = std::filesystem::path("src") / "datasets";
  std::error_code failed;
  for (std::filesystem::recursive_directory_iterator at(root, failed), end; !failed && at != end;
       at.increment(failed)) {
    std::error_code unknown;
    if (at->is_directory(unknown) && at->path().filename() == std::string(spec.id) &&
        at->path().parent_path().filename() == "templates") {
      return at->path();
    }
  }
  return core::Error(core::ErrorCode::kInvalidArgument,
                     core::text("no folder templates/", spec.id, " below ", root.string(),
                                "; run from the top of a checkout, or say --out FOLDER"));
}

int update_template(const dataset::DatasetSpec& spec, const std::string& out) {
  auto folder = out.empty() ? folder_in_checkout(spec)
                            : core::Result<std::filesystem::path>(std::filesystem::path(out));
  if (!folder) return fail(folder.error());
  if (const auto written = dataset::write_template(spec, *folder); !written) {
    return fail(written.error());
  }
  std::puts(core::text("wrote ", folder->string()).c_str());
  return kDone;
}

}  // namespace

void add_update_template_command(CLI::App& app, Run& run, const dataset::DatasetSpec& spec) {
  auto* const command =
      app.add_subcommand("update-template", "Write the checked-in template from the code");
  const auto out = std::make_shared<std::string>();
  command->add_option("--out", *out,
                      "Folder to write to (default: the dataset's own below src/datasets)");
  command->callback(
      [&run, &spec, out] { run = [&spec, out] { return update_template(spec, *out); }; });
}

}  // namespace icefield::cli
