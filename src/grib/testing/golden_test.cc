#include "grib/testing/golden.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "core/file.h"

namespace icefield::grib::testing {

core::Bytes golden_bytes(std::string_view name) {
  const auto path = std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/grib" / name;
  auto bytes = core::read_file(path);
  EXPECT_TRUE(bytes) << path;
  return bytes ? *std::move(bytes) : core::Bytes{};
}

std::string golden_text(std::string_view name) {
  return std::string(core::as_text(golden_bytes(name)));
}

}  // namespace icefield::grib::testing
