#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/result.h"
#include "object_store/http/host_gate.h"
#include "object_store/http/http_message.h"
#include "object_store/http/transport.h"

namespace icefield::object_store {

/// Lets the caller of several transfers wait until the last of them is done. Shared by all of them:
/// the caller may be gone before the last notification returns.
class Countdown {
 public:
  explicit Countdown(std::size_t number) : left_(number) {}

  void done() {
    {
      const std::lock_guard lock(mutex_);
      if (--left_ != 0) return;
    }
    all_done_.notify_all();  // nobody who wakes finds the mutex taken
  }
  void wait() {
    std::unique_lock lock(mutex_);
    all_done_.wait(lock, [this] { return left_ == 0; });
  }

 private:
  std::mutex mutex_;  // guards left_
  std::condition_variable all_done_;
  std::size_t left_;
};

/// One attempt of one request: made by the caller, then the transport thread's alone until the
/// countdown says that it is done.
struct Transfer {
  const HttpRequest* request = nullptr;
  const Deadlines* deadlines = nullptr;
  const std::stop_token* stop = nullptr;
  std::shared_ptr<Countdown> countdown;
  std::string origin;
  std::optional<SteadyTime> repeat_until;  // set for a repetition: it may start until then

  HttpResponse response;
  std::optional<core::Error> failure;  // known before curl says it

  // state of the transport thread
  HostGate* gate = nullptr;
  std::size_t place = 0;  // among those under way
  void* easy = nullptr;
  std::shared_ptr<void> head_lines;  // which the easy handle refers to
  SteadyTime began;
  SteadyTime window_began;         // of the watch for stalls
  std::uint64_t moved = 0;         // body bytes received so far
  std::uint64_t window_moved = 0;  // bytes in both directions when the window began
  std::size_t header_bytes = 0;
  int sendings = 0;  // times curl has begun to send the request
};

}  // namespace icefield::object_store
