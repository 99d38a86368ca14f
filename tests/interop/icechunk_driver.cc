// Makes Icechunk repositories by commands, one JSON object per line on standard input, one answer
// per line on standard output: {"ok": ...} or {"error": text, "code": number}. For the scripts that
// let official readers and writers meet what this library writes (icechunk_*.py).
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/json.h"
#include "core/text.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/commit/commit.h"
#include "icechunk/commit/compact.h"
#include "icechunk/commit/refs.h"
#include "icechunk/commit/repository.h"
#include "icechunk/maintenance/collect_garbage.h"
#include "icechunk/maintenance/expire.h"
#include "icechunk/maintenance/repoint.h"
#include "icechunk/session/zarr_store.h"
#include "object_store/open.h"

namespace icefield::icechunk {
namespace {

using core::Json;
using Answer = core::Result<Json>;

struct Driver {
  std::optional<Repository> repository;
  std::map<std::string, Session> sessions;  // by name

  core::Result<Session*> session(const Json& command) {
    const auto found = sessions.find(command.find("session")->as_string());
    if (found == sessions.end()) {
      return core::Error(core::ErrorCode::kInvalidArgument, "no such session");
    }
    return &found->second;
  }
};

std::string text_of(const Json& command, std::string_view name) {
  const Json* value = command.find(name);
  return value == nullptr || !value->is_string() ? "" : value->as_string();
}

core::Bytes from_hex(const std::string& hex) {
  core::Bytes bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::string to_hex(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const std::byte byte : bytes) {
    hex += kDigits[std::to_integer<unsigned>(byte) >> 4U];
    hex += kDigits[std::to_integer<unsigned>(byte) & 15U];
  }
  return hex;
}

core::Result<std::shared_ptr<object_store::ObjectStore>> store_at(const std::string& url) {
  TRY_ASSIGN(auto store, object_store::open_store(url));
  return std::shared_ptr<object_store::ObjectStore>(std::move(store));
}

core::Result<RepositoryOptions> options_of(const Json& command) {
  RepositoryOptions options;
  if (const Json* access = command.find("access")) {
    for (const Json& prefix : access->as_array()) {
      TRY_ASSIGN(auto store, store_at(prefix.as_string()));
      options.access.authorize(prefix.as_string(), std::move(store));
    }
  }
  return options;
}

Answer create(Driver& driver, const Json& command) {
  TRY_ASSIGN(auto store, store_at(text_of(command, "path")));
  RepositoryConfig config;
  if (const Json* given = command.find("config")) {
    TRY_ASSIGN(config, RepositoryConfig::from_json(*given));
  }
  TRY_ASSIGN(auto options, options_of(command));
  TRY_ASSIGN(driver.repository, Repository::create(std::move(store), config, std::move(options)));
  return Json(true);
}

Answer open(Driver& driver, const Json& command) {
  TRY_ASSIGN(auto store, store_at(text_of(command, "path")));
  TRY_ASSIGN(auto options, options_of(command));
  TRY_ASSIGN(driver.repository, Repository::open(std::move(store), std::move(options)));
  return Json(true);
}

Answer begin(Driver& driver, const Json& command) {
  TRY_ASSIGN(auto session, driver.repository->writable_session(text_of(command, "branch")));
  driver.sessions.insert_or_assign(text_of(command, "session"), std::move(session));
  return Json(true);
}

Answer view(Driver& driver, const Json& command) {
  TRY_ASSIGN(auto session,
             driver.repository->readonly_session(BranchName(text_of(command, "branch"))));
  driver.sessions.insert_or_assign(text_of(command, "session"), std::move(session));
  return Json(true);
}

Answer set(Driver& driver, const Json& command) {
  TRY_ASSIGN(Session * session, driver.session(command));
  const Json* hex = command.find("hex");
  TRY(ZarrStore(*session).set(
      text_of(command, "key"),
      hex != nullptr ? from_hex(hex->as_string()) : core::to_bytes(text_of(command, "text"))));
  return Json(true);
}

Answer get(Driver& driver, const Json& command) {
  TRY_ASSIGN(Session * session, driver.session(command));
  TRY_ASSIGN(const auto value, ZarrStore(*session).get(text_of(command, "key")));
  return value ? Json(to_hex(*value)) : Json();
}

Answer erase(Driver& driver, const Json& command) {
  TRY_ASSIGN(Session * session, driver.session(command));
  TRY(ZarrStore(*session).erase(text_of(command, "key")));
  return Json(true);
}

Answer move(Driver& driver, const Json& command) {
  TRY_ASSIGN(Session * session, driver.session(command));
  TRY(session->move_node(text_of(command, "from"), text_of(command, "to")));
  return Json(true);
}

Answer list(Driver& driver, const Json& command) {
  TRY_ASSIGN(Session * session, driver.session(command));
  Json::Array keys;
  TRY(ZarrStore(*session).list("", [&keys](std::string_view key) {
    keys.emplace_back(key);
    return true;
  }));
  return Json(std::move(keys));
}

SourceIdentity identity_of(const Json& reference) {
  if (const Json* tag = reference.find("etag"); tag != nullptr && tag->is_string()) {
    return EntityTag{tag->as_string()};
  }
  if (const Json* time = reference.find("last_modified"); time != nullptr && time->is_integer()) {
    return LastModified{static_cast<std::uint32_t>(time->as_uint64())};
  }
  return {};
}

/// {"op": "refer", "path": "/a", "refs": [{"index", "location", "offset", "length", ...}]}
Answer refer(Driver& driver, const Json& command) {
  TRY_ASSIGN(Session * session, driver.session(command));
  std::vector<std::uint32_t> indices;
  std::vector<LocationNumber> locations;
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint64_t> lengths;
  for (const Json& reference : command.find("refs")->as_array()) {
    for (const Json& number : reference.find("index")->as_array()) {
      indices.push_back(static_cast<std::uint32_t>(number.as_uint64()));
    }
    TRY_ASSIGN(const auto location,
               session->add_location(text_of(reference, "location"), identity_of(reference)));
    locations.push_back(location);
    offsets.push_back(reference.find("offset")->as_uint64());
    lengths.push_back(reference.find("length")->as_uint64());
  }
  TRY(session->set_virtual_references(
      text_of(command, "path"),
      {.indices = indices, .locations = locations, .offsets = offsets, .lengths = lengths}));
  return Json(true);
}

CommitOptions commit_options(const Json& command) {
  CommitOptions options;
  if (text_of(command, "layout") == "windows") options.layout = ManifestLayout::kWindows;
  const std::string chunks = text_of(command, "chunks");
  if (chunks == "ours") options.conflicts.chunk_double_update = Preference::kOurs;
  if (chunks == "theirs") options.conflicts.chunk_double_update = Preference::kTheirs;
  return options;
}

template <typename Publish>
Answer publish(Driver& driver, const Json& command, const Publish& how) {
  TRY_ASSIGN(Session * session, driver.session(command));
  Metadata metadata;
  if (const Json* given = command.find("metadata")) metadata = given->as_object();
  TRY_ASSIGN(const auto result,
             how(*session, text_of(command, "message"), metadata, commit_options(command)));
  return Json::object({{"snapshot", result.snapshot.text()},
                       {"rebase_attempts", result.rebase_attempts},
                       {"manifests", result.manifests_written},
                       {"bytes", result.bytes_written}});
}

Answer commit_session(Driver& driver, const Json& command) {
  return publish(driver, command, commit);
}
Answer amend_session(Driver& driver, const Json& command) {
  return publish(driver, command, amend);
}

Answer compact_branch(Driver& driver, const Json& command) {
  TRY_ASSIGN(const auto result,
             compact(*driver.repository, text_of(command, "branch"), "compact", {}));
  return Json::object({{"windows", static_cast<std::uint64_t>(result.windows)},
                       {"before", static_cast<std::uint64_t>(result.manifests_before)},
                       {"after", static_cast<std::uint64_t>(result.manifests_after)}});
}

/// Releases and deletes everything that no ref holds, as of now: nobody else may be writing.
Answer clean(Driver& driver, const Json& command) {
  const Repository& repository = *driver.repository;
  const auto now = repository.assets()->clock().now();
  if (text_of(command, "what") == "expire") {
    TRY_ASSIGN(const auto result, expire(repository, {.older_than = now}));
    return Json(std::uint64_t{result.released.size()});
  }
  GarbageOptions options;
  options.older_than = now;
  TRY_ASSIGN(const auto result, collect_garbage(repository, options));
  return Json(result.snapshots.objects + result.manifests.objects + result.chunks.objects);
}

Answer repoint_container(Driver& driver, const Json& command) {
  TRY_ASSIGN(const auto before,
             repoint(*driver.repository, text_of(command, "name"), text_of(command, "url"), {}));
  return Json(before);
}

/// {"op": "refs", "do": "create_branch", "name": ..., "at": snapshot or branch}
Answer refs(Driver& driver, const Json& command) {
  const Repository& repository = *driver.repository;
  const std::string what = text_of(command, "do");
  const std::string name = text_of(command, "name");
  SnapshotId at;
  if (const std::string target = text_of(command, "at"); !target.empty()) {
    const auto id = SnapshotId::parse(target);
    TRY_ASSIGN(at, repository.resolve(id ? VersionName(*id) : VersionName(BranchName(target))));
  }
  if (what == "create_branch") TRY(create_branch(repository, name, at));
  if (what == "delete_branch") TRY(delete_branch(repository, name));
  if (what == "reset_branch") TRY(reset_branch(repository, name, at, std::nullopt));
  if (what == "create_tag") TRY(create_tag(repository, name, at));
  if (what == "delete_tag") TRY(delete_tag(repository, name));
  if (what == "set_metadata") {
    TRY(set_repository_metadata(repository, command.find("metadata")->as_object()));
  }
  if (what == "save_config") {
    TRY_ASSIGN(const auto config, RepositoryConfig::from_json(*command.find("config")));
    TRY(save_config(repository, config));
  }
  return Json(true);
}

const std::map<std::string, Answer (*)(Driver&, const Json&), std::less<>> kOperations = {
    {"create", create},
    {"open", open},
    {"begin", begin},
    {"view", view},
    {"set", set},
    {"get", get},
    {"erase", erase},
    {"move", move},
    {"list", list},
    {"refer", refer},
    {"commit", commit_session},
    {"amend", amend_session},
    {"compact", compact_branch},
    {"clean", clean},
    {"repoint", repoint_container},
    {"refs", refs}};

Answer perform(Driver& driver, const std::string& line) {
  TRY_ASSIGN(const Json command, Json::parse(line));
  const auto operation = kOperations.find(text_of(command, "op"));
  if (operation == kOperations.end()) {
    return core::Error(core::ErrorCode::kInvalidArgument, "no such operation");
  }
  return operation->second(driver, command);
}

}  // namespace
}  // namespace icefield::icechunk

int main() {
  using icefield::core::Json;
  icefield::icechunk::Driver driver;
  for (std::string line; std::getline(std::cin, line);) {
    const auto answer = icefield::icechunk::perform(driver, line);
    const Json shown = answer ? Json::object({{"ok", *answer}})
                              : Json::object({{"error", answer.error().message()},
                                              {"code", static_cast<int>(answer.error().code())}});
    std::cout << shown.dump() << std::endl;
  }
  return 0;
}
