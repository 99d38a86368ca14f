#include "object_store/http/easy_handle.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <curl/curl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/text.h"
#include "object_store/http/url.h"

namespace icefield::object_store {
namespace {

constexpr std::size_t kMaxHeaderBytes = 256U << 10U;
// curl makes the buffer anew for each transfer; below 64 KiB that costs the allocator little, and
// far below it, next to nothing.
constexpr long kTinyBuffer = 8L << 10U;
constexpr long kSmallBuffer = 60L << 10U;
constexpr long kLargeBuffer = 512L << 10U;
constexpr std::uint64_t kLargeAnswer = std::uint64_t{1} << 20U;
constexpr std::size_t kUsualHeaders = 16;
// A promised length is not trusted for more than a buffer that a lie could waste.
constexpr std::uint64_t kMostReserved = 256U << 20U;

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
    transfer.response.headers.reserve(kUsualHeaders);
    return number;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return number;
  std::string name(line.substr(0, colon));
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
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

long buffer_for(const HttpRequest& request) {
  if (request.method != "GET" && request.method != "POST") return kTinyBuffer;
  const bool large = request.max_answer >= kLargeAnswer &&
                     request.max_answer <= kMostReserved;  // a range, not "any size"
  return large ? kLargeBuffer : kSmallBuffer;
}

void set_method(CURL* easy, const HttpRequest& request) {
  curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);  // forgets the request before
  if (request.method == "HEAD") {
    curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
  } else if (request.method == "PUT" || request.method == "POST" || !request.body.empty()) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS,
                     request.body.empty() ? "" : core::as_text(request.body).data());
  }
  const bool named = request.method != "GET" && request.method != "HEAD";
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, named ? request.method.c_str() : nullptr);
}

curl_socket_t open_socket(void* user, curlsocktype /*purpose*/, curl_sockaddr* address) {
  const int socket = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (socket < 0) return CURL_SOCKET_BAD;
  static_cast<SocketWatch*>(user)->opened(socket);
  return socket;
}

int close_socket(void* user, curl_socket_t socket) {
  static_cast<SocketWatch*>(user)->closed(socket);
  return ::close(socket);
}

/// The lines of a request's head that are not curl's own, as curl takes them.
class HeadLines {
 public:
  explicit HeadLines(const HttpRequest& request) {
    // these keep curl from adding its own
    static constexpr std::string_view kUnwanted[] = {"Expect:", "Accept:", "Content-Type:"};
    bool typed = false;
    std::size_t size = 0;
    for (const auto& [name, value] : request.headers) size += name.size() + value.size() + 3;
    for (const auto line : kUnwanted) size += line.size() + 1;
    text_.reserve(size);  // lines are pointed at: the text must not move
    nodes_.reserve(request.headers.size() + std::size(kUnwanted));
    for (const auto& [name, value] : request.headers) {
      typed = typed || name == "content-type" || name == "Content-Type";
      if (value.empty()) {
        add({name, ";"});
      } else {
        add({name, ": ", value});
      }
    }
    for (const auto line : kUnwanted) {
      if (!typed || !line.starts_with("Content")) add({line});
    }
  }
  curl_slist* first() { return nodes_.data(); }

 private:
  void add(std::initializer_list<std::string_view> parts) {
    nodes_.push_back({text_.data() + text_.size(), nullptr});
    for (const auto part : parts) text_ += part;
    text_ += '\0';
    if (nodes_.size() > 1) nodes_[nodes_.size() - 2].next = &nodes_.back();
  }

  std::string text_;
  std::vector<curl_slist> nodes_;
};

}  // namespace

void* make_easy(SocketWatch& watch) {
  static const std::string certificates = certificate_file();
  auto* const easy = curl_easy_init();
  if (easy == nullptr) return nullptr;
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, kLargeBuffer);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_sending);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &watch);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, &watch);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "icefield");
  if (!certificates.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, certificates.c_str());
  return easy;
}

void prepare_easy(Transfer& transfer) {
  auto* const easy = static_cast<CURL*>(transfer.easy);
  const auto head = std::make_shared<HeadLines>(*transfer.request);
  transfer.head_lines = head;
  curl_easy_setopt(easy, CURLOPT_URL, transfer.request->url.c_str());
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, head->first());
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(transfer.deadlines->connect.count()));
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, buffer_for(*transfer.request));
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
  set_method(easy, *transfer.request);
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
