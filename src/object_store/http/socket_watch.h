#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace icefield::object_store {

/// The sockets and the timer of one curl multi handle, watched by epoll: a wake-up costs what is
/// ready, not what is under way. A socket stays registered while its connection is kept, so that
/// the next request on it costs no system call. One thread runs it; any thread may wake it.
class SocketWatch {
 public:
  /// `multi` (a CURLM handle) must end before the watch: it closes its kept connections last.
  explicit SocketWatch(void* multi);
  SocketWatch(const SocketWatch&) = delete;
  SocketWatch& operator=(const SocketWatch&) = delete;
  ~SocketWatch();

  /// Waits until a socket is ready, curl's timer is over, somebody wakes, or `most` has passed, and
  /// lets curl do what can be done. `lock`, of the mutex, is open during the wait. Does not wait
  /// when `anything_new` says, once the thread counts as asleep, that something came in.
  void run_once(std::chrono::milliseconds most, std::unique_lock<std::mutex>& lock,
                const std::function<bool()>& anything_new);

  /// Lets curl begin what was added, without waiting. Wakes the thread that waits when it would
  /// sleep past curl's timer, or past `latest`.
  void begin(std::chrono::steady_clock::time_point latest);

  /// Ends a wait that is going on, or the next one. Costs a system call only when one goes on.
  void wake();

  // What curl asks for; called from within run_once and when handles are added or removed.
  void watch(int socket, int what);
  void opened(int socket);  // it is a connection's, from now until closed
  void closed(int socket);
  void set_timer(long milliseconds);

 private:
  struct Interest {
    std::uint32_t wanted = 0;      // what curl asks for
    std::uint32_t registered = 0;  // what epoll tells
    bool kept = false;             // a connection's, which is told of when it closes
  };

  Interest& interest(int socket);
  void change(int socket, Interest& interest);
  void act(int socket, std::uint32_t events);
  void run_timer();

  void* multi_;
  int epoll_;
  int waker_;
  std::atomic<bool> asleep_{false};
  std::vector<Interest> interests_;  // by socket number
  bool timer_set_ = false;
  std::chrono::steady_clock::time_point timer_{};
  std::chrono::steady_clock::time_point sleeps_until_{};
};

}  // namespace icefield::object_store
