#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/text.h"
#include "icechunk/assets/keys.h"
#include "icechunk/format/location.h"
#include "icechunk/maintenance/internal/findings.h"
#include "object_store/open.h"

namespace icefield::icechunk {
namespace {

constexpr std::uint32_t kMostFindingsPerArray = 5;

/// What is wrong with a reference, if anything.
struct Trouble {
  Severity severity = Severity::kDamage;
  std::string what = {};
};

class References {
 public:
  References(Inspection& all, const ManifestId& id)
      : all_(all), object_(manifest_key(id).value()) {}

  void inspect(const Manifest::Array& array) {
    std::uint32_t told = 0;
    std::string scratch;
    for (std::size_t at = 0; at < array.size() && told < kMostFindingsPerArray; ++at) {
      const auto view = array.view(at, scratch);
      const auto trouble =
          view ? trouble_with(*view) : std::optional(Trouble{.what = view.error().message()});
      if (!trouble) continue;
      all_.report.findings.push_back({trouble->severity, object_, trouble->what});
      ++told;
    }
  }

 private:
  std::optional<Trouble> trouble_with(const ReferenceView& view) {
    if (const auto* native = std::get_if<NativeChunk>(&view)) return trouble_with_native(*native);
    const auto* source = std::get_if<VirtualView>(&view);
    return source == nullptr ? std::nullopt : trouble_with_source(*source);
  }

  std::optional<Trouble> trouble_with_native(const NativeChunk& native) const {
    const auto size = all_.sizes.find(chunk_key(native.id).value());
    if (native.range.length == 0) return Trouble{.what = "a reference of length 0"};
    if (size == all_.sizes.end()) {
      return Trouble{.what = "chunk " + native.id.text() + " does not exist"};
    }
    if (native.range.end() >= native.range.offset && native.range.end() <= size->second) return {};
    return Trouble{.what = core::text("bytes up to ", native.range.end(), " of chunk ",
                                      native.id.text(), ", which has ", size->second)};
  }

  std::optional<Trouble> trouble_with_source(const VirtualView& source) {
    const std::string location(source.location);
    if (source.range.length == 0) return Trouble{.what = "a reference of length 0"};
    if (const std::string why = trouble_with_location(location); !why.empty()) {
      return Trouble{.what = core::text("location ", location, " ", why)};
    }
    const auto found = resolve_location(location, all_.containers);
    const std::string why =
        found ? trouble_with_file(*found, source)
              : core::text("location ", location, " cannot be read: ", found.error().message());
    if (why.empty()) return std::nullopt;
    return Trouble{.severity = Severity::kUnusual, .what = why};
  }

  std::string trouble_with_location(std::string_view location) const {
    const auto split = location.find("://");
    if (split == std::string_view::npos || split == 0) return "is no absolute URL";
    const auto is_upper = [](char letter) { return letter >= 'A' && letter <= 'Z'; };
    if (std::ranges::any_of(location.substr(0, split), is_upper)) {
      return "has a scheme that is not in lower case";
    }
    if (!location.starts_with("vcc://")) return {};
    const auto relative = split_relative(location);
    const bool complete = location.find('/', split + 3) != std::string_view::npos;
    if (relative.container.empty() || !complete) return "names no container and path";
    const bool known =
        std::ranges::find_if(all_.containers, [&](const VirtualContainer& container) {
          return container.name == relative.container;
        }) != all_.containers.end();
    return known ? "" : "names no container that exists";
  }

  /// Of sources, those on this machine are looked at: a number of bytes and a time.
  std::string trouble_with_file(const ResolvedLocation& found, const VirtualView& source) {
    if (found.container->kind != StoreKind::kLocal) return {};
    const std::string text = core::text(found.url, " cannot be read: ");
    if (!source.entity_tag.empty()) return text + "entity tags of files never match";
    const auto& file = file_at(found.key);
    if (!file) return text + "there is no such file";
    if (source.range.end() < source.range.offset || source.range.end() > file->size) {
      return core::text(text, "it has ", file->size, " bytes, not ", source.range.end());
    }
    const core::Instant dated{std::chrono::seconds(source.last_modified)};
    if (source.last_modified != 0 && file->last_modified > dated) {
      return text + "it has changed since the reference was made";
    }
    return {};
  }

  const std::optional<object_store::ObjectInfo>& file_at(const std::string& path) {
    const auto known = files_.find(path);
    if (known != files_.end()) return known->second;
    std::optional<object_store::ObjectInfo> info;
    if (auto disk = object_store::open_store("file:///")) {
      auto head = (*disk)->head(object_store::Key(path.substr(path.starts_with('/') ? 1 : 0)));
      if (head) info = *std::move(head);
    }
    return files_.emplace(path, std::move(info)).first->second;
  }

  Inspection& all_;
  std::string object_;
  std::map<std::string, std::optional<object_store::ObjectInfo>> files_;
};

}  // namespace

void inspect_references(Inspection& inspection, const ManifestId& id, const Manifest& manifest) {
  References references(inspection, id);
  for (std::size_t a = 0; a < manifest.array_count(); ++a) references.inspect(manifest.array(a));
}

}  // namespace icefield::icechunk
