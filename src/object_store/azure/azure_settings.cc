#include "object_store/azure/azure_settings.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/text.h"
#include "object_store/http/url.h"
#include "object_store/internal/digest.h"

namespace icefield::object_store {
namespace {

// The emulator's account and key are the same everywhere and published with it.
constexpr const char* kEmulatorAccount = "devstoreaccount1";
constexpr const char* kEmulatorKey =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

core::Error unusable(const std::string& why) {
  return {core::ErrorCode::kInvalidArgument, why};
}

/// "AccountName=a;AccountKey=b=="
using Parts = std::map<std::string, std::string, std::less<>>;

Parts read_connection_string(const std::string& text) {
  Parts parts;
  for (const auto& part : core::split(text, ';')) {
    const auto equals = part.find('=');
    if (equals != std::string::npos) parts[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return parts;
}

/// Values by the variables, then by the parts of the connection string.
class Given {
 public:
  Given(const Environment& environment, bool anonymous)
      : environment_(environment), anonymous_(anonymous) {
    if (const auto text = environment("AZURE_STORAGE_CONNECTION_STRING")) {
      parts_ = read_connection_string(*text);
    }
    if (is_true(environment("AZURE_STORAGE_USE_EMULATOR")) ||
        is_true(part("UseDevelopmentStorage"))) {
      const auto base = environment("AZURITE_BLOB_STORAGE_URL").value_or("http://127.0.0.1:10000");
      parts_.try_emplace("AccountName", kEmulatorAccount);
      parts_.try_emplace("AccountKey", kEmulatorKey);
      parts_.try_emplace("BlobEndpoint", base + "/" + parts_["AccountName"]);
    }
  }

  std::string account() const {
    return first({"AZURE_STORAGE_ACCOUNT_NAME", "AZURE_STORAGE_ACCOUNT"}, "AccountName");
  }
  std::string key() const {
    return anonymous_ ? ""
                      : first({"AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_KEY"}, "AccountKey");
  }
  std::string signature() const {
    return anonymous_ ? "" : first({"AZURE_STORAGE_SAS_TOKEN"}, "SharedAccessSignature");
  }
  std::string endpoint(const std::string& account) const {
    auto said = first({"AZURE_STORAGE_ENDPOINT"}, "BlobEndpoint");
    if (!said.empty()) return said;
    return part("DefaultEndpointsProtocol").value_or("https") + "://" + account + ".blob." +
           part("EndpointSuffix").value_or("core.windows.net");
  }

 private:
  std::optional<std::string> part(std::string_view name) const {
    const auto at = parts_.find(name);
    return at == parts_.end() || at->second.empty() ? std::nullopt : std::optional(at->second);
  }
  std::string first(std::initializer_list<const char*> variables, const char* name) const {
    for (const auto* variable : variables) {
      if (auto value = environment_(variable)) return *std::move(value);
    }
    return part(name).value_or("");
  }

  const Environment& environment_;
  bool anonymous_;
  Parts parts_;
};

std::string without_slash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

core::Result<AzureIdentity> identity_of(const Environment& environment) {
  using Kind = AzureIdentity::Kind;
  AzureIdentity identity;
  const auto tenant = environment("AZURE_TENANT_ID");
  const auto client = environment("AZURE_CLIENT_ID");
  const auto file = environment("AZURE_FEDERATED_TOKEN_FILE");
  const auto secret = environment("AZURE_CLIENT_SECRET");
  identity.client = client.value_or("");
  if (tenant && client && (file || secret)) {
    identity.kind = secret ? Kind::kSecret : Kind::kWorkload;
    identity.tenant = *tenant;
    identity.service = without_slash(
        environment("AZURE_AUTHORITY_HOST").value_or("https://login.microsoftonline.com"));
    if (identity.service.find("://") == std::string::npos) identity.service.insert(0, "https://");
    identity.secret = secret.value_or("");
    identity.token_file = file.value_or("");
  } else if (const auto endpoint = environment("IDENTITY_ENDPOINT")) {
    identity.kind = Kind::kAppService;
    identity.service = without_slash(*endpoint);
    identity.secret = environment("IDENTITY_HEADER").value_or("");
  } else if (const auto host = environment("AZURE_POD_IDENTITY_AUTHORITY_HOST")) {
    identity.kind = Kind::kMetadata;
    identity.service = without_slash(*host);
  }
  if (identity.kind != Kind::kNone) TRY(parse_url(identity.service));
  return identity;
}

}  // namespace

core::Result<AzureSettings> azure_settings(std::string container, const Environment& environment,
                                           bool anonymous) {
  const bool can_exist =
      container.size() >= 3 && container.size() <= 63 && std::ranges::all_of(container, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '$';
      });
  if (!can_exist) return unusable("'" + container + "' is no container name");
  const Given given(environment, anonymous);
  AzureSettings settings{.account = given.account(),
                         .container = std::move(container),
                         .endpoint = without_slash(given.endpoint(given.account()))};
  if (settings.account.empty()) return unusable("AZURE_STORAGE_ACCOUNT_NAME is not set");
  TRY_ASSIGN(const auto url, parse_url(settings.endpoint));
  if (!url.query.empty()) return unusable("an Azure endpoint has no query");
  if (const auto key = given.key(); !key.empty()) {
    auto decoded = decode_base64(key);
    if (!decoded) return unusable("the Azure account's key is not base64");
    settings.key = *std::move(decoded);
  } else if (auto token = given.signature(); !token.empty()) {
    settings.token = token.starts_with('?') ? token.substr(1) : std::move(token);
  } else if (!anonymous) {
    TRY_ASSIGN(settings.identity, identity_of(environment));
  }
  return settings;
}

std::ostream& operator<<(std::ostream& out, const AzureSettings& settings) {
  out << "AzureSettings(" << settings.account << "/" << settings.container << ", ";
  if (!settings.key.empty()) return out << "shared key)";
  if (!settings.token.empty()) return out << "signature)";
  return out << (settings.identity.kind == AzureIdentity::Kind::kNone ? "anonymous)" : "identity)");
}

}  // namespace icefield::object_store
