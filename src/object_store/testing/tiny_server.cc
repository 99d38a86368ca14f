#include "object_store/testing/tiny_server.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/text.h"

namespace icefield::object_store_testing {
namespace {

constexpr int kLookForStop = 20;  // milliseconds

bool send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

// False when the other side has closed or `stop` was set.
bool receive_more(int connection, std::string& buffered, const std::atomic<bool>& stop) {
  while (!stop) {
    pollfd watched{.fd = connection, .events = POLLIN, .revents = 0};
    if (::poll(&watched, 1, kLookForStop) <= 0) continue;
    char bytes[65536];
    const auto got = ::recv(connection, bytes, sizeof(bytes), 0);
    if (got <= 0) return false;
    buffered.append(bytes, static_cast<std::size_t>(got));
    return true;
  }
  return false;
}

void read_head(std::string_view head, TinyRequest& request) {
  const auto lines = core::split(head, '\n');
  const auto words = core::split(lines.front(), ' ');
  request.method = words.at(0);
  request.target = words.size() > 1 ? words[1] : "";
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto colon = lines[i].find(':');
    if (colon == std::string::npos) continue;
    auto name = lines[i].substr(0, colon);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    auto value = lines[i].substr(colon + 1);
    value.erase(0, std::min(value.find_first_not_of(' '), value.size()));
    while (value.ends_with('\r')) value.pop_back();
    request.headers[name] = value;
  }
}

}  // namespace

TinyServer::TinyServer(std::function<TinyAnswer(const TinyRequest&)> answer)
    : answer_(std::move(answer)) {
  listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const plain = reinterpret_cast<sockaddr*>(&address);  // NOLINT: C interface
  socklen_t length = sizeof(address);
  ::bind(listening_, plain, length);
  ::listen(listening_, 128);
  ::getsockname(listening_, plain, &length);
  port_ = ntohs(address.sin_port);
  accepting_ = std::thread([this] { accept_all(); });
}

TinyServer::~TinyServer() {
  stop_ = true;
  accepting_.join();
  for (auto& thread : threads_) thread.join();
  ::close(listening_);
}

std::string TinyServer::url() const {
  return core::text("http://127.0.0.1:", port_);
}

void TinyServer::accept_all() {
  while (!stop_) {
    pollfd watched{.fd = listening_, .events = POLLIN, .revents = 0};
    if (::poll(&watched, 1, kLookForStop) <= 0) continue;
    const int connection = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    const int yes = 1;
    ::setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    ++connections_;
    const std::lock_guard lock(mutex_);
    threads_.emplace_back([this, connection] {
      serve(connection);
      ::close(connection);
    });
  }
}

void TinyServer::serve(int connection) {
  std::string buffered;
  for (TinyRequest request; read_request(connection, buffered, request); request = {}) {
    ++requests_;
    if (!give(connection, request, answer_(request))) return;
  }
}

bool TinyServer::read_request(int connection, std::string& buffered, TinyRequest& request) const {
  while (buffered.find("\r\n\r\n") == std::string::npos) {
    if (!receive_more(connection, buffered, stop_)) return false;
  }
  const auto end = buffered.find("\r\n\r\n");
  read_head(std::string_view(buffered).substr(0, end), request);
  buffered.erase(0, end + 4);
  std::size_t length = 0;
  const auto& told = request.headers["content-length"];
  std::from_chars(told.data(), told.data() + told.size(), length);
  while (buffered.size() < length) {
    if (!receive_more(connection, buffered, stop_)) return false;
  }
  request.body = buffered.substr(0, length);
  buffered.erase(0, length);
  return true;
}

bool TinyServer::give(int connection, const TinyRequest& request, const TinyAnswer& answer) const {
  if (answer.way == TinyAnswer::Way::kHangUp) return false;
  if (answer.way == TinyAnswer::Way::kSilence) {
    std::string ignored;
    while (receive_more(connection, ignored, stop_)) {
    }
    return false;
  }
  auto head = core::text("HTTP/1.1 ", answer.status, " x\r\n");
  for (const auto& [name, value] : answer.headers) head += name + ": " + value + "\r\n";
  if (answer.content_length) head += core::text("content-length: ", answer.body.size(), "\r\n");
  if (!send_all(connection, head + "\r\n")) return false;
  if (request.method == "HEAD" || answer.status == 304) return true;
  if (answer.way == TinyAnswer::Way::kCut) {
    send_all(connection, answer.body.substr(0, answer.body.size() / 2));
    return false;
  }
  if (answer.way == TinyAnswer::Way::kWhole) return send_all(connection, answer.body);
  for (std::size_t i = 0; i < answer.body.size() && !stop_; ++i) {
    if (!send_all(connection, answer.body.substr(i, 1))) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(kLookForStop));
  }
  return !stop_;
}

}  // namespace icefield::object_store_testing
