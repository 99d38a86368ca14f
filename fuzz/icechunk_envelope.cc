// corpus: tests/golden/icechunk
// Whole metadata files of every type: header, frame, and whatever comes out of it.
#include <cstddef>
#include <cstdint>
#include <span>

#include "icechunk/format/envelope.h"
#include "icechunk/format/manifest.h"
#include "icechunk/format/repo_info_codec.h"
#include "icechunk/format/snapshot_codec.h"
#include "icechunk/format/transaction_log_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace icefield::icechunk;  // NOLINT: an entry has one subject
  const auto file = std::as_bytes(std::span(data, size));
  const auto type = sniff_file_type(file);
  if (!type) return 0;
  switch (*type) {
    case FileType::kSnapshot:
      static_cast<void>(decode_snapshot(file));
      break;
    case FileType::kManifest:
      static_cast<void>(decode_manifest(file));
      break;
    case FileType::kTransactionLog:
      static_cast<void>(decode_transaction_log(file));
      break;
    case FileType::kRepo:
      static_cast<void>(decode_repo_info(file));
      break;
  }
  return 0;
}
