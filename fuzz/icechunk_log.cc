// corpus: tests/golden/icechunk/payloads
// The flatbuffer of a transaction log; what is read must survive being written.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "icechunk/format/envelope.h"
#include "icechunk/format/transaction_log_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace icefield::icechunk;  // NOLINT: an entry has one subject
  const auto file =
      seal_envelope(FileType::kTransactionLog, std::as_bytes(std::span(data, size)), 1);
  if (!file) return 0;
  const auto log = decode_transaction_log(*file);
  if (!log) return 0;
  const auto again = encode_transaction_log(*log);
  if (!again) std::abort();
  const auto back = decode_transaction_log(*again);
  if (!back || *back != *log) std::abort();
  if (merge(*log, *log).new_groups != log->new_groups) std::abort();
  return 0;
}
