// corpus: tests/golden/zarr/arrays
// Any bytes, decoded by every codec as a chunk of known shape, give that chunk or an error.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "zarr/codec/codec_chain.h"

namespace {

namespace core = icefield::core;
namespace zarr = icefield::zarr;

constexpr std::array<std::string_view, 10> kChains = {
    R"([{"name": "bytes", "configuration": {"endian": "big"}}])",
    R"([{"name": "bytes", "configuration": {"endian": "little"}}, "blosc"])",
    R"([{"name": "bytes", "configuration": {"endian": "little"}}, "zstd"])",
    R"([{"name": "bytes", "configuration": {"endian": "little"}}, "gzip"])",
    R"([{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"])",
    R"([{"name": "bytes", "configuration": {"endian": "little"}}, "gzip", "zstd"])",
    R"([{"name": "transpose", "configuration": {"order": [1, 0]}},
        {"name": "bytes", "configuration": {"endian": "little"}}])",
    R"([{"name": "scale_offset", "configuration": {"offset": 2, "scale": 3}},
        {"name": "bytes", "configuration": {"endian": "little"}}, "zstd"])",
    // index codecs without a checksum, so that changed bytes reach the index
    R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": [4, 3],
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "blosc"],
        "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "index_location": "end"}}])",
    R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": [4, 3],
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "zstd"],
        "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "index_location": "start"}}])",
};

zarr::CodecChain make_chain(std::string_view text) {
  std::vector<zarr::Extension> codecs;
  const auto json = core::Json::parse(text);
  for (const auto& one : json->as_array()) codecs.push_back(*zarr::read_extension(one, "codec"));
  auto chain = zarr::CodecChain::make(codecs, {zarr::DataType::kFloat32, {8, 6}, {}});
  if (!chain) std::abort();
  return *std::move(chain);
}

std::vector<zarr::CodecChain> make_chains() {
  std::vector<zarr::CodecChain> chains;
  for (const auto text : kChains) chains.push_back(make_chain(text));
  return chains;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto chains = make_chains();
  const auto bytes = std::as_bytes(std::span(data, size));
  for (const auto& chain : chains) {
    const auto values = chain.decode(bytes);
    if (values && values->size() != chain.chunk_bytes()) std::abort();
  }
  return 0;
}
