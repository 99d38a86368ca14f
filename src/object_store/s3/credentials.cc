#include "object_store/s3/credentials.h"

#include <chrono>
#include <utility>

#include "core/text.h"
#include "object_store/s3/credential_sources.h"

namespace icefield::object_store {
namespace {

constexpr std::chrono::minutes kFetchedAnewBefore{5};
constexpr std::chrono::minutes kStillUsable{1};
constexpr std::chrono::seconds kPauseAfterFailure{30};  // while those that are kept are still good

}  // namespace

std::ostream& operator<<(std::ostream& out, const Credentials& credentials) {
  return out << "Credentials(" << credentials.access_key.substr(0, 4) << "...)";
}

std::vector<CredentialSource> credential_chain(const Environment& environment,
                                               const Sending& sending) {
  return {
      {"environment variables", [=] { return credentials_from_variables(environment); }},
      {"web identity", [=] { return credentials_from_web_identity(environment, sending); }},
      {"shared files", [=] { return credentials_from_files(environment, sending); }},
      {"container endpoint", [=] { return credentials_from_container(environment, sending); }},
      {"instance metadata", [=] { return credentials_from_instance(environment, sending); }},
  };
}

core::Result<Credentials> CredentialKeeper::get(core::Instant now) {
  const std::lock_guard lock(mutex_);
  if (kept_ && (!kept_->expires || *kept_->expires - now > kFetchedAnewBefore)) return *kept_;
  const bool usable = kept_ && *kept_->expires - now > kStillUsable;
  if (usable && now < not_before_) return *kept_;
  std::vector<std::string> asked;
  for (const auto& source : sources_) {
    auto found = source.fetch();
    if (!found) {
      not_before_ = now + kPauseAfterFailure;
      if (usable) return *kept_;
      return std::move(found).error().within("credentials from " + source.name);
    }
    if (*found) {
      kept_ = **std::move(found);
      return *kept_;
    }
    asked.push_back(source.name);
  }
  return core::Error(core::ErrorCode::kPermissionDenied,
                     "no credentials found in " + core::join(asked, ", ") +
                         " (instance metadata is asked only with AWS_EC2_METADATA_DISABLED=false; "
                         "for a public bucket ask for anonymous access)");
}

void CredentialKeeper::forget() {
  const std::lock_guard lock(mutex_);
  kept_.reset();
}

}  // namespace icefield::object_store
