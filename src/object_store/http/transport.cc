#include "object_store/http/transport.h"

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <curl/curl.h>
#include <unistd.h>

#include "object_store/http/easy_handle.h"
#include "object_store/http/socket_watch.h"
#include "object_store/http/transfer.h"
#include "object_store/http/url.h"

namespace icefield::object_store {
namespace {

constexpr std::chrono::milliseconds kTick{50};  // how often deadlines and cancellations are checked
constexpr std::chrono::milliseconds kIdle{1000};
constexpr std::size_t kDefaultPerHost = 64;
constexpr long kKeptConnections = 512;

struct CleanEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct CleanMulti {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};

std::chrono::microseconds since(SteadyTime began, SteadyTime now) {
  return std::chrono::duration_cast<std::chrono::microseconds>(now - began);
}

}  // namespace

/// The thread and what belongs to it.
class Transport::Loop {
 public:
  explicit Loop(std::size_t most_per_host) : most_per_host_(most_per_host) {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    multi_.reset(curl_multi_init());
    curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, kKeptConnections);
    watch_ = std::make_unique<SocketWatch>(multi_.get());
    thread_ = std::jthread([this] { run(); });
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() {
    quit_ = true;
    wake();
  }

  void submit(std::span<Transfer> transfers) {
    {
      const std::lock_guard lock(mutex_);
      for (auto& transfer : transfers) inbox_.push_back(&transfer);
    }
    wake();
  }

  void wake() const { watch_->wake(); }

  void count_retry(const std::string& origin) {
    const std::lock_guard lock(mutex_);
    gate(origin).retried();
  }

  std::vector<HostTraffic> traffic() const {
    const std::lock_guard lock(mutex_);
    std::vector<HostTraffic> all;
    for (const auto& [origin, gate] : gates_) all.push_back(gate.traffic());
    return all;
  }

 private:
  void run() {
    auto next_check = std::chrono::steady_clock::now();
    while (!quit_) {
      start_what_may();
      const bool idle = active_.empty() && waiting_.empty();
      watch_->run_once(idle ? kIdle : kTick);
      finish_what_is_done();
      const auto now = std::chrono::steady_clock::now();
      if (now < next_check) continue;
      end_what_is_overdue(now);
      next_check = now + kTick;
    }
  }

  // Precondition: mutex_ is held.
  HostGate& gate(const std::string& origin) {
    return gates_.try_emplace(origin, origin, most_per_host_).first->second;
  }

  void start_what_may() {
    const std::lock_guard lock(mutex_);
    for (; !inbox_.empty(); inbox_.pop_front())
      waiting_[inbox_.front()->origin].push_back(inbox_.front());
    const auto now = std::chrono::steady_clock::now();
    for (auto it = waiting_.begin(); it != waiting_.end();) {
      auto& [origin, queue] = *it;
      auto& host = gate(origin);
      while (!queue.empty() && (queue.front()->stop->stop_requested() || host.may_start(now))) {
        start(*queue.front(), host, now);
        queue.pop_front();
      }
      it = queue.empty() ? waiting_.erase(it) : std::next(it);
    }
  }

  // Precondition: mutex_ is held.
  void start(Transfer& transfer, HostGate& host, SteadyTime now) {
    if (transfer.stop->stop_requested()) {
      transfer.failure = core::Error(core::ErrorCode::kCancelled, "cancelled");
      transfer.countdown->done();
      return;
    }
    transfer.gate = &host;
    transfer.began = transfer.window_began = now;
    host.started(transfer.request->body.size());
    if (spare_.empty()) {
      transfer.easy = curl_easy_init();
    } else {
      transfer.easy = spare_.back().release();
      spare_.pop_back();
    }
    if (transfer.easy == nullptr || !prepare_easy(transfer)) {
      host.failed({});
      transfer.failure = core::Error(core::ErrorCode::kUnavailable, "out of memory for a request");
      transfer.countdown->done();
      return;
    }
    curl_multi_add_handle(multi_.get(), transfer.easy);
    active_.push_back(&transfer);
  }

  void finish_what_is_done() {
    int left = 0;
    while (const CURLMsg* const message = curl_multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      char* user = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &user);
      auto& transfer = *reinterpret_cast<Transfer*>(user);  // NOLINT: curl gives back our pointer
      const auto code = message->data.result;
      if (code != CURLE_OK && !transfer.failure) transfer.failure = failure_of(transfer, code);
      finish(transfer);
    }
  }

  void end_what_is_overdue(SteadyTime now) {
    for (std::size_t i = 0; i < active_.size();) {
      auto& transfer = *active_[i];
      if (transfer.stop->stop_requested()) {
        transfer.failure = core::Error(core::ErrorCode::kCancelled, "cancelled");
      } else if (auto late = overdue(transfer, now)) {
        transfer.failure = std::move(late);
      }
      if (transfer.failure) {
        finish(transfer);  // takes it out of active_
      } else {
        ++i;
      }
    }
    const std::lock_guard lock(mutex_);
    for (auto& [origin, queue] : waiting_) {
      std::erase_if(queue, [](Transfer* transfer) {
        if (!transfer->stop->stop_requested()) return false;
        transfer->failure = core::Error(core::ErrorCode::kCancelled, "cancelled");
        transfer->countdown->done();
        return true;
      });
    }
  }

  // The transfer belongs to its caller again when this returns.
  void finish(Transfer& transfer) {
    const auto now = std::chrono::steady_clock::now();
    long status = 0;
    curl_easy_getinfo(transfer.easy, CURLINFO_RESPONSE_CODE, &status);
    transfer.response.status = static_cast<int>(status);
    curl_multi_remove_handle(multi_.get(), transfer.easy);
    release_easy(transfer);
    curl_easy_reset(transfer.easy);
    spare_.emplace_back(static_cast<CURL*>(transfer.easy));
    std::erase(active_, &transfer);
    {
      const std::lock_guard lock(mutex_);
      const auto took = since(transfer.began, now);
      if (transfer.failure) {
        transfer.gate->failed(took);
      } else {
        transfer.gate->answered(now, transfer.response.status, transfer.response.body.size(), took);
      }
    }
    transfer.countdown->done();
  }

  const std::size_t most_per_host_;
  std::unique_ptr<CURLM, CleanMulti> multi_;
  std::unique_ptr<SocketWatch> watch_;
  mutable std::mutex mutex_;  // guards inbox_ and gates_
  std::deque<Transfer*> inbox_;
  std::map<std::string, HostGate> gates_;

  // the thread's own
  std::map<std::string, std::deque<Transfer*>> waiting_;
  std::vector<Transfer*> active_;
  std::vector<std::unique_ptr<CURL, CleanEasy>> spare_;

  std::atomic<bool> quit_{false};
  std::jthread thread_;  // last: starts when everything else exists
};

Transport::Transport(std::size_t most_per_host) : loop_(std::make_unique<Loop>(most_per_host)) {}
Transport::~Transport() = default;

Transport& Transport::shared() {
  static std::mutex mutex;
  static std::unique_ptr<Transport> one;
  static pid_t owner = 0;
  const std::lock_guard lock(mutex);
  if (owner != ::getpid()) {
    // in a forked child the parent's thread does not exist: forget it without waiting for it
    static_cast<void>(one.release());  // NOLINT: leaked on purpose
    one = std::make_unique<Transport>(kDefaultPerHost);
    owner = ::getpid();
  }
  return *one;
}

std::vector<core::Result<HttpResponse>> Transport::send(std::span<const HttpRequest> requests,
                                                        const Deadlines& deadlines,
                                                        const std::stop_token& stop) {
  Countdown countdown(requests.size());
  std::vector<Transfer> transfers(requests.size());
  std::vector<core::Result<HttpResponse>> results;
  if (requests.empty()) return results;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto url = parse_url(requests[i].url);
    if (!url) return {requests.size(), core::Result<HttpResponse>(url.error())};
    transfers[i].request = &requests[i];
    transfers[i].deadlines = &deadlines;
    transfers[i].stop = &stop;
    transfers[i].countdown = &countdown;
    transfers[i].origin = url->origin();
  }
  loop_->submit(transfers);
  const std::stop_callback wake(stop, [this] { loop_->wake(); });
  countdown.wait();
  results.reserve(requests.size());
  for (auto& transfer : transfers) {
    if (transfer.failure) {
      results.emplace_back(*std::move(transfer.failure));
    } else {
      results.emplace_back(std::move(transfer.response));
    }
  }
  return results;
}

void Transport::count_retry(const std::string& url) {
  if (const auto parsed = parse_url(url)) loop_->count_retry(parsed->origin());
}

std::vector<HostTraffic> Transport::traffic() const {
  return loop_->traffic();
}

std::vector<HostTraffic> traffic() {
  return Transport::shared().traffic();
}

}  // namespace icefield::object_store
