#include "icechunk/format/backup_name.h"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace icefield::icechunk {
namespace {

constexpr std::string_view kPrefix = "repo.";
constexpr std::size_t kTimeDigits = 14;
constexpr std::int64_t kYear3000 = 32'503'680'000'000;  // ms since 1970

}  // namespace

std::string backup_text(const BackupName& name) {
  const auto since_1970 =
      std::chrono::floor<std::chrono::milliseconds>(name.at.time_since_epoch()).count();
  const std::string digits = std::to_string(kYear3000 - since_1970);
  std::string text(kPrefix);
  if (digits.size() < kTimeDigits) text.append(kTimeDigits - digits.size(), '0');
  return text + digits + '.' + name.id.text();
}

std::string new_backup_name(core::Instant now) {
  return backup_text({.at = now, .id = BackupId::random()});
}

std::optional<BackupName> parse_backup_name(std::string_view text) {
  if (!text.starts_with(kPrefix)) return std::nullopt;
  text.remove_prefix(kPrefix.size());
  if (text.size() <= kTimeDigits || text[kTimeDigits] != '.') return std::nullopt;
  std::uint64_t left = 0;
  const char* const end = text.data() + kTimeDigits;
  const auto parsed = std::from_chars(text.data(), end, left);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  const auto id = BackupId::parse(text.substr(kTimeDigits + 1));
  if (!id) return std::nullopt;
  const std::chrono::milliseconds at(kYear3000 - static_cast<std::int64_t>(left));
  return BackupName{.at = core::Instant(at), .id = *id};
}

}  // namespace icefield::icechunk
