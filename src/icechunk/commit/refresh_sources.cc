#include "icechunk/commit/refresh_sources.h"

#include <chrono>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "core/parallel.h"
#include "icechunk/session/chunk_reader.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {
namespace {

/// A source as references record it: location, entity tag, last modification.
using Recorded = std::tuple<std::string, std::string, std::uint32_t>;

Recorded recorded(const VirtualView& view) {
  return {std::string(view.location), std::string(view.entity_tag), view.last_modified};
}

VirtualView view_of(const Recorded& source) {
  return {.location = std::get<0>(source),
          .range = {},
          .entity_tag = std::get<1>(source),
          .last_modified = std::get<2>(source)};
}

/// References of one array to one source.
struct Held {
  std::string path;
  std::vector<std::uint32_t> indices = {};  // flattened
  std::vector<std::uint64_t> offsets = {};
  std::vector<std::uint64_t> lengths = {};
};

struct Source {
  std::string container;  // its url prefix
  std::shared_ptr<const object_store::ObjectStore> store;
  object_store::ObjectInfo now = {};
  std::vector<Held> held = {};
};

using Visit = std::function<void(const std::string& path, ChunkIndexView, const VirtualView&)>;

/// All references that record an identity.
core::Status walk(const Session& session, const Visit& visit) {
  for (const NodeView& node : session.nodes()) {
    if (!node.is_array) continue;
    const std::string path(node.path);
    TRY(session.for_each_chunk(path, [&](const ChunkEntry& entry) {
      const auto* view = std::get_if<VirtualView>(&entry.reference);
      if (view != nullptr && (!view->entity_tag.empty() || view->last_modified != 0)) {
        visit(path, entry.index, *view);
      }
      return true;
    }));
  }
  return {};
}

/// What a source is now; nothing when it cannot be seen.
core::Result<std::optional<Source>> look_at(const SessionContext& context, const Recorded& source) {
  TRY_ASSIGN(const auto object, source_object(context, std::get<0>(source)));
  Source found{.container = object.container->url_prefix,
               .store = context.access.find(object.container->url_prefix)};
  if (!found.store) return {std::nullopt};
  auto info = found.store->head(object.key);
  if (info) {
    found.now = *std::move(info);
    return {std::move(found)};
  }
  const auto code = info.error().code();
  const bool unseen =
      code == core::ErrorCode::kNotFound || code == core::ErrorCode::kPermissionDenied;
  if (unseen) return {std::nullopt};
  return std::move(info).error();
}

SourceIdentity identity_of(const Recorded& kind, const object_store::ObjectInfo& now) {
  if (!std::get<1>(kind).empty()) return EntityTag{now.version.value()};
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(now.last_modified);
  return LastModified{static_cast<std::uint32_t>(seconds.time_since_epoch().count())};
}

class Refresh {
 public:
  Refresh(Session& session, const RefreshOptions& options) : session_(session), options_(options) {}

  core::Result<RefreshReport> run() {
    TRY(find_changed());
    TRY(walk(session_, [this](const std::string& path, ChunkIndexView index,
                              const VirtualView& view) { keep(path, index, view); }));
    for (const auto& [source, found] : changed_) TRY(judge(source, found));
    return std::move(report_);
  }

 private:
  core::Status find_changed() {
    std::map<Recorded, bool> known;
    TRY(walk(session_, [&known](const std::string&, ChunkIndexView, const VirtualView& view) {
      known.emplace(recorded(view), true);
    }));
    std::vector<Recorded> sources;
    for (const auto& [source, nothing] : known) sources.push_back(source);
    report_.sources = sources.size();
    const SessionContext& context = session_.state().context();
    auto found = core::parallel_map(std::span<const Recorded>(sources), options_.requests,
                                    [&](const Recorded& one) { return look_at(context, one); });
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (!found[i]) return std::move(found[i]).error();
      auto& source = *found[i];
      if (!source) {
        report_.unreadable.push_back(std::get<0>(sources[i]));
      } else if (!is_same_source(view_of(sources[i]), source->now)) {
        changed_.emplace(sources[i], *std::move(source));
      }
    }
    return {};
  }

  void keep(const std::string& path, ChunkIndexView index, const VirtualView& view) {
    const auto found = changed_.find(recorded(view));
    if (found == changed_.end()) return;
    auto& held = found->second.held;
    if (held.empty() || held.back().path != path) held.push_back({.path = path});
    held.back().indices.insert(held.back().indices.end(), index.begin(), index.end());
    held.back().offsets.push_back(view.range.offset);
    held.back().lengths.push_back(view.range.length);
  }

  core::Status judge(const Recorded& source, const Source& found) {
    const std::string& location = std::get<0>(source);
    std::vector<core::ByteRange> ranges;
    for (const Held& held : found.held) {
      for (std::size_t i = 0; i < held.offsets.size(); ++i) {
        ranges.push_back({.offset = held.offsets[i], .length = held.lengths[i]});
      }
    }
    TRY_ASSIGN(const bool same, options_.same({.location = location,
                                               .container = found.container,
                                               .store = *found.store,
                                               .now = found.now,
                                               .ranges = ranges}));
    if (!same) {
      report_.different.push_back(location);
      return {};
    }
    TRY_ASSIGN(const auto number, session_.add_location(location, identity_of(source, found.now)));
    for (const Held& held : found.held) {
      const std::vector<LocationNumber> numbers(held.offsets.size(), number);
      TRY(session_.set_virtual_references(held.path, {.indices = held.indices,
                                                      .locations = numbers,
                                                      .offsets = held.offsets,
                                                      .lengths = held.lengths}));
    }
    report_.refreshed.push_back(location);
    return {};
  }

  Session& session_;
  const RefreshOptions& options_;
  RefreshReport report_;
  std::map<Recorded, Source> changed_;
};

}  // namespace

core::Result<RefreshReport> refresh_sources(const Repository& repository, std::string_view branch,
                                            std::string_view message,
                                            const RefreshOptions& options) {
  TRY_ASSIGN(auto session, repository.writable_session(branch));
  TRY_ASSIGN(auto report, Refresh(session, options).run());
  if (report.refreshed.empty() || options.dry_run) return report;
  TRY_ASSIGN(report.commit, commit(session, message));
  return report;
}

}  // namespace icefield::icechunk
