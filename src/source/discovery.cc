#include "source/discovery.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/parallel.h"
#include "core/text.h"

namespace icefield::source {
namespace {

using object_store::ObjectInfo;

/// One pending file and the keys of its objects.
struct Wanted {
  std::size_t file = 0;
  std::string data;
  std::string index;  // empty: the source has none
};

/// The pending files of one folder of one location.
struct Folder {
  const SourceLocation* location = nullptr;
  std::string prefix;  // ends in '/', or is empty for the root
  std::vector<Wanted> wanted;
};

std::string folder_of(const std::string& key) {
  const auto slash = key.rfind('/');
  return slash == std::string::npos ? std::string() : key.substr(0, slash + 1);
}

core::Result<std::vector<Folder>> by_folder(const dataset::DatasetSpec& spec,
                                            std::span<const dataset::SourceFile> pending,
                                            const Catalog& catalog) {
  const auto& source = *spec.virtual_source;
  std::map<std::pair<const SourceLocation*, std::string>, Folder> folders;
  for (std::size_t file = 0; file < pending.size(); ++file) {
    TRY_ASSIGN(auto data, catalog.find(source.get_url(spec, pending[file])));
    Wanted wanted{.file = file, .data = data.key.value(), .index = {}};
    if (source.get_index_url != nullptr) {
      TRY_ASSIGN(auto index, catalog.find(source.get_index_url(spec, pending[file])));
      wanted.index = index.key.value();
    }
    const auto prefix = folder_of(wanted.data);
    auto& folder = folders[{data.location, prefix}];
    folder.location = data.location;
    folder.prefix = prefix;
    folder.wanted.push_back(std::move(wanted));
  }
  std::vector<Folder> list;
  for (auto& [name, folder] : folders) list.push_back(std::move(folder));
  return list;
}

using Listed = std::unordered_map<std::string, ObjectInfo>;

/// Objects of the folder that somebody waits for. Index files beside the data are assumed.
core::Result<Listed> list_wanted(const Folder& folder) {
  Listed listed;
  for (const auto& wanted : folder.wanted) {
    listed.emplace(wanted.data, ObjectInfo{});
    if (!wanted.index.empty()) listed.emplace(wanted.index, ObjectInfo{});
  }
  const auto note = [&listed](const object_store::ListPage& page) {
    for (const auto& object : page.objects) {
      const auto found = listed.find(object.key.value());
      if (found != listed.end()) found->second = object;
    }
    return true;
  };
  auto done = folder.location->store->list({.prefix = folder.prefix, .recursive = false}, note);
  if (!done) {
    return std::move(done).error().within("list " + folder.location->url + folder.prefix);
  }
  return listed;
}

bool is_there(const ObjectInfo& info) {
  return !info.key.value().empty();
}

/// Why the listed objects do not make a usable file, or nothing.
std::optional<std::string> incompleteness(const ObjectInfo& data, const ObjectInfo* index) {
  if (data.size == 0) return "data file is empty (not ready or unreadable)";
  if (index == nullptr) return std::nullopt;
  if (!is_there(*index)) return "no index file beside it (not ready)";
  if (index->size == 0) return "index file is empty (not ready or unreadable)";
  return std::nullopt;
}

void judge(const Folder& folder, const Listed& listed, Discovery& into) {
  for (const auto& wanted : folder.wanted) {
    const auto& data = listed.at(wanted.data);
    if (!is_there(data)) {
      into.absent.push_back(wanted.file);
      continue;
    }
    const auto* index = wanted.index.empty() ? nullptr : &listed.at(wanted.index);
    if (auto reason = incompleteness(data, index)) {
      into.incomplete.push_back({.file = wanted.file, .reason = *std::move(reason)});
      continue;
    }
    into.available.push_back(
        {.file = wanted.file,
         .object = {.location = folder.location, .key = object_store::Key(wanted.data)},
         .data = data});
  }
}

}  // namespace

core::Result<Discovery> discover_available_by_listing(const dataset::DatasetSpec& spec,
                                                      std::span<const dataset::SourceFile> pending,
                                                      const Catalog& catalog, std::size_t workers) {
  TRY_ASSIGN(const auto folders, by_folder(spec, pending, catalog));
  const auto listings = core::parallel_map(std::span<const Folder>(folders), workers, list_wanted);
  Discovery discovery;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (!listings[i]) return core::Error(listings[i].error());
    judge(folders[i], *listings[i], discovery);
  }
  std::ranges::sort(discovery.available, {}, &AvailableFile::file);
  std::ranges::sort(discovery.incomplete, {}, &IncompleteFile::file);
  std::ranges::sort(discovery.absent);
  return discovery;
}

}  // namespace icefield::source
