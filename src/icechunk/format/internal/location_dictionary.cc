#include "icechunk/format/internal/location_dictionary.h"

#include <memory>
#include <span>
#include <string>
#include <utility>

#include <zstd.h>

#include "core/text.h"
#include "icechunk/format/internal/wire.h"

namespace icefield::icechunk::internal {
namespace {

constexpr std::size_t kMaxLocation = std::size_t{64} * 1024;

/// One context per thread: making one costs more than a location.
ZSTD_DCtx* thread_context() {
  struct Deleter {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  thread_local const std::unique_ptr<ZSTD_DCtx, Deleter> context(ZSTD_createDCtx());
  return context.get();
}

}  // namespace

core::Result<LocationDictionary> LocationDictionary::load(std::span<const std::byte> dictionary) {
  ZSTD_DDict* const made = ZSTD_createDDict(dictionary.data(), dictionary.size());
  if (made == nullptr) return corrupt("the location dictionary is damaged");
  return LocationDictionary(
      std::shared_ptr<const void>(made, [made](const void*) { ZSTD_freeDDict(made); }));
}

core::Status LocationDictionary::decompress(std::span<const std::byte> frame,
                                            std::string& out) const {
  const unsigned long long declared = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (declared == ZSTD_CONTENTSIZE_ERROR) return corrupt("a compressed location is no zstd frame");
  const bool unknown = declared == ZSTD_CONTENTSIZE_UNKNOWN;
  if (!unknown && declared > kMaxLocation) return corrupt("a compressed location over 64 KiB");
  out.resize(unknown ? kMaxLocation : static_cast<std::size_t>(declared));
  const std::size_t made =
      ZSTD_decompress_usingDDict(thread_context(), out.data(), out.size(), frame.data(),
                                 frame.size(), static_cast<const ZSTD_DDict*>(prepared_.get()));
  if (ZSTD_isError(made) != 0) {
    return corrupt(core::text("a compressed location: ", ZSTD_getErrorName(made)));
  }
  out.resize(made);
  return {};
}

}  // namespace icefield::icechunk::internal
