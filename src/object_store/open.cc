#include "object_store/open.h"

#include <string>
#include <utility>

#include "object_store/internal/percent.h"
#include "object_store/internal/prefixed_store.h"
#include "object_store/key_rules.h"
#include "object_store/local/local_store.h"
#include "object_store/memory/memory_store.h"

namespace icefield::object_store {
namespace {

using Opened = core::Result<std::unique_ptr<ObjectStore>>;

core::Error bad_url(std::string_view url, std::string_view why) {
  return {core::ErrorCode::kInvalidArgument,
          "'" + std::string(url) + "' is no store: " + std::string(why)};
}

/// Segments without '/' at either end -> "" or segments ending in '/'.
core::Result<std::string> read_prefix(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  while (path.starts_with('/')) path.remove_prefix(1);
  if (path.empty()) return std::string();
  TRY(check_key(Key(std::string(path))));
  return std::string(path) + "/";
}

Opened open_file(std::string_view rest) {
  if (rest.starts_with("localhost/")) rest.remove_prefix(std::string_view("localhost").size());
  if (!rest.starts_with('/')) {
    return bad_url("file://" + std::string(rest), "a file URL has three slashes: file:///path");
  }
  if (rest.find_first_of("?#") != std::string_view::npos) {
    return bad_url("file://" + std::string(rest), "write ? and # as %3F and %23");
  }
  TRY_ASSIGN(const auto path, percent_decode(rest));
  return make_local_store(path);
}

Opened open_memory(std::string_view rest) {
  const auto slash = rest.find('/');
  const std::string name(rest.substr(0, slash));
  TRY_ASSIGN(auto prefix, read_prefix(slash == std::string_view::npos ? std::string_view()
                                                                      : rest.substr(slash)));
  return below_prefix(make_memory_store(name), std::move(prefix));
}

struct Scheme {
  std::string_view name;
  Opened (*open)(std::string_view rest);
};

// Every kind of store. A new one is a folder, its conformance test, and a row here.
constexpr Scheme kSchemes[] = {
    {"file", open_file},
    {"memory", open_memory},
};

}  // namespace

Opened open_store(std::string_view url) {
  const auto mark = url.find("://");
  if (mark == std::string_view::npos) return make_local_store(std::string(url));
  const auto rest = url.substr(mark + 3);
  const auto authority = rest.substr(0, rest.find('/'));
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    const auto shown = std::string(url.substr(0, mark + 3)) + "***" + std::string(rest.substr(at));
    return bad_url(shown, "credentials do not belong into a URL");
  }
  for (const auto& scheme : kSchemes) {
    if (scheme.name == url.substr(0, mark)) return scheme.open(rest);
  }
  return core::Error(core::ErrorCode::kUnsupported,
                     "no store for URLs of the form " + std::string(url.substr(0, mark)) + "://");
}

}  // namespace icefield::object_store
