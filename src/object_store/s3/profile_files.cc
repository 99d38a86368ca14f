#include "object_store/s3/profile_files.h"

#include <utility>

#include "core/file.h"
#include "core/text.h"

namespace icefield::object_store {
namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

// The settings of one section. Indented lines belong to nested settings, which nothing here reads.
ProfileSettings read_section(std::string_view ini, std::string_view wanted) {
  ProfileSettings settings;
  bool inside = false;
  for (const auto& line : core::split(ini, '\n')) {
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      inside = trimmed(line.substr(1, line.find(']') - 1)) == wanted;
      continue;
    }
    const auto equals = line.find('=');
    if (!inside || equals == std::string::npos || line.front() == ' ' || line.front() == '\t') {
      continue;
    }
    settings[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
  }
  return settings;
}

}  // namespace

std::string profile_name(const Environment& environment) {
  return environment("AWS_PROFILE").value_or("default");
}

ProfileSettings read_profile(const Environment& environment, const std::string& name) {
  const auto home = environment("HOME").value_or("/nonexistent");
  struct File {
    std::string path, section;
  };
  const File files[] = {
      {environment("AWS_CONFIG_FILE").value_or(home + "/.aws/config"),
       name == "default" ? name : "profile " + name},
      {environment("AWS_SHARED_CREDENTIALS_FILE").value_or(home + "/.aws/credentials"), name}};
  ProfileSettings settings;
  for (const auto& file : files) {
    const auto bytes = core::read_file(file.path);
    if (!bytes) continue;
    for (auto& [key, value] : read_section(core::as_text(*bytes), file.section)) {
      settings[key] = std::move(value);
    }
  }
  return settings;
}

std::optional<std::string> profile_setting(const Environment& environment, std::string_view name) {
  const auto settings = read_profile(environment, profile_name(environment));
  const auto at = settings.find(name);
  if (at == settings.end() || at->second.empty()) return std::nullopt;
  return at->second;
}

}  // namespace icefield::object_store
