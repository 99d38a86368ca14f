#include "object_store/http/transport.h"

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <curl/curl.h>
#include <unistd.h>

#include "core/text.h"
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
constexpr std::size_t kFew = 8;

struct CleanEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct CleanMulti {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};

CURLM* make_multi() {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  return curl_multi_init();
}

std::chrono::microseconds since(SteadyTime began, SteadyTime now) {
  return std::chrono::duration_cast<std::chrono::microseconds>(now - began);
}

}  // namespace

/// The thread and what belongs to it.
class Transport::Loop {
 public:
  explicit Loop(std::size_t most_per_host)
      : most_per_host_(most_per_host), multi_(make_multi()), watch_(multi_.get()) {
    curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, kKeptConnections);
    thread_ = std::jthread([this] { run(); });
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() {
    quit_ = true;
    anything_new_ = true;
    watch_.wake();
    thread_.join();
    for (auto& easy : spare_) easy.reset();
    multi_.reset();  // closes connections, which the watch is told
  }

  void submit(std::span<Transfer> transfers) {
    {
      const std::lock_guard lock(inbox_mutex_);
      for (auto& transfer : transfers) inbox_.push_back(&transfer);
      anything_new_ = true;
    }
    // While the thread sleeps, the caller's own can begin: that saves waking the other for it.
    // Among many the thread is soon awake, and would wait for the mutex.
    if (under_way_ > kFew) return watch_.wake();
    const std::unique_lock curl(curl_mutex_, std::try_to_lock);
    if (!curl.owns_lock()) return watch_.wake();
    take_inbox();
    start_what_may();
    watch_.begin(std::chrono::steady_clock::now() + kTick);
    finish_what_is_done();
  }

  /// Somebody's stop was requested.
  void look_for_stops() {
    stops_ = true;
    anything_new_ = true;
    watch_.wake();
  }

  std::vector<HostTraffic> traffic() const {
    const std::lock_guard lock(gates_mutex_);
    std::vector<HostTraffic> all;
    for (const auto& [origin, host] : hosts_) all.push_back(host.gate.traffic());
    return all;
  }

 private:
  /// What waits for one host.
  struct Host {
    HostGate gate;
    std::deque<Transfer*> first;        // attempts
    std::deque<Transfer*> repetitions;  // which wait for their budget too
  };

  void run() {
    std::unique_lock curl(curl_mutex_);
    auto next_check = std::chrono::steady_clock::now();
    while (!quit_) {
      take_inbox();
      const bool waiting = start_what_may();
      watch_.run_once(active_.empty() && !waiting ? kIdle : kTick, curl,
                      [this] { return anything_new_.load(); });
      finish_what_is_done();
      const auto now = std::chrono::steady_clock::now();
      if (now < next_check && !stops_.exchange(false)) continue;
      end_what_is_overdue(now);
      next_check = now + kTick;
    }
  }

  void take_inbox() {
    if (!anything_new_) return;
    std::vector<Transfer*> taken;
    {
      const std::lock_guard lock(inbox_mutex_);
      anything_new_ = false;
      taken.swap(inbox_);
    }
    const std::lock_guard lock(gates_mutex_);
    for (auto* const transfer : taken) {
      auto found = hosts_.find(transfer->origin);
      if (found == hosts_.end()) {
        found = hosts_.emplace(transfer->origin, Host{{transfer->origin, most_per_host_}, {}, {}})
                    .first;
      }
      auto& host = found->second;
      transfer->gate = &host.gate;
      (transfer->repeat_until ? host.repetitions : host.first).push_back(transfer);
    }
  }

  // True when some still wait.
  bool start_what_may() {
    bool waiting = false;
    const auto now = std::chrono::steady_clock::now();
    const std::lock_guard lock(gates_mutex_);
    for (auto& [origin, host] : hosts_) {
      while (!host.repetitions.empty() && host.gate.may_start(now) && host.gate.may_repeat(now)) {
        start(*host.repetitions.front(), now);
        host.repetitions.pop_front();
      }
      while (!host.first.empty() && host.gate.may_start(now)) {
        start(*host.first.front(), now);
        host.first.pop_front();
      }
      waiting = waiting || !host.first.empty() || !host.repetitions.empty();
    }
    return waiting;
  }

  static void fail(Transfer& transfer, core::Error error) {
    transfer.failure = std::move(error);
    give_back(transfer);
  }

  // The transfer is its caller's from here on, and may be gone.
  static void give_back(Transfer& transfer) {
    const auto countdown = std::move(transfer.countdown);
    countdown->done();
  }

  static core::Error cancelled() { return {core::ErrorCode::kCancelled, "cancelled"}; }

  // Precondition: gates_mutex_ is held.
  void start(Transfer& transfer, SteadyTime now) {
    if (transfer.stop->stop_requested()) return fail(transfer, cancelled());
    if (spare_.empty()) {
      transfer.easy = make_easy(watch_);
    } else {
      transfer.easy = spare_.back().release();
      spare_.pop_back();
    }
    if (transfer.easy == nullptr) {
      return fail(transfer, {core::ErrorCode::kUnavailable, "out of memory for a request"});
    }
    prepare_easy(transfer);
    transfer.began = transfer.window_began = now;
    if (transfer.repeat_until) {
      transfer.gate->repeated(now, transfer.request->body.size());
    } else {
      transfer.gate->started(transfer.request->body.size());
    }
    curl_multi_add_handle(multi_.get(), transfer.easy);
    transfer.place = active_.size();
    active_.push_back(&transfer);
    under_way_ = active_.size();
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
        transfer.failure = cancelled();
      } else if (auto late = overdue(transfer, now)) {
        transfer.failure = std::move(late);
      }
      if (transfer.failure) {
        finish(transfer);  // puts another in its place
      } else {
        ++i;
      }
    }
    for (auto& [origin, host] : hosts_) {
      std::erase_if(host.first, [now](auto* one) { return ended_waiting(*one, now); });
      std::erase_if(host.repetitions, [now](auto* one) { return ended_waiting(*one, now); });
    }
  }

  static bool ended_waiting(Transfer& transfer, SteadyTime now) {
    if (transfer.stop->stop_requested()) {
      fail(transfer, cancelled());
      return true;
    }
    if (!transfer.repeat_until || now <= *transfer.repeat_until) return false;
    fail(transfer, {core::ErrorCode::kUnavailable,
                    core::text(transfer.request->method, " ", shown(transfer.request->url),
                               ": too many requests to this host fail to try it again")});
    return true;
  }

  // The transfer belongs to its caller again when this returns.
  void finish(Transfer& transfer) {
    const auto now = std::chrono::steady_clock::now();
    long status = 0;
    curl_easy_getinfo(transfer.easy, CURLINFO_RESPONSE_CODE, &status);
    transfer.response.status = static_cast<int>(status);
    curl_multi_remove_handle(multi_.get(), transfer.easy);
    spare_.emplace_back(static_cast<CURL*>(transfer.easy));
    active_[transfer.place] = active_.back();
    active_[transfer.place]->place = transfer.place;
    active_.pop_back();
    under_way_ = active_.size();
    {
      const std::lock_guard lock(gates_mutex_);
      const auto took = since(transfer.began, now);
      if (transfer.failure) {
        transfer.gate->failed(took);
      } else {
        transfer.gate->answered(now, transfer.response.status, transfer.response.body.size(), took);
      }
    }
    give_back(transfer);
  }

  const std::size_t most_per_host_;
  std::mutex curl_mutex_;  // guards multi_, watch_, active_, spare_ and hosts_
  std::unique_ptr<CURLM, CleanMulti> multi_;
  SocketWatch watch_;
  std::vector<Transfer*> active_;
  std::atomic<std::size_t> under_way_{0};  // of active_, for those without the mutex
  std::vector<std::unique_ptr<CURL, CleanEasy>> spare_;

  std::mutex inbox_mutex_;  // guards inbox_
  std::vector<Transfer*> inbox_;
  std::atomic<bool> anything_new_{false};
  std::atomic<bool> stops_{false};

  mutable std::mutex gates_mutex_;  // guards the gates in hosts_ too, for those who only count
  std::map<std::string, Host> hosts_;

  std::atomic<bool> quit_{false};
  std::jthread thread_;  // last: starts when everything else exists
};

Transport::Transport(std::size_t most_per_host) : loop_(std::make_unique<Loop>(most_per_host)) {}
Transport::~Transport() = default;

namespace {

/// The process's transport, while it has one.
struct Shared {
  std::mutex mutex;
  std::unique_ptr<Transport> transport;
  pid_t owner = 0;
};

Shared& the_shared() {
  static Shared one;
  return one;
}

}  // namespace

Transport& Transport::shared() {
  auto& one = the_shared();
  const std::lock_guard lock(one.mutex);
  if (one.owner != ::getpid()) {
    // in a forked child the parent's thread does not exist: forget it without waiting for it
    static_cast<void>(one.transport.release());  // NOLINT: leaked on purpose
    one.transport = std::make_unique<Transport>(kDefaultPerHost);
    one.owner = ::getpid();
  }
  return *one.transport;
}

std::vector<core::Result<HttpResponse>> Transport::send(std::span<const HttpRequest> requests,
                                                        const Deadlines& deadlines,
                                                        const std::stop_token& stop,
                                                        std::optional<SteadyTime> repeat_until) {
  const auto countdown = std::make_shared<Countdown>(requests.size());
  std::vector<Transfer> transfers(requests.size());
  std::vector<core::Result<HttpResponse>> results;
  if (requests.empty()) return results;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto url = parse_url(requests[i].url);
    if (!url) return {requests.size(), core::Result<HttpResponse>(url.error())};
    transfers[i].request = &requests[i];
    transfers[i].deadlines = &deadlines;
    transfers[i].stop = &stop;
    transfers[i].countdown = countdown;
    transfers[i].origin = url->origin();
    transfers[i].repeat_until = repeat_until;
  }
  loop_->submit(transfers);
  const std::stop_callback wake(stop, [this] { loop_->look_for_stops(); });
  countdown->wait();
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

std::vector<HostTraffic> Transport::traffic() const {
  return loop_->traffic();
}

std::vector<HostTraffic> traffic() {
  auto& one = the_shared();
  const std::lock_guard lock(one.mutex);
  if (one.owner != ::getpid()) return {};
  return one.transport->traffic();
}

}  // namespace icefield::object_store
