// `icefield store refs STORE`: every chunk reference of one version, as stored and as read.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/store_command.h"
#include "core/text.h"
#include "icechunk/format/location.h"

namespace icefield::cli {
namespace {

struct Arguments {
  std::string store;
  std::string version = "main";
  std::string path = "/";
  bool json = false;
};

/// {"path","chunk","kind","location","resolved","offset","length"}: location as it is stored,
/// resolved as it is read; both null for chunks that are not virtual.
core::Json row_of(const std::string& path, const icechunk::ChunkEntry& entry,
                  std::span<const icechunk::VirtualContainer> containers) {
  core::Json::Array index;
  for (const std::uint32_t number : entry.index) index.emplace_back(number);
  core::Json location;
  core::Json resolved;
  std::string kind = "inline";
  core::ByteRange range;
  if (const auto* native = std::get_if<icechunk::NativeChunk>(&entry.reference)) {
    kind = "native";
    range = native->range;
  } else if (const auto* small = std::get_if<icechunk::InlineView>(&entry.reference)) {
    range.length = small->bytes.size();
  } else {
    const auto& source = std::get<icechunk::VirtualView>(entry.reference);
    kind = "virtual";
    range = source.range;
    location = source.location;
    const auto found = icechunk::resolve_location(source.location, containers);
    if (found) resolved = found->url;
  }
  return core::Json::object({{"path", path},
                             {"chunk", std::move(index)},
                             {"kind", kind},
                             {"location", std::move(location)},
                             {"resolved", std::move(resolved)},
                             {"offset", range.offset},
                             {"length", range.length}});
}

std::string line_of(const core::Json& row) {
  const core::Json* resolved = row.find("resolved");
  return core::text(row.find("path")->as_string(), " ", row.find("chunk")->dump(), "  ",
                    row.find("kind")->as_string(), "  ",
                    resolved->is_string() ? resolved->as_string() + "  " : std::string(),
                    row.find("offset")->as_uint64(), "+", row.find("length")->as_uint64());
}

core::Status show(const Arguments& arguments) {
  TRY_ASSIGN(const auto repository, open_repository(arguments.store));
  TRY_ASSIGN(const auto at, resolve_version(repository, arguments.version));
  TRY_ASSIGN(const auto session, repository.readonly_session(at));
  TRY_ASSIGN(const auto needs, repository.containers());
  std::vector<icechunk::VirtualContainer> containers;
  for (const auto& need : needs) containers.push_back(need.container);
  const auto nodes = session.nodes(arguments.path);
  if (nodes.empty() && arguments.path != "/") {
    return core::Error(core::ErrorCode::kNotFound, "there is no node at " + arguments.path);
  }
  for (const auto& node : nodes) {
    if (!node.is_array) continue;
    TRY(session.for_each_chunk(node.path, [&](const icechunk::ChunkEntry& entry) {
      const core::Json row = row_of(node.path, entry, containers);
      return std::puts(arguments.json ? row.dump().c_str() : line_of(row).c_str()) >= 0;
    }));
  }
  return {};
}

}  // namespace

void add_store_refs_command(CLI::App& store, Run& run) {
  auto* const command = store.add_subcommand("refs", "Show every chunk reference");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("STORE", arguments->store, "Folder or URL of the repository")->required();
  command->add_option("VERSION", arguments->version, std::string(kVersionHelp))
      ->capture_default_str();
  command->add_option("--path", arguments->path, "Only this array, or arrays below this group")
      ->capture_default_str();
  command->add_flag("--json", arguments->json,
                    "One JSON object per line: path, chunk, kind, location (as stored), resolved "
                    "(as read), offset, length");
  command->footer(example_footer("refs /data/store.icechunk --path /temperature_2m --json"));
  command->callback([&run, arguments] {
    run = [arguments] {
      const auto done = show(*arguments);
      return done ? written(kDone) : fail(done.error());
    };
  });
}

}  // namespace icefield::cli
