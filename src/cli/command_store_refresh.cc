// `icefield store refresh`: recorded identities of sources that their provider copied over
// themselves.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/store_command.h"
#include "core/text.h"
#include "grib/scan/indicator.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/commit/refresh_sources.h"
#include "icechunk/maintenance/changeable.h"
#include "object_store/open.h"
#include "source/catalog.h"

namespace icefield::cli {
namespace {

using icechunk::ChangedSource;
using icechunk::ContainerNeed;
using icechunk::Repository;

struct Arguments {
  std::string branch = "main";
  std::vector<std::string> copies;
  std::vector<std::string> sources;
  bool messages = false;
  bool dry_run = false;
};

/// Objects whose location starts with `prefix` are compared with those of `store`.
struct Copy {
  std::string prefix;
  std::unique_ptr<object_store::ObjectStore> store;
};

/// Compares what is referenced of a changed source with what it was.
class Comparison {
 public:
  static core::Result<Comparison> open(const Arguments& arguments) {
    if (arguments.copies.empty() && !arguments.messages) {
      return core::Error(core::ErrorCode::kInvalidArgument,
                         "refresh: say what a source is compared with: --copy PREFIX=PLACE, or "
                         "--messages for GRIB files without a copy");
    }
    Comparison made(arguments.messages);
    for (const auto& text : arguments.copies) {
      TRY_ASSIGN(const auto copy, source::parse_source_override(text));
      TRY_ASSIGN(auto store, object_store::open_store(copy.url));
      made.copies_.push_back({.prefix = copy.prefix, .store = std::move(store)});
    }
    return made;
  }

  core::Result<bool> same(const ChangedSource& source) const {
    const auto resolved = core::text(source.container, source.now.key.value());
    for (const Copy& copy : copies_) {
      if (!resolved.starts_with(copy.prefix)) continue;
      return same_bytes(source, *copy.store,
                        object_store::Key(resolved.substr(copy.prefix.size())));
    }
    if (!messages_) return false;
    return whole_messages(source);
  }

 private:
  using Ranges = std::vector<core::Bytes>;

  explicit Comparison(bool messages) : messages_(messages) {}

  /// Some ranges at a time: a source may be larger than what fits into memory twice.
  static core::Result<bool> same_bytes(const ChangedSource& source,
                                       const object_store::ObjectStore& copy,
                                       const object_store::Key& key) {
    constexpr std::uint64_t kBytesAtOnce = std::uint64_t{64} << 20U;
    const std::span<const core::ByteRange> all(source.ranges);
    for (std::size_t from = 0, to = 0; from < all.size(); from = to) {
      std::uint64_t bytes = 0;
      while (to < all.size() && (to == from || all[to].length <= kBytesAtOnce - bytes)) {
        bytes = std::min(bytes + std::min(all[to++].length, kBytesAtOnce), kBytesAtOnce);
      }
      const auto some = all.subspan(from, to - from);
      TRY_ASSIGN(const auto now, ranges(source.store, source.now.key, some));
      TRY_ASSIGN(const auto before, ranges(copy, key, some));
      if (!now || !before || *now != *before) return false;
    }
    return true;
  }

  /// Reads the first and last octets of each message only.
  static core::Result<bool> whole_messages(const ChangedSource& source) {
    constexpr std::string_view kEnd = "7777";
    std::vector<core::ByteRange> ends;
    for (const core::ByteRange& range : source.ranges) {
      if (range.length < grib::Indicator::kOctets) return false;
      ends.push_back({range.offset, grib::Indicator::kOctets});
      ends.push_back({range.end() - kEnd.size(), kEnd.size()});
    }
    TRY_ASSIGN(const auto read, ranges(source.store, source.now.key, ends));
    for (std::size_t i = 0; read && i < source.ranges.size(); ++i) {
      const auto head = grib::read_indicator((*read)[2 * i]);
      const bool whole = head && head->length == source.ranges[i].length &&
                         core::as_text((*read)[2 * i + 1]) == kEnd;
      if (!whole) return false;
    }
    return read.has_value();
  }

  /// Nothing where the object is gone or does not reach that far.
  static core::Result<std::optional<Ranges>> ranges(const object_store::ObjectStore& store,
                                                    const object_store::Key& key,
                                                    std::span<const core::ByteRange> wanted) {
    Ranges all;
    for (auto& part : store.get_many(key, wanted)) {
      if (part) {
        all.push_back(*std::move(part));
        continue;
      }
      const auto code = part.error().code();
      const bool absent = code == core::ErrorCode::kNotFound || code == core::ErrorCode::kCorrupt ||
                          code == core::ErrorCode::kInvalidArgument;
      if (absent) return {std::nullopt};
      return std::move(part).error();
    }
    return {std::move(all)};
  }

  bool messages_;
  std::vector<Copy> copies_;
};

/// The same repository with every container readable: who asks to compare sources allows it.
/// Containers that are persisted as anonymous stay so.
core::Result<Repository> with_sources(const Repository& repository, const Arguments& arguments) {
  std::vector<source::SourceOverride> overrides;
  for (const auto& text : arguments.sources) {
    TRY_ASSIGN(overrides.emplace_back(), source::parse_source_override(text));
  }
  auto options = repository.options();
  TRY_ASSIGN(const auto needs, repository.containers());
  for (const ContainerNeed& need : needs) {
    const auto& container = need.container;
    const auto elsewhere =
        std::ranges::find(overrides, container.url_prefix, &source::SourceOverride::prefix);
    object_store::OpenOptions open;
    if (!need.needs_credentials) open.access = object_store::Access::kAnonymous;
    std::string url = container.url_prefix;
    if (elsewhere != overrides.end()) {
      url = elsewhere->url;
    } else {
      open.region = container.s3.region.value_or("");
      open.endpoint = container.s3.endpoint_url.value_or("");
    }
    auto store = object_store::open_store(url, open);
    if (!store) return std::move(store).error().within("container " + container.url_prefix);
    options.access.authorize(container.url_prefix, *std::move(store));
  }
  for (const auto& one : overrides) {
    const bool known = std::ranges::any_of(needs, [&one](const ContainerNeed& need) {
      return need.container.url_prefix == one.prefix;
    });
    if (known) continue;
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("--source ", one.prefix, ": no container has this prefix; ",
                                  "'icefield store containers' lists them"));
  }
  return Repository::open(repository.assets()->shared_store(), std::move(options));
}

core::Json list_of(const std::vector<std::string>& texts) {
  return core::Json::Array(texts.begin(), texts.end());
}

core::Result<Printed> refresh(const Repository& opened, const Arguments& arguments) {
  TRY_ASSIGN(const auto comparison, Comparison::open(arguments));
  TRY(icechunk::require_changeable(opened));
  TRY_ASSIGN(const auto repository, with_sources(opened, arguments));
  icechunk::RefreshOptions options;
  options.dry_run = arguments.dry_run;
  options.same = [&](const ChangedSource& source) { return comparison.same(source); };
  TRY_ASSIGN(const auto report,
             icechunk::refresh_sources(repository, arguments.branch, "Refresh sources", options));
  Printed printed;
  const auto tell = [&printed](std::string_view what, const std::vector<std::string>& locations) {
    for (const auto& location : locations) printed.lines.push_back(core::text(what, location));
  };
  tell(arguments.dry_run ? "would refresh  " : "refreshed  ", report.refreshed);
  tell("DIFFERENT  ", report.different);
  tell("UNREADABLE  ", report.unreadable);
  printed.lines.push_back(
      core::text(report.sources, " sources with a recorded identity, ", report.refreshed.size(),
                 arguments.dry_run ? " to refresh, " : " refreshed, ", report.different.size(),
                 " changed and not the same, ", report.unreadable.size(), " unreadable"));
  printed.json = core::Json::object(
      {{"dry_run", arguments.dry_run},
       {"sources", report.sources},
       {"refreshed", list_of(report.refreshed)},
       {"different", list_of(report.different)},
       {"unreadable", list_of(report.unreadable)},
       {"snapshot", report.commit ? core::Json(report.commit->snapshot.text()) : core::Json()}});
  const bool all = report.different.empty() && report.unreadable.empty();
  printed.status = all ? kDone : kDoneSkipped;
  return printed;
}

}  // namespace

void add_store_refresh_command(CLI::App& store, Run& run) {
  const auto arguments = std::make_shared<Arguments>();
  auto& command = add_store_command(
      store, run,
      {.name = "refresh",
       .help = "Record anew what sources are that were copied over themselves; exit status 3 when "
               "some are not the same",
       .example = "refresh /data/store.icechunk --copy s3://noaa-hrrr-bdp-pds/=/mirror/hrrr"},
      [arguments](const Repository& repository) { return refresh(repository, *arguments); });
  command.add_option("--branch", arguments->branch)->capture_default_str();
  command.add_option("--copy", arguments->copies,
                     "PREFIX=PLACE: sources below PREFIX are compared, byte range by byte range, "
                     "with a copy from when they were referenced; repeatable");
  command.add_flag("--messages", arguments->messages,
                   "Sources without a copy are the same when each referenced range is still "
                   "exactly one GRIB message");
  command.add_option("--source", arguments->sources,
                     "PREFIX=PLACE: read the container PREFIX from elsewhere; repeatable");
  command.add_flag("--dry-run", arguments->dry_run, "Only compare");
}

}  // namespace icefield::cli
