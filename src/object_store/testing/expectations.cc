#include "object_store/testing/expectations.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/random.h"

namespace icefield::object_store_testing {

using object_store::Key;

core::Bytes pattern(std::size_t length, std::uint64_t seed) {
  core::Bytes bytes(length);
  for (auto& byte : bytes) byte = static_cast<std::byte>(core::splitmix64(seed) >> 56U);
  return bytes;
}

object_store::ObjectInfo must_put(object_store::ObjectStore& store, const std::string& key,
                                  std::string_view bytes) {
  auto info = store.put(Key(key), core::as_bytes(bytes), object_store::PutCondition::none());
  EXPECT_TRUE(info) << info.error().message();
  return info ? *std::move(info) : object_store::ObjectInfo{};
}

std::string text_of(const object_store::ObjectStore& store, const std::string& key) {
  const auto object = store.get(Key(key));
  if (object) return std::string(core::as_text(object->bytes));
  if (object.error().code() == core::ErrorCode::kNotFound) return "(absent)";
  return "(error " + object.error().message() + ")";
}

std::vector<std::string> listed(const object_store::ObjectStore& store,
                                const object_store::ListOptions& options) {
  std::vector<std::string> all;
  const auto status = store.list(options, [&all](const object_store::ListPage& page) {
    std::vector<std::string> here = page.folders;
    for (const auto& object : page.objects) here.push_back(object.key.value());
    std::ranges::sort(here);
    all.insert(all.end(), here.begin(), here.end());
    return true;
  });
  EXPECT_TRUE(status) << status.error().message();
  return all;
}

std::string outcome(const core::Status& status) {
  if (status) return "ok";
  switch (status.error().code()) {
    case core::ErrorCode::kNotFound:
      return "not found";
    case core::ErrorCode::kConflict:
      return "conflict";
    case core::ErrorCode::kCorrupt:
      return "corrupt";
    case core::ErrorCode::kInvalidArgument:
      return "invalid argument";
    case core::ErrorCode::kUnsupported:
      return "unsupported";
    case core::ErrorCode::kUnavailable:
      return "unavailable: " + status.error().message();
    case core::ErrorCode::kUnknownOutcome:
      return "unknown outcome: " + status.error().message();
    case core::ErrorCode::kPermissionDenied:
      return "permission denied: " + status.error().message();
    case core::ErrorCode::kCancelled:
      return "cancelled";
  }
  return "?";
}

}  // namespace icefield::object_store_testing
