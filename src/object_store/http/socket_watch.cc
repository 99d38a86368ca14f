#include "object_store/http/socket_watch.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace icefield::object_store {
namespace {

int on_socket(CURL* /*easy*/, curl_socket_t socket, int what, void* user, void* known) {
  static_cast<SocketWatch*>(user)->watch(socket, what, known != nullptr);
  return 0;
}

int on_timer(CURLM* /*multi*/, long milliseconds, void* user) {
  static_cast<SocketWatch*>(user)->set_timer(milliseconds);
  return 0;
}

}  // namespace

SocketWatch::SocketWatch(void* multi)
    : multi_(multi),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      waker_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = waker_;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, waker_, &event);
  auto* const handle = static_cast<CURLM*>(multi_);
  curl_multi_setopt(handle, CURLMOPT_SOCKETFUNCTION, on_socket);
  curl_multi_setopt(handle, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(handle, CURLMOPT_TIMERFUNCTION, on_timer);
  curl_multi_setopt(handle, CURLMOPT_TIMERDATA, this);
}

SocketWatch::~SocketWatch() {
  // curl closes its kept connections later, when nobody watches any more
  curl_multi_setopt(static_cast<CURLM*>(multi_), CURLMOPT_SOCKETFUNCTION, nullptr);
  curl_multi_setopt(static_cast<CURLM*>(multi_), CURLMOPT_TIMERFUNCTION, nullptr);
  ::close(waker_);
  ::close(epoll_);
}

void SocketWatch::watch(int socket, int what, bool known) {
  if (what == CURL_POLL_REMOVE) {
    ::epoll_ctl(epoll_, EPOLL_CTL_DEL, socket, nullptr);
    return;
  }
  epoll_event event{};
  if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) event.events |= EPOLLIN;
  if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) event.events |= EPOLLOUT;
  event.data.fd = socket;
  if (known) {
    ::epoll_ctl(epoll_, EPOLL_CTL_MOD, socket, &event);
    return;
  }
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
  curl_multi_assign(static_cast<CURLM*>(multi_), socket, this);
}

void SocketWatch::set_timer(long milliseconds) {
  timer_set_ = milliseconds >= 0;
  timer_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
}

void SocketWatch::wake() const {
  const std::uint64_t one = 1;
  static_cast<void>(::write(waker_, &one, sizeof(one)));
}

void SocketWatch::run_once(std::chrono::milliseconds most) {
  if (timer_set_) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(timer_ - std::chrono::steady_clock::now());
    most = std::clamp(left, std::chrono::milliseconds(0), most);
  }
  std::array<epoll_event, 64> events{};
  const int ready = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()),
                                 static_cast<int>(most.count()));
  int running = 0;
  auto* const multi = static_cast<CURLM*>(multi_);
  for (int i = 0; i < ready; ++i) {
    const auto& event = events[static_cast<std::size_t>(i)];
    if (event.data.fd == waker_) {
      std::uint64_t count = 0;
      static_cast<void>(::read(waker_, &count, sizeof(count)));
      continue;
    }
    int mask = 0;
    if ((event.events & EPOLLIN) != 0) mask |= CURL_CSELECT_IN;
    if ((event.events & EPOLLOUT) != 0) mask |= CURL_CSELECT_OUT;
    if ((event.events & (EPOLLERR | EPOLLHUP)) != 0) mask |= CURL_CSELECT_ERR;
    curl_multi_socket_action(multi, event.data.fd, mask, &running);
  }
  if (timer_set_ && std::chrono::steady_clock::now() >= timer_) {
    timer_set_ = false;
    curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
  }
}

}  // namespace icefield::object_store
