// `icefield store ls STORE`: the tree of one version, with the chunks that each array holds.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/exit_status.h"
#include "cli/store_command.h"
#include "core/bytes.h"
#include "core/json.h"
#include "core/printable.h"
#include "core/text.h"
#include "icechunk/commit/repository.h"

namespace icefield::cli {
namespace {

struct Arguments {
  std::string store;
  std::string version = "main";
  bool json = false;
};

core::Result<std::uint64_t> count_chunks(const icechunk::Session& session,
                                         const std::string& path) {
  std::uint64_t chunks = 0;
  TRY(session.for_each_chunk(path, [&chunks](const icechunk::ChunkEntry& /*entry*/) {
    ++chunks;
    return true;
  }));
  return chunks;
}

/// The name of an array's data type, also of one that is not read here.
std::string type_of(const core::Json& document) {
  const core::Json* type = document.find("data_type");
  if (type != nullptr && type->is_object()) type = type->find("name");
  return type == nullptr || !type->is_string() ? "?" : type->as_string();
}

/// One array as a row of the listing.
core::Result<core::Json> row_of(const icechunk::Session& session, const icechunk::NodeView& node) {
  core::Json row = core::Json::object({{"path", node.path}, {"kind", "group"}});
  if (!node.is_array) return row;
  TRY_ASSIGN(const auto document, core::Json::parse(core::as_text(node.metadata.view())));
  TRY_ASSIGN(const auto chunks, count_chunks(session, node.path));
  const core::Json* const shape = document.find("shape");
  row.set("kind", "array");
  row.set("data_type", type_of(document));
  row.set("shape", shape == nullptr ? core::Json() : *shape);
  row.set("chunks", chunks);
  return row;
}

std::string line_of(const core::Json& row) {
  const auto& path = row.find("path")->as_string();
  const auto depth = path == "/" ? 0 : std::count(path.begin(), path.end(), '/');
  const auto name = path == "/" ? path : path.substr(path.rfind('/') + 1);
  std::string line(static_cast<std::size_t>(2 * depth), ' ');
  if (row.find("kind")->as_string() == "group") return line + name + (path == "/" ? "" : "/");
  std::vector<std::string> lengths;
  const core::Json* const shape = row.find("shape");
  if (shape->is_array()) {
    for (const auto& length : shape->as_array()) lengths.push_back(length.dump());
  }
  return core::text(line, name, "  ", row.find("data_type")->as_string(), " (",
                    core::join(lengths, ", "), ")  ", row.find("chunks")->as_uint64(), " chunks");
}

core::Status list(const Arguments& arguments) {
  TRY_ASSIGN(const auto repository, open_repository(arguments.store));
  TRY_ASSIGN(const auto at, resolve_version(repository, arguments.version));
  TRY_ASSIGN(const auto session, repository.readonly_session(at));
  core::Json::Array rows;
  for (const auto& node : session.nodes()) {
    TRY_ASSIGN(auto row, row_of(session, node));
    rows.push_back(std::move(row));
  }
  if (arguments.json) {
    std::puts(core::Json(std::move(rows)).dump().c_str());
    return {};
  }
  for (const auto& row : rows) std::puts(core::printable(line_of(row)).c_str());
  return {};
}

}  // namespace

void add_store_ls_command(CLI::App& app, Run& run) {
  auto* const command = app.add_subcommand("ls", "Show the tree of a store and what it holds");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("STORE", arguments->store, "Folder or URL of the repository")->required();
  command->add_option("VERSION,--branch", arguments->version, std::string(kVersionHelp))
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "One JSON array on standard output");
  command->footer(example_footer("ls /data/store.icechunk tag:v1"));
  command->callback([&run, arguments] {
    run = [arguments] {
      const auto done = list(*arguments);
      return done ? written(kDone) : fail(done.error());
    };
  });
}

}  // namespace icefield::cli
