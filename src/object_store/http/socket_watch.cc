#include "object_store/http/socket_watch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <mutex>

#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace icefield::object_store {
namespace {

int on_socket(CURL* /*easy*/, curl_socket_t socket, int what, void* user, void* /*known*/) {
  static_cast<SocketWatch*>(user)->watch(socket, what);
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
  ::close(waker_);
  ::close(epoll_);
}

SocketWatch::Interest& SocketWatch::interest(int socket) {
  const auto at = static_cast<std::size_t>(socket);
  if (at >= interests_.size()) interests_.resize(at + 1);
  return interests_[at];
}

void SocketWatch::opened(int socket) {
  interest(socket) = {.kept = true};
}

void SocketWatch::closed(int socket) {
  interest(socket) = {};
}

void SocketWatch::watch(int socket, int what) {
  auto& state = interest(socket);
  state.wanted = 0;
  if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) state.wanted |= EPOLLIN;
  if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) state.wanted |= EPOLLOUT;
  if (state.wanted == state.registered || (state.wanted == 0 && state.kept)) return;
  change(socket, state);
}

// Makes epoll tell what curl wants.
void SocketWatch::change(int socket, Interest& state) {
  epoll_event event{};
  event.events = state.wanted;
  event.data.fd = socket;
  if (state.wanted == 0) {
    ::epoll_ctl(epoll_, EPOLL_CTL_DEL, socket, nullptr);
  } else if (state.registered != 0 || ::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) != 0) {
    ::epoll_ctl(epoll_, EPOLL_CTL_MOD, socket, &event);
  }
  state.registered = state.wanted;
}

void SocketWatch::set_timer(long milliseconds) {
  timer_set_ = milliseconds >= 0;
  timer_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
}

void SocketWatch::wake() {
  if (!asleep_.exchange(false)) return;
  const std::uint64_t one = 1;
  static_cast<void>(::write(waker_, &one, sizeof(one)));
}

void SocketWatch::act(int socket, std::uint32_t events) {
  auto& state = interest(socket);
  if (state.wanted == 0) {  // of a kept connection: the other side ended it, curl will notice
    change(socket, state);
    return;
  }
  int mask = 0;
  if ((events & EPOLLIN) != 0) mask |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) mask |= CURL_CSELECT_OUT;
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) mask |= CURL_CSELECT_ERR;
  int running = 0;
  curl_multi_socket_action(static_cast<CURLM*>(multi_), socket, mask, &running);
}

void SocketWatch::run_timer() {
  if (!timer_set_ || std::chrono::steady_clock::now() < timer_) return;
  timer_set_ = false;
  int running = 0;
  curl_multi_socket_action(static_cast<CURLM*>(multi_), CURL_SOCKET_TIMEOUT, 0, &running);
}

void SocketWatch::begin(std::chrono::steady_clock::time_point latest) {
  run_timer();
  if (sleeps_until_ > latest || (timer_set_ && sleeps_until_ > timer_)) wake();
}

void SocketWatch::run_once(std::chrono::milliseconds most, std::unique_lock<std::mutex>& lock,
                           const std::function<bool()>& anything_new) {
  const auto now = std::chrono::steady_clock::now();
  if (timer_set_) {
    most = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(timer_ - now),
                      std::chrono::milliseconds(0), most);
  }
  sleeps_until_ = now + most;
  asleep_ = true;
  if (anything_new()) most = std::chrono::milliseconds(0);
  std::array<epoll_event, 64> events{};
  lock.unlock();
  const int ready = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()),
                                 static_cast<int>(most.count()));
  asleep_ = false;
  lock.lock();
  for (int i = 0; i < ready; ++i) {
    const auto& event = events[static_cast<std::size_t>(i)];
    if (event.data.fd == waker_) {
      std::uint64_t count = 0;
      static_cast<void>(::read(waker_, &count, sizeof(count)));
    } else {
      act(event.data.fd, event.events);
    }
  }
  run_timer();
}

}  // namespace icefield::object_store
