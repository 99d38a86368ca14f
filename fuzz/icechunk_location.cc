// Locations and prefixes are text that others wrote.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/bytes.h"
#include "icechunk/format/location.h"
#include "icechunk/format/path.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace icefield::icechunk;  // NOLINT: an entry has one subject
  const auto text = icefield::core::as_text(std::as_bytes(std::span(data, size)));
  const std::string_view location = text.substr(0, text.find('\n'));
  const VirtualContainer containers[] = {local_container("disk", "/srv/data"),
                                         anonymous_s3_container("s3", "s3://bucket/a/", "r"),
                                         {.url_prefix = "gs://b/", .kind = StoreKind::kGcs}};
  const auto found = resolve_location(location, containers);
  if (found && found->container->kind == StoreKind::kLocal &&
      !found->key.starts_with("/srv/data/")) {
    std::abort();  // a way out of the folder
  }
  const auto stored = canonical_location(location, containers, LocationForm::kRelative);
  if (stored && found && !resolve_location(*stored, containers)) std::abort();
  static_cast<void>(check_path(location));
  return 0;
}
