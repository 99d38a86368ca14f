#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// Cyclic redundancy checks as object stores compute them, reflected, all ones before and after.
namespace icefield::object_store {

/// CRC-32 of ISO 3309, polynomial 0x04C11DB7.
std::uint32_t crc32(std::span<const std::byte> bytes);

/// CRC-32C (Castagnoli), RFC 3720 appendix B.4.
std::uint32_t crc32c(std::span<const std::byte> bytes);

/// CRC-64/NVME, polynomial 0xAD93D23594C93659: that of S3, and of Azure's x-ms-content-crc64.
std::uint64_t crc64_nvme(std::span<const std::byte> bytes);

/// Base64 of the value's bytes, the most significant first: as S3 and Google write checksums.
std::string base64_of(std::uint32_t checksum);
std::string base64_of(std::uint64_t checksum);

}  // namespace icefield::object_store
