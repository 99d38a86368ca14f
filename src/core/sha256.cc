#include "core/sha256.h"

#include <array>

#include <openssl/sha.h>

namespace icefield::core {

std::string sha256_hex(std::span<const std::byte> bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),  // NOLINT: C interface
         digest.data());
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const auto octet : digest) {
    hex += kDigits[octet >> 4U];
    hex += kDigits[octet & 0xFU];
  }
  return hex;
}

}  // namespace icefield::core
