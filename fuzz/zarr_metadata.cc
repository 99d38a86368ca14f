// corpus: tests/golden/zarr/documents tests/golden/zarr/fill_values tests/golden/zarr/arrays
// Any text is either refused or a document that is written and read back as the same value.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "core/bytes.h"
#include "zarr/codec/codec_chain.h"
#include "zarr/metadata/metadata_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace zarr = icefield::zarr;
  const auto text = icefield::core::as_text(std::as_bytes(std::span(data, size)));
  const auto node = zarr::read_metadata(text);
  if (!node) return 0;
  const auto written = zarr::write_metadata(*node);
  const auto again = zarr::read_metadata(written);
  if (!again || zarr::write_metadata(*again) != written) std::abort();
  if (const auto* const array = std::get_if<zarr::ArrayMetadata>(&*node)) {
    static_cast<void>(zarr::CodecChain::of(*array));  // hostile configurations are refused
  }
  return 0;
}
