#include "object_store/internal/secret_fetch.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <utility>

#include "core/file.h"
#include "core/json.h"
#include "core/text.h"
#include "object_store/http/url.h"
#include "object_store/internal/judged_send.h"
#include "object_store/internal/xml.h"

namespace icefield::object_store {
namespace {

using namespace std::chrono_literals;

constexpr int kMostAttempts = 5;

Sending impatient(const Sending& sending) {
  auto made = sending;
  made.deadlines.connect = std::min<std::chrono::milliseconds>(made.deadlines.connect, 3s);
  made.deadlines.first_byte = std::min<std::chrono::milliseconds>(made.deadlines.first_byte, 10s);
  made.deadlines.total = std::min<std::chrono::milliseconds>(made.deadlines.total, 30s);
  made.retry.attempts = std::min(made.retry.attempts, kMostAttempts);
  made.retry.total = std::min<std::chrono::milliseconds>(made.retry.total, 60s);
  return made;
}

// A service's name for an error is a word; anything else might be a part of a secret.
std::string word(std::string_view text) {
  const bool is_word = text.size() <= 64 && std::ranges::all_of(text, [](unsigned char c) {
                         return std::isalpha(c) != 0 || c == '_' || c == '.';
                       });
  return is_word ? std::string(text) : std::string();
}

std::string reason(const HttpResponse& answer) {
  constexpr std::size_t kMostRead = 64U << 10U;
  if (answer.body.size() > kMostRead) return {};
  const auto text = core::as_text(answer.body);
  if (const auto json = core::Json::parse(text)) {
    const auto* const error = json->find("error");
    return error != nullptr && error->is_string() ? word(error->as_string()) : std::string();
  }
  const auto xml = parse_xml(text);
  const auto* const error = xml ? xml->child("Error") : nullptr;
  return error != nullptr ? word(error->text_of("Code")) : std::string();
}

}  // namespace

core::Result<HttpResponse> ask_for_secret(const Sending& sending, const MakeRequest& make) {
  const auto patient = impatient(sending);
  int attempt = 0;
  const auto once = [&]() -> Sent {
    auto request = make(attempt++);
    if (!request) return {std::move(request).error(), 1, false};
    auto answers = patient.transport->send({&*request, 1}, patient.deadlines, patient.stop);
    auto& answer = answers.front();
    if (answer && worth_retrying(answer)) {
      const auto url = parse_url(request->url);
      return {core::Error(core::ErrorCode::kUnavailable,
                          core::text(url ? url->origin() : std::string(), " answered with status ",
                                     answer->status, " (", attempt, " attempts)")),
              1, false};
    }
    return {std::move(answer), 1, false};
  };
  return send_judged(patient, once,
                     [](core::Result<HttpResponse>& answer) {
                       return worth_retrying(answer) ? NextStep::kAgainLater : NextStep::kTake;
                     })
      .answer;
}

core::Result<std::string> secret_text(const std::string& url, const HttpResponse& answer) {
  if (answer.status == 200) return std::string(core::as_text(answer.body));
  TRY_ASSIGN(const auto parsed, parse_url(url));
  const auto why = reason(answer);
  return core::Error(core::ErrorCode::kPermissionDenied,
                     core::text(parsed.origin(), " answered with status ", answer.status,
                                why.empty() ? "" : " ", why));
}

core::Result<std::string> fetch_secret(const Sending& sending, const HttpRequest& request) {
  TRY_ASSIGN(const auto answer,
             ask_for_secret(sending, [&request](int /*attempt*/) { return request; }));
  return secret_text(request.url, answer);
}

core::Result<std::string> read_token_file(const std::string& path) {
  TRY_ASSIGN(const auto bytes, core::read_file(path));
  std::string text(core::as_text(bytes));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

}  // namespace icefield::object_store
