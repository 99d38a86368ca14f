#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace icefield::object_store_testing {

/// A request as TinyServer read it.
struct TinyRequest {
  std::string method;
  std::string target;                          // path and query as sent
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

/// What TinyServer does with a request.
struct TinyAnswer {
  enum class Way {
    kWhole,    // the answer, then the connection stays open
    kCut,      // the head promises the whole body, half of it comes, then the end
    kTrickle,  // one byte of the body every 20 ms
    kSilence,  // nothing, and the connection stays open
    kHangUp,   // nothing, and the connection is closed
  };
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  Way way = Way::kWhole;
  bool content_length = true;  // false: as for an answer to HEAD, which names its own length
};

/// A web server on loopback for tests: each request is answered by a function, called from the
/// connection's own thread. Stops, and drops what is under way, with its destructor.
class TinyServer {
 public:
  explicit TinyServer(std::function<TinyAnswer(const TinyRequest&)> answer);
  TinyServer(const TinyServer&) = delete;
  TinyServer& operator=(const TinyServer&) = delete;
  ~TinyServer();

  /// "http://127.0.0.1:port"
  std::string url() const;

  /// Requests read and connections accepted so far.
  int requests() const { return requests_; }
  int connections() const { return connections_; }

 private:
  void accept_all();
  void serve(int connection);
  bool read_request(int connection, std::string& buffered, TinyRequest& request) const;
  bool give(int connection, const TinyRequest& request, const TinyAnswer& answer) const;

  std::function<TinyAnswer(const TinyRequest&)> answer_;
  int listening_ = -1;
  int port_ = 0;
  std::atomic<bool> stop_{false};
  std::atomic<int> requests_{0};
  std::atomic<int> connections_{0};
  std::mutex mutex_;  // guards threads_
  std::vector<std::thread> threads_;
  std::thread accepting_;
};

}  // namespace icefield::object_store_testing
