#include "object_store/internal/digest.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

namespace icefield::object_store {
namespace {

const unsigned char* octets(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());  // NOLINT: C interface
}
unsigned char* writable(std::span<std::byte> bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());  // NOLINT: C interface
}

template <typename T, void (*kFree)(T*)>
struct Freed {
  void operator()(T* object) const { kFree(object); }
};
struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};

// Looking a method up takes longer than a short digest, and so does making a context: once each.
Sha256 sha256_of_two(std::span<const std::byte> first, std::span<const std::byte> second) {
  static const EVP_MD* const method = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  thread_local const std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX, EVP_MD_CTX_free>> context(
      EVP_MD_CTX_new());
  Sha256 digest{};
  EVP_DigestInit_ex(context.get(), method, nullptr);
  EVP_DigestUpdate(context.get(), first.data(), first.size());
  EVP_DigestUpdate(context.get(), second.data(), second.size());
  EVP_DigestFinal_ex(context.get(), writable(digest), nullptr);
  return digest;
}

core::Error bad_key() {
  return {core::ErrorCode::kInvalidArgument, "the private key cannot be used for signing"};
}

}  // namespace

Sha256 sha256(std::span<const std::byte> bytes) {
  return sha256_of_two(bytes, {});
}

// RFC 2104. OpenSSL's own looks its method up anew for each key, which costs more than the digests.
Sha256 hmac_sha256(std::span<const std::byte> key, std::string_view message) {
  constexpr std::size_t kBlock = 64;
  std::array<std::byte, kBlock> inner{};
  if (key.size() > kBlock) {
    std::ranges::copy(sha256(key), inner.begin());
  } else {
    std::ranges::copy(key, inner.begin());
  }
  auto outer = inner;
  for (auto& byte : inner) byte ^= std::byte{0x36};
  for (auto& byte : outer) byte ^= std::byte{0x5c};
  return sha256_of_two(outer, sha256_of_two(inner, core::as_bytes(message)));
}

std::array<std::byte, 16> md5(std::span<const std::byte> bytes) {
  std::array<std::byte, 16> digest{};
  unsigned length = 0;
  EVP_Digest(bytes.data(), bytes.size(), writable(digest), &length, EVP_md5(), nullptr);
  return digest;
}

std::string hex(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out(bytes.size() * 2, '0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto octet = std::to_integer<unsigned>(bytes[i]);
    out[2 * i] = kDigits[octet >> 4U];
    out[2 * i + 1] = kDigits[octet & 0xFU];
  }
  return out;
}

std::string base64(std::span<const std::byte> bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  auto* const to = reinterpret_cast<unsigned char*>(out.data());  // NOLINT: C interface
  const int length = EVP_EncodeBlock(to, octets(bytes), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(length));
  return out;
}

std::string base64_url(std::span<const std::byte> bytes) {
  auto out = base64(bytes);
  std::ranges::replace(out, '+', '-');
  std::ranges::replace(out, '/', '_');
  out.erase(std::min(out.find('='), out.size()));
  return out;
}

core::Result<core::Bytes> decode_base64(std::string_view text) {
  core::Bytes out(text.size() / 4 * 3 + 3);
  const int length = text.size() % 4 == 0
                         ? EVP_DecodeBlock(writable(out), octets(core::as_bytes(text)),
                                           static_cast<int>(text.size()))
                         : -1;
  if (length < 0) return core::Error(core::ErrorCode::kInvalidArgument, "not base64");
  const auto padding = static_cast<std::size_t>(std::ranges::count(text, '='));
  if (padding > 2 || padding > static_cast<std::size_t>(length)) {
    return core::Error(core::ErrorCode::kInvalidArgument, "not base64");
  }
  out.resize(static_cast<std::size_t>(length) - padding);
  return out;
}

core::Result<core::Bytes> sign_rs256(std::string_view key_pem, std::string_view message) {
  const std::unique_ptr<BIO, FreeBio> text(
      BIO_new_mem_buf(key_pem.data(), static_cast<int>(key_pem.size())));
  const std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>> key(
      PEM_read_bio_PrivateKey(text.get(), nullptr, nullptr, nullptr));
  if (!key) return bad_key();
  const std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX, EVP_MD_CTX_free>> context(EVP_MD_CTX_new());
  std::size_t length = 0;
  if (EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &length, octets(core::as_bytes(message)),
                     message.size()) != 1) {
    return bad_key();
  }
  core::Bytes signature(length);
  if (EVP_DigestSign(context.get(), writable(signature), &length, octets(core::as_bytes(message)),
                     message.size()) != 1) {
    return bad_key();
  }
  signature.resize(length);
  return signature;
}

}  // namespace icefield::object_store
