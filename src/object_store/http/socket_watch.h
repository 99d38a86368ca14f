#pragma once

#include <chrono>

namespace icefield::object_store {

/// The sockets and the timer of one curl multi handle, watched by epoll: a wake-up costs what is
/// ready, not what is under way. One thread runs it; any thread may wake it.
class SocketWatch {
 public:
  /// `multi` (a CURLM handle) must outlive the watch.
  explicit SocketWatch(void* multi);
  SocketWatch(const SocketWatch&) = delete;
  SocketWatch& operator=(const SocketWatch&) = delete;
  ~SocketWatch();

  /// Waits until a socket is ready, curl's timer is over, somebody wakes, or `most` has passed, and
  /// lets curl do what can be done.
  void run_once(std::chrono::milliseconds most);

  void wake() const;

  // What curl asks for; called from within run_once and when handles are added or removed.
  void watch(int socket, int what, bool known);
  void set_timer(long milliseconds);

 private:
  void* multi_;
  int epoll_;
  int waker_;
  bool timer_set_ = false;
  std::chrono::steady_clock::time_point timer_{};
};

}  // namespace icefield::object_store
