// corpus: tests/golden/icechunk/payloads tests/golden/icechunk
// JSON values of both encodings and of YAML, and the configuration made of one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "icechunk/format/config.h"
#include "icechunk/format/flexbuffer_json.h"
#include "icechunk/format/msgpack_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace icefield::icechunk;  // NOLINT: an entry has one subject
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto packed = decode_msgpack(bytes);
  if (packed) static_cast<void>(encode_flexbuffer(*packed));
  const auto value = decode_flexbuffer(bytes);
  if (value) {
    const auto again = encode_flexbuffer(*value);
    if (!again || !decode_flexbuffer(*again)) std::abort();
  }
  const auto config = decode_config(bytes);
  if (config) static_cast<void>(config->containers());
  static_cast<void>(decode_config_yaml(bytes));
  return 0;
}
