#include "object_store/s3/credentials.h"

#include <optional>
#include <utility>
#include <vector>

#include "core/text.h"
#include "object_store/s3/credential_sources.h"

namespace icefield::object_store {
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
  const auto fetch = [this]() -> core::Result<std::optional<Credentials>> {
    for (const auto& source : sources_) {
      auto found = source.fetch();
      if (!found) return std::move(found).error().within("credentials from " + source.name);
      if (*found) return found;
    }
    return std::optional<Credentials>();
  };
  TRY_ASSIGN(auto credentials, kept_.get(now, fetch));
  if (credentials) return *std::move(credentials);
  std::vector<std::string> asked;
  for (const auto& source : sources_) asked.push_back(source.name);
  return core::Error(core::ErrorCode::kPermissionDenied,
                     "no credentials found in " + core::join(asked, ", ") +
                         " (instance metadata is asked only with AWS_EC2_METADATA_DISABLED=false; "
                         "for a public bucket ask for anonymous access)");
}

}  // namespace icefield::object_store
