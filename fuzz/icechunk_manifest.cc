// corpus: tests/golden/icechunk/payloads
// The flatbuffer of a manifest: every reference is walked, found again, and read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "icechunk/format/envelope.h"
#include "icechunk/format/file_inspection.h"
#include "icechunk/format/manifest.h"
#include "icechunk/format/manifest_builder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace icefield::icechunk;  // NOLINT: an entry has one subject
  const auto file = seal_envelope(FileType::kManifest, std::as_bytes(std::span(data, size)), 1);
  if (!file) return 0;
  static_cast<void>(inspect_file(*file, FileType::kManifest));
  const auto manifest = decode_manifest(*file);
  if (!manifest) return 0;
  ManifestBuilder builder(manifest->id());
  std::string scratch;
  for (std::size_t a = 0; a < manifest->array_count(); ++a) {
    const auto array = manifest->array(a);
    for (std::size_t i = 0; i < array.size(); ++i) {
      const auto index = array.index(i);
      if (array.lower_bound(index) != i) std::abort();
      const bool countable = index.empty() || index[0] != UINT32_MAX;
      if (countable && array.box().contains(index) && array.position_of(index) != i) std::abort();
      const auto view = array.view(i, scratch);
      if (view) static_cast<void>(builder.add(array.node(), index, *view));
    }
  }
  if (builder.reference_count() == 0) return 0;
  const std::uint64_t count = builder.reference_count();
  const auto built = std::move(builder).finish();
  if (!built) std::abort();
  const auto back = decode_manifest(built->bytes);
  if (!back || back->reference_count() != count) std::abort();
  return 0;
}
