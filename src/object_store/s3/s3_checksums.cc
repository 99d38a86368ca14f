#include "object_store/s3/s3_checksums.h"

#include <string_view>

#include "core/text.h"
#include "object_store/internal/checksum.h"
#include "object_store/internal/digest.h"

namespace icefield::object_store {
namespace {

struct Algorithm {
  std::string_view header;
  std::string (*of)(std::span<const std::byte> bytes);
};

// "Checking object integrity" of the S3 user guide
constexpr Algorithm kAlgorithms[] = {
    {"x-amz-checksum-crc64nvme", [](auto bytes) { return base64_of(crc64_nvme(bytes)); }},
    {"x-amz-checksum-crc32c", [](auto bytes) { return base64_of(crc32c(bytes)); }},
    {"x-amz-checksum-crc32", [](auto bytes) { return base64_of(crc32(bytes)); }},
    {"x-amz-checksum-sha256", [](auto bytes) { return base64(sha256(bytes)); }},
};

}  // namespace

Header checksum_header(std::span<const std::byte> body) {
  return {"x-amz-checksum-crc32c", base64_of(crc32c(body))};
}

core::Status verify_checksums(const std::string& name, const HttpResponse& answer) {
  for (const auto& [header, of] : kAlgorithms) {
    const auto told = answer.header(header);
    if (told.empty() || told.find('-') != std::string_view::npos) continue;
    const auto found = of(answer.body);
    if (found == told) return {};
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text(name, ": ", answer.body.size(), " bytes came with ", header, " ",
                                  told.substr(0, 64), ", but theirs is ", found));
  }
  return {};
}

}  // namespace icefield::object_store
