#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "core/json.h"
#include "core/text.h"
#include "object_store/internal/run_command.h"
#include "object_store/s3/credential_sources.h"
#include "object_store/s3/profile_files.h"
#include "object_store/s3/token_service.h"

namespace icefield::object_store {
namespace {

constexpr std::size_t kMostProfiles = 8;  // of a chain of roles
constexpr std::chrono::seconds kMostTime{60};

/// Follows a profile and those that it names.
class ProfileWalk {
 public:
  ProfileWalk(const Environment& environment, const Sending& sending)
      : environment_(environment), sending_(sending) {}

  // nullopt: the profile has no credentials of any kind.
  FoundCredentials find(const std::string& name) {
    const auto settings = read_profile(environment_, name);
    const auto text = [&settings](std::string_view key) {
      const auto at = settings.find(key);
      return at == settings.end() ? std::string() : at->second;
    };
    const bool again = std::ranges::find(visited_, name) != visited_.end();
    if (visited_.size() >= kMostProfiles) return refuse(name, "names profiles without end");
    visited_.push_back(name);
    // a profile may be its own source: then its keys are meant
    if (!text("role_arn").empty() && !again) return role(name, text);
    Credentials keys{text("aws_access_key_id"), text("aws_secret_access_key"),
                     text("aws_session_token"), std::nullopt};
    if (!keys.access_key.empty() && !keys.secret_key.empty()) return std::optional(std::move(keys));
    if (again) return refuse(name, "names itself and has no keys");
    if (const auto command = text("credential_process"); !command.empty()) {
      return program(name, command);
    }
    if (!text("sso_session").empty() || !text("sso_start_url").empty()) {
      return core::Error(core::ErrorCode::kUnsupported,
                         "profile " + name +
                             " wants single sign-on: set the variables that "
                             "'aws configure export-credentials' gives");
    }
    return std::optional<Credentials>();
  }

 private:
  static core::Error refuse(const std::string& name, const char* why) {
    return {core::ErrorCode::kInvalidArgument, "profile " + name + " " + why};
  }

  template <typename Text>
  FoundCredentials role(const std::string& name, const Text& text) {
    RoleWanted wanted{.arn = text("role_arn"),
                      .external_id = text("external_id"),
                      .duration_seconds = text("duration_seconds")};
    if (const auto session = text("role_session_name"); !session.empty()) {
      wanted.session_name = session;
    }
    if (!text("mfa_serial").empty()) {
      return core::Error(core::ErrorCode::kUnsupported,
                         "profile " + name + " wants the code of a device (mfa_serial)");
    }
    const auto service = token_service(environment_);
    if (const auto file = text("web_identity_token_file"); !file.empty()) {
      TRY_ASSIGN(auto found, assume_role_with_web_identity(service, file, wanted, sending_));
      return std::optional(std::move(found));
    }
    TRY_ASSIGN(const auto source,
               source_of(name, text("source_profile"), text("credential_source")));
    if (!source) return refuse(name, "has a role and nothing to ask for it with");
    TRY_ASSIGN(auto found, assume_role(service, *source, wanted, sending_));
    return std::optional(std::move(found));
  }

  FoundCredentials source_of(const std::string& name, const std::string& profile,
                             const std::string& place) {
    if (!profile.empty()) return find(profile);
    if (place == "Environment") return credentials_from_variables(environment_);
    if (place == "EcsContainer") return credentials_from_container(environment_, sending_);
    if (place == "Ec2InstanceMetadata") {
      return credentials_from_instance(environment_, sending_, true);
    }
    if (!place.empty()) return refuse(name, "has a credential_source that there is not");
    return std::optional<Credentials>();
  }

  // "Sourcing credentials with an external process" of the AWS SDKs' reference guide.
  FoundCredentials program(const std::string& name, const std::string& command) const {
    const auto words = split_command(command);
    if (!words) return refuse(name, "has a credential_process with a quote without end");
    const auto output = run_command(*words, kMostTime, sending_.stop);
    if (!output) {
      return core::Error(output.error().code(),
                         "credential_process of profile " + name + ": " + output.error().message());
    }
    const auto document = core::Json::parse(*output);
    const auto* const version = document ? document->find("Version") : nullptr;
    if (version == nullptr || !version->is_integer() || version->as_int64() != 1) {
      return refuse(name, "has a credential_process that does not give version 1 of its format");
    }
    TRY_ASSIGN(auto found, read_credentials_json(*output));
    return std::optional(std::move(found));
  }

  const Environment& environment_;
  const Sending& sending_;
  std::vector<std::string> visited_;
};

}  // namespace

FoundCredentials credentials_from_files(const Environment& environment, const Sending& sending) {
  const auto name = profile_name(environment);
  TRY_ASSIGN(auto found, ProfileWalk(environment, sending).find(name));
  if (!found && environment("AWS_PROFILE")) {
    return core::Error(core::ErrorCode::kInvalidArgument, "profile " + name + " has no keys");
  }
  return found;
}

}  // namespace icefield::object_store
