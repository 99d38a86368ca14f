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

/// A run of pending files, [first, last), that lie in one folder of one location.
struct Run {
  std::size_t first = 0;
  std::size_t last = 0;
};

struct Folder {
  const SourceLocation* location = nullptr;
  std::string prefix;  // ends in '/', or is empty for the root
  std::vector<Run> runs;
};

std::string folder_of(const std::string& key) {
  const auto slash = key.rfind('/');
  return slash == std::string::npos ? std::string() : key.substr(0, slash + 1);
}

/// The folders that hold the pending files' data; keeps no names, since there may be millions.
core::Result<std::vector<Folder>> by_folder(const dataset::DatasetSpec& spec,
                                            std::span<const dataset::SourceFile> pending,
                                            const Catalog& catalog) {
  std::map<std::pair<const SourceLocation*, std::string>, std::size_t> numbers;
  std::vector<Folder> folders;
  std::size_t latest = 0;
  for (std::size_t file = 0; file < pending.size(); ++file) {
    TRY_ASSIGN(const auto data, catalog.find(spec.virtual_source->get_url(spec, pending[file])));
    auto prefix = folder_of(data.key.value());
    const bool same = !folders.empty() && folders[latest].location == data.location &&
                      folders[latest].prefix == prefix;
    if (!same) {
      const auto [found, added] = numbers.try_emplace({data.location, prefix}, folders.size());
      latest = found->second;
      if (added) folders.push_back({.location = data.location, .prefix = prefix, .runs = {}});
    }
    auto& runs = folders[latest].runs;
    if (runs.empty() || runs.back().last != file) runs.push_back({.first = file, .last = file});
    runs.back().last = file + 1;
  }
  return folders;
}

using Listed = std::unordered_map<std::string, ObjectInfo>;

core::Result<Listed> list_folder(const Folder& folder) {
  Listed listed;
  const auto note = [&listed](const object_store::ListPage& page) {
    for (const auto& object : page.objects) listed.emplace(object.key.value(), object);
    return true;
  };
  auto done = folder.location->store->list(
      {.prefix = folder.prefix, .start_after = {}, .recursive = false}, note);
  if (!done) {
    return std::move(done).error().within("list " + folder.location->url + folder.prefix);
  }
  return listed;
}

/// An index is read whole: a line per message, 100 octets each, is a hundred times less than this.
constexpr std::uint64_t kLargestIndex = 64U << 20U;

/// Why the listed objects do not make a usable file, or nothing.
std::optional<std::string> incompleteness(const ObjectInfo& data, const ObjectInfo* index,
                                          bool needs_index) {
  if (data.size == 0) return "data file is empty (not ready or unreadable)";
  if (!needs_index) return std::nullopt;
  if (index == nullptr) return "no index file beside it (not ready)";
  if (index->size == 0) return "index file is empty (not ready or unreadable)";
  if (index->size > kLargestIndex) {
    return core::text("index file of ", index->size, " bytes is larger than any index (at most ",
                      kLargestIndex, ")");
  }
  return std::nullopt;
}

const ObjectInfo* find(const Listed& listed, const object_store::Key& key) {
  const auto found = listed.find(key.value());
  return found == listed.end() ? nullptr : &found->second;
}

/// Puts one pending file of a listed folder into its list.
core::Status judge(const dataset::DatasetSpec& spec, const dataset::SourceFile& file,
                   std::size_t number, const Catalog& catalog, const Listed& listed,
                   Discovery& into) {
  const auto& source = *spec.virtual_source;
  TRY_ASSIGN(auto object, catalog.find(source.get_url(spec, file)));
  const auto* const data = find(listed, object.key);
  if (data == nullptr) {
    into.absent.push_back(number);
    return {};
  }
  const bool needs_index = source.get_index_url != nullptr;
  const ObjectInfo* index = nullptr;
  if (needs_index) {
    TRY_ASSIGN(const auto beside, catalog.find(source.get_index_url(spec, file)));
    index = find(listed, beside.key);
  }
  if (auto reason = incompleteness(*data, index, needs_index)) {
    into.incomplete.push_back({.file = number, .reason = *std::move(reason)});
  } else {
    into.available.push_back({.file = number, .object = std::move(object), .data = *data});
  }
  return {};
}

}  // namespace

core::Result<Discovery> discover_available_by_listing(const dataset::DatasetSpec& spec,
                                                      std::span<const dataset::SourceFile> pending,
                                                      const Catalog& catalog, std::size_t workers) {
  TRY_ASSIGN(const auto folders, by_folder(spec, pending, catalog));
  const auto listings = core::parallel_map(std::span<const Folder>(folders), workers, list_folder);
  Discovery discovery;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (!listings[i]) return core::Error(listings[i].error());
    for (const auto& run : folders[i].runs) {
      for (std::size_t file = run.first; file < run.last; ++file) {
        if (listings[i]->empty()) {
          discovery.absent.push_back(file);
        } else {
          TRY(judge(spec, pending[file], file, catalog, *listings[i], discovery));
        }
      }
    }
  }
  std::ranges::sort(discovery.available, {}, &AvailableFile::file);
  std::ranges::sort(discovery.incomplete, {}, &IncompleteFile::file);
  std::ranges::sort(discovery.absent);
  return discovery;
}

}  // namespace icefield::source
