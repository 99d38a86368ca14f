// corpus: tests/golden/icechunk/payloads
// The flatbuffer of a snapshot. What is read must be checkable, and writable when it is in order.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "icechunk/format/envelope.h"
#include "icechunk/format/file_inspection.h"
#include "icechunk/format/snapshot_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace icefield::icechunk;  // NOLINT: an entry has one subject
  auto file = seal_envelope(FileType::kSnapshot, std::as_bytes(std::span(data, size)), 1);
  if (!file) return 0;
  static_cast<void>(inspect_file(*file, FileType::kSnapshot));
  for (const int version : {2, 1}) {
    (*file)[36] = static_cast<std::byte>(version);
    auto snapshot = decode_snapshot(*file);
    if (!snapshot) continue;
    static_cast<void>(check_snapshot(*snapshot));
    snapshot->parent_id.reset();  // not written in version 2
    const auto again = encode_snapshot(*snapshot);
    if (!again) continue;
    const auto back = decode_snapshot(*again);
    // NaN in metadata is equal to nothing
    if (!back || back->nodes != snapshot->nodes) std::abort();
  }
  return 0;
}
