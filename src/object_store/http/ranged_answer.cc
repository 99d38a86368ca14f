#include "object_store/http/ranged_answer.h"

#include <algorithm>
#include <limits>

#include "core/text.h"

namespace icefield::object_store {

std::string range_header(core::ByteRange range) {
  constexpr std::uint64_t kLast = std::numeric_limits<std::int64_t>::max() - 1;
  return core::text("bytes=", range.offset, "-",
                    std::min(range.end() - 1, std::max(kLast, range.offset)));
}

core::Result<core::Bytes> ranged_body(
    core::Result<HttpResponse> answer, core::ByteRange range,
    const std::function<core::Error(const HttpResponse&)>& error_of) {
  if (!answer) return std::move(answer).error();
  if (answer->status != 200 && answer->status != 206) return error_of(*answer);
  auto bytes = std::move(answer->body);
  if (answer->status == 200) {
    const auto before = std::min<std::uint64_t>(range.offset, bytes.size());
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(before));
  } else {
    const auto told = answer->header("content-range");
    if (!told.starts_with(core::text("bytes ", range.offset, "-"))) {
      return core::Error(
          core::ErrorCode::kCorrupt,
          "asked for bytes from " + std::to_string(range.offset) + ", got " + std::string(told));
    }
  }
  if (bytes.size() > range.length) bytes.resize(range.length);
  return bytes;
}

}  // namespace icefield::object_store
