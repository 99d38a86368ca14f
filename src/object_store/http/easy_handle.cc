#include "object_store/http/easy_handle.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <utility>

#include <curl/curl.h>

#include "core/text.h"
#include "object_store/http/url.h"

namespace icefield::object_store {
namespace {

constexpr std::size_t kMaxHeaderBytes = 256U << 10U;
constexpr long kReceiveBuffer = 512L << 10U;

std::size_t take_body(const char* bytes, std::size_t /*one*/, std::size_t number, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  auto& body = transfer.response.body;
  if (number > transfer.request->max_answer - body.size()) {
    transfer.failure =
        core::Error(core::ErrorCode::kCorrupt, std::string(shown(transfer.request->url)) +
                                                   ": the answer is longer than asked for");
    return 0;
  }
  const auto part = core::as_bytes({bytes, number});
  body.insert(body.end(), part.begin(), part.end());
  transfer.moved += number;
  return number;
}

void reserve_body(Transfer& transfer, std::string_view length) {
  const auto promised = parse_number(length);
  // a promise is not trusted for more than a buffer that a lie could waste
  constexpr std::uint64_t kMostReserved = 256U << 20U;
  if (promised && transfer.request->method != "HEAD") {
    transfer.response.body.reserve(
        std::min({*promised, transfer.request->max_answer, kMostReserved}));
  }
}

std::size_t take_header(const char* bytes, std::size_t /*one*/, std::size_t number, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  std::string_view line(bytes, number);
  transfer.header_bytes += number;
  if (transfer.header_bytes > kMaxHeaderBytes) return 0;
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {  // an answer before the answer (100 Continue) is forgotten
    transfer.response.headers.clear();
    return number;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return number;
  std::string name(line.substr(0, colon));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  auto value = line.substr(colon + 1);
  while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
  while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
  if (name == "content-length") reserve_body(transfer, value);
  transfer.response.headers.push_back({std::move(name), std::string(value)});
  return number;
}

// curl sends again by itself when a kept connection breaks before any answer. For a write that
// would hide a doubt from those who must resolve it.
int before_sending(void* user, char* /*to*/, char* /*from*/, int /*to_port*/, int /*from_port*/) {
  auto& transfer = *static_cast<Transfer*>(user);
  const auto& method = transfer.request->method;
  if (++transfer.sendings == 1 || method == "GET" || method == "HEAD") return CURL_PREREQFUNC_OK;
  return CURL_PREREQFUNC_ABORT;
}

std::string certificate_file() {
  for (const auto* name : {"AWS_CA_BUNDLE", "SSL_CERT_FILE"}) {
    const char* const value = std::getenv(name);  // NOLINT: the environment is not written to
    if (value != nullptr && *value != '\0') return value;
  }
  return {};
}

std::uint64_t moved_bytes(const Transfer& transfer) {
  curl_off_t sent = 0;
  curl_easy_getinfo(transfer.easy, CURLINFO_SIZE_UPLOAD_T, &sent);
  return transfer.moved + transfer.header_bytes + static_cast<std::uint64_t>(sent);
}

void set_method(CURL* easy, const HttpRequest& request) {
  if (request.method == "HEAD") {
    curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    return;
  }
  if (request.method == "PUT" || request.method == "POST" || !request.body.empty()) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS,
                     request.body.empty() ? "" : core::as_text(request.body).data());
  }
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

curl_slist* header_list(const HttpRequest& request) {
  // "Expect:" and "Content-Type:" keep curl from adding its own
  curl_slist* list = curl_slist_append(nullptr, "Expect:");
  bool typed = false;
  for (const auto& [name, value] : request.headers) {
    typed = typed || name == "content-type" || name == "Content-Type";
    const auto line = value.empty() ? name + ";" : core::text(name, ": ", value);
    curl_slist* const longer = curl_slist_append(list, line.c_str());
    if (longer == nullptr) break;
    list = longer;
  }
  return typed ? list : curl_slist_append(list, "Content-Type:");
}

}  // namespace

bool prepare_easy(Transfer& transfer) {
  auto* const easy = static_cast<CURL*>(transfer.easy);
  static const std::string certificates = certificate_file();
  auto* const headers = header_list(*transfer.request);
  if (headers == nullptr) return false;
  transfer.header_list = headers;
  curl_easy_setopt(easy, CURLOPT_URL, transfer.request->url.c_str());
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, kReceiveBuffer);
  curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, kReceiveBuffer);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(transfer.deadlines->connect.count()));
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_sending);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "icefield");
  if (!certificates.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, certificates.c_str());
  set_method(easy, *transfer.request);
  return true;
}

void release_easy(Transfer& transfer) {
  curl_slist_free_all(static_cast<curl_slist*>(transfer.header_list));
  transfer.header_list = nullptr;
}

core::Error failure_of(const Transfer& transfer, int curl_code) {
  const auto code = [curl_code] {
    switch (curl_code) {
      case CURLE_COULDNT_RESOLVE_PROXY:
      case CURLE_COULDNT_RESOLVE_HOST:
      case CURLE_COULDNT_CONNECT:
      case CURLE_SSL_CONNECT_ERROR:
        return core::ErrorCode::kUnavailable;
      case CURLE_PEER_FAILED_VERIFICATION:
      case CURLE_SSL_CACERT_BADFILE:
        return core::ErrorCode::kPermissionDenied;
      case CURLE_PARTIAL_FILE:
        return core::ErrorCode::kCorrupt;
      case CURLE_URL_MALFORMAT:
      case CURLE_UNSUPPORTED_PROTOCOL:
        return core::ErrorCode::kInvalidArgument;
      default:
        return core::ErrorCode::kUnknownOutcome;
    }
  }();
  const bool broke = curl_code == CURLE_ABORTED_BY_CALLBACK && transfer.sendings > 1;
  double connected = 0;
  curl_easy_getinfo(transfer.easy, CURLINFO_CONNECT_TIME, &connected);
  const bool never_sent = curl_code == CURLE_OPERATION_TIMEDOUT && connected == 0;
  return {never_sent ? core::ErrorCode::kUnavailable : code,
          core::text(transfer.request->method, " ", shown(transfer.request->url), ": ",
                     broke ? "the connection broke before the answer"
                           : curl_easy_strerror(static_cast<CURLcode>(curl_code)))};
}

std::optional<core::Error> overdue(Transfer& transfer, SteadyTime now) {
  const auto late = [&transfer](std::string_view what) {
    return core::Error(
        core::ErrorCode::kUnknownOutcome,
        core::text(transfer.request->method, " ", shown(transfer.request->url), ": ", what));
  };
  const auto& limits = *transfer.deadlines;
  if (now - transfer.began > limits.total) return late("not finished within the total time limit");
  const auto moved = moved_bytes(transfer);
  curl_off_t sent = 0;
  curl_easy_getinfo(transfer.easy, CURLINFO_SIZE_UPLOAD_T, &sent);
  const bool waiting = transfer.header_bytes == 0 &&
                       static_cast<std::uint64_t>(sent) >= transfer.request->body.size();
  if (waiting) {  // nothing moves until the answer begins: only that limit counts
    if (transfer.window_moved != moved) {
      transfer.window_began = now;
      transfer.window_moved = moved;
    }
    if (now - transfer.window_began > limits.first_byte) return late("no answer in time");
    return std::nullopt;
  }
  if (moved - transfer.window_moved >= limits.stall_bytes) {
    transfer.window_began = now;
    transfer.window_moved = moved;
  } else if (now - transfer.window_began > limits.stall) {
    return late("stalled");
  }
  return std::nullopt;
}

}  // namespace icefield::object_store
