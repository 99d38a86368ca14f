#pragma once

#include <ostream>
#include <string>

#include "core/bytes.h"
#include "core/result.h"
#include "object_store/internal/environment.h"

namespace icefield::object_store {

/// Who asks when neither a key nor a signature is given: an identity that a token service knows.
struct AzureIdentity {
  enum class Kind {
    kNone,        // nobody: anonymous
    kWorkload,    // a pod's, by the token in `token_file`
    kSecret,      // an application's, by `secret`
    kAppService,  // the one of the app or container, told by `service` for `secret`
    kMetadata,    // the machine's, told by the metadata service at `service`
  } kind = Kind::kNone;
  std::string service = {};  // URL without '/' at the end; of the first two: the authority
  std::string tenant = {};
  std::string client = {};  // empty: the one that the machine has
  std::string secret = {};
  std::string token_file = {};
};

/// Where a container is and who asks: by key, else by signature, else by identity.
struct AzureSettings {
  std::string account;
  std::string container;
  std::string endpoint;    // "https://account.blob.core.windows.net", without '/' at the end
  core::Bytes key = {};    // shared key
  std::string token = {};  // shared access signature, a query without '?'
  AzureIdentity identity = {};
};

/// Settings by the variables that Azure's tools share. A variable prevails over a part of the
/// connection string.
///
///   AZURE_STORAGE_ACCOUNT_NAME, AZURE_STORAGE_ACCOUNT   the account
///   AZURE_STORAGE_ENDPOINT                              instead of Azure's own
///   AZURE_STORAGE_ACCOUNT_KEY, AZURE_STORAGE_KEY        shared key
///   AZURE_STORAGE_SAS_TOKEN                             shared access signature
///   AZURE_STORAGE_CONNECTION_STRING                     the four above in one
///   AZURE_STORAGE_USE_EMULATOR=true                     azurite on this machine, or at
///                                                       AZURITE_BLOB_STORAGE_URL
///   AZURE_CLIENT_ID, AZURE_TENANT_ID with AZURE_FEDERATED_TOKEN_FILE or AZURE_CLIENT_SECRET, at
///   AZURE_AUTHORITY_HOST; IDENTITY_ENDPOINT with IDENTITY_HEADER;
///   AZURE_POD_IDENTITY_AUTHORITY_HOST (the metadata service; no other is ever asked)
///
/// `anonymous`: account, endpoint and nothing else is read.
/// Errors: kInvalidArgument, never with a secret.
core::Result<AzureSettings> azure_settings(std::string container, const Environment& environment,
                                           bool anonymous = false);

/// "AzureSettings(account/container, shared key)": never a key, signature or secret.
std::ostream& operator<<(std::ostream& out, const AzureSettings& settings);

}  // namespace icefield::object_store
