#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "object_store/http/retry.h"
#include "object_store/internal/environment.h"
#include "object_store/internal/expiring.h"

namespace icefield::object_store {

/// What requests are signed with. Printed without its secrets.
struct Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token;             // empty for long-lived keys
  std::optional<core::Instant> expires;  // unset: never
};

/// "Credentials(AKIA...)": never the secret or the token.
std::ostream& operator<<(std::ostream& out, const Credentials& credentials);

/// One place where credentials may be found. `fetch` gives nullopt when the place is not set up
/// (the next is asked) and an Error when it is set up but fails (nothing else is asked then).
struct CredentialSource {
  std::string name;  // for messages
  std::function<core::Result<std::optional<Credentials>>()> fetch;
};

/// The places, in the order they are asked: environment variables, web identity token (the way a
/// pod gets them), shared credentials and config files (keys, roles, programs), container endpoint.
/// Instance metadata is
/// the last, and only asked when the environment says so: AWS_EC2_METADATA_SERVICE_ENDPOINT is set
/// or AWS_EC2_METADATA_DISABLED is "false". Nothing is contacted before the first use.
std::vector<CredentialSource> credential_chain(const Environment& environment,
                                               const Sending& sending);

/// The first source that has credentials, kept and fetched again before they expire. Thread-safe;
/// one fetch at a time.
class CredentialKeeper {
 public:
  explicit CredentialKeeper(std::vector<CredentialSource> sources) : sources_(std::move(sources)) {}

  /// Credentials that stay valid for at least a minute. Errors: kPermissionDenied when no place has
  /// any, naming the places; those of the source.
  core::Result<Credentials> get(core::Instant now);

  /// Forgets what is kept: the service has refused it as expired.
  void forget() { kept_.forget(); }

 private:
  std::vector<CredentialSource> sources_;
  Expiring<Credentials> kept_;
};

}  // namespace icefield::object_store
