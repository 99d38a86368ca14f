#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/bytes.h"
#include "core/result.h"

// Digests, keyed digests and base64 for signatures and checksums.
namespace icefield::object_store {

using Sha256 = std::array<std::byte, 32>;

Sha256 sha256(std::span<const std::byte> bytes);
Sha256 hmac_sha256(std::span<const std::byte> key, std::string_view message);
std::array<std::byte, 16> md5(std::span<const std::byte> bytes);

/// Lower-case hex.
std::string hex(std::span<const std::byte> bytes);

std::string base64(std::span<const std::byte> bytes);
/// Without padding, '-' and '_' for '+' and '/': as JSON web tokens write it.
std::string base64_url(std::span<const std::byte> bytes);
/// Errors: kInvalidArgument.
core::Result<core::Bytes> decode_base64(std::string_view text);

/// RSASSA-PKCS1-v1_5 with SHA-256. `key_pem`: a private key in PEM. Errors: kInvalidArgument, never
/// with the key in the message.
core::Result<core::Bytes> sign_rs256(std::string_view key_pem, std::string_view message);

}  // namespace icefield::object_store
