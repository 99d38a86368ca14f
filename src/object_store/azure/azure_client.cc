#include "object_store/azure/azure_client.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <utility>

#include "core/text.h"
#include "object_store/azure/azure_answers.h"
#include "object_store/internal/digest.h"
#include "object_store/internal/percent.h"

namespace icefield::object_store {
namespace {

constexpr const char* kServiceVersion = "2021-12-02";

std::string encoded_path(const std::string& key) {
  return "/" + percent_encode_segments(key);
}

}  // namespace

void sign_azure(HttpRequest& request, const AzureSettings& settings, const std::string& path,
                const Query& query, core::Timestamp now) {
  request.headers.push_back({"x-ms-date", format_http_date(now)});
  request.headers.push_back({"x-ms-version", kServiceVersion});
  if (settings.key.empty()) return;
  std::map<std::string, std::string> headers;
  for (const auto& [name, value] : request.headers) headers[name] = value;
  constexpr std::array<std::string_view, 11> kStandard = {"content-encoding",
                                                          "content-language",
                                                          "content-length",
                                                          "content-md5",
                                                          "content-type",
                                                          "date",
                                                          "if-modified-since",
                                                          "if-match",
                                                          "if-none-match",
                                                          "if-unmodified-since",
                                                          "range"};
  std::string to_sign = request.method + "\n";
  for (const auto name : kStandard) {
    if (name == "content-length") {
      if (!request.body.empty()) to_sign += std::to_string(request.body.size());
    } else if (const auto at = headers.find(std::string(name)); at != headers.end()) {
      to_sign += at->second;
    }
    to_sign += "\n";
  }
  for (const auto& [name, value] : headers) {
    if (name.starts_with("x-ms-")) to_sign += core::text(name, ":", value, "\n");
  }
  to_sign += "/" + settings.account + path;
  auto sorted = query;
  std::ranges::sort(sorted);
  for (const auto& [name, value] : sorted) to_sign += core::text("\n", name, ":", value);
  request.headers.push_back(
      {"authorization", core::text("SharedKey ", settings.account, ":",
                                   base64(hmac_sha256(settings.key, to_sign)))});
}

AzureClient::AzureClient(AzureSettings settings, Sending sending)
    : settings_(std::move(settings)), sending_(std::move(sending)) {
  const bool known = !settings_.key.empty() || !settings_.token.empty();
  if (!known && settings_.identity.kind != AzureIdentity::Kind::kNone) {
    tokens_ = std::make_unique<AzureTokens>(settings_.identity, sending_);
  }
}

core::Result<HttpRequest> AzureClient::request(const AzureCall& call) const {
  HttpRequest made{.method = call.method,
                   .url = settings_.endpoint + "/" + settings_.container,
                   .headers = call.headers,
                   .body = call.body,
                   .max_answer = call.max_answer};
  if (!call.key.empty()) made.url += encoded_path(call.key);
  const auto path = made.url.substr(made.url.find('/', made.url.find("://") + 3));
  auto query = encode_query(call.query);
  if (!settings_.token.empty()) query += (query.empty() ? "" : "&") + settings_.token;
  if (!query.empty()) made.url += "?" + query;
  const auto now = clock_.now();
  sign_azure(made, settings_, path, call.query, std::chrono::floor<std::chrono::seconds>(now));
  if (tokens_) {
    TRY_ASSIGN(const auto token, tokens_->get(now));
    made.headers.push_back({"authorization", "Bearer " + token});
  }
  return made;
}

Sent AzureClient::send(const AzureCall& call) const {
  auto was_ahead = clock_.ahead();
  const auto once = [&] {
    was_ahead = clock_.ahead();
    return send_retrying(sending_, [&](int /*attempt*/) { return request(call); });
  };
  return send_judged(sending_, once, [&](core::Result<HttpResponse>& answer) {
    return judge(call, was_ahead, answer);
  });
}

std::vector<Sent> AzureClient::send_all(std::span<const AzureCall> calls) const {
  auto was_ahead = clock_.ahead();
  return send_all_judged(
      calls.size(),
      [&](std::span<const std::size_t> items) {
        was_ahead = clock_.ahead();
        return send_all_retrying(sending_, items.size(), [&](std::size_t i, int /*attempt*/) {
          return request(calls[items[i]]);
        });
      },
      [&](std::size_t item, core::Result<HttpResponse>& answer) {
        return judge(calls[item], was_ahead, answer);
      },
      [&](std::size_t item) { return send(calls[item]); });
}

NextStep AzureClient::judge(const AzureCall& call, std::int64_t was_ahead,
                            core::Result<HttpResponse>& answer) const {
  if (!answer) return NextStep::kTake;
  const int status = answer->status;
  const auto object = name(call.key);
  if (status == 200 && call.whole) {
    const auto verified = verify_blob(object, *answer);
    if (verified) return NextStep::kTake;
    answer = verified.error();
    return NextStep::kAgainLater;
  }
  if (status == 401 && tokens_) {  // revoked before it expired
    tokens_->forget();
    return NextStep::kAgainNow;
  }
  if (status == 403)
    return clock_.set_by(*answer, was_ahead) ? NextStep::kAgainNow : NextStep::kTake;
  const bool damaged = status == 400 && azure_error_code(*answer) == "Md5Mismatch";
  if ((status != 409 || call.may_conflict) && !damaged) return NextStep::kTake;
  answer = core::Error(core::ErrorCode::kUnavailable, azure_error(object, *answer).message());
  return NextStep::kAgainLater;
}

}  // namespace icefield::object_store
