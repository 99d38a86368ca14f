// What a client must make of services in trouble. The names are those of the cases.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "core/text.h"
#include "object_store/http/retry.h"
#include "object_store/open.h"
#include "object_store/testing/expectations.h"
#include "object_store/testing/tiny_server.h"

namespace icefield::object_store_testing {
namespace {

using namespace std::chrono_literals;
using object_store::HttpRequest;
using object_store::Key;
using object_store::PutCondition;
using object_store::Sending;
using object_store::Transport;
using Way = TinyAnswer::Way;

/// Answers 503 to the first requests, and knows how many it was asked at once while it did.
struct Storm {
  explicit Storm(int number) : left(number) {}

  std::atomic<int> left;
  std::atomic<int> under_way{0};
  std::atomic<int> most_later{0};  // at once, after the first wave was over
  std::mutex mutex = {};           // guards tries
  std::map<std::string, int> tries = {};
  TinyServer server{[this](const TinyRequest& request) {
    {
      const std::lock_guard lock(mutex);
      ++tries[request.target];
    }
    const int now = ++under_way;
    const bool first_wave = server.requests() <= kAtOnce;
    std::this_thread::sleep_for(2ms);  // so that requests meet
    TinyAnswer answer{.body = request.target};
    if (left-- > 0) {
      answer = {.status = 503, .body = "<Code>SlowDown</Code>"};
      if (!first_wave) most_later = std::max<int>(most_later, now);
    }
    --under_way;
    return answer;
  }};

  static constexpr int kAtOnce = 16;
};

std::vector<core::Result<object_store::HttpResponse>> ask_for_all(Transport& transport,
                                                                  const Storm& storm,
                                                                  std::size_t number,
                                                                  int attempts) {
  const Sending sending{.transport = &transport,
                        .retry = {.attempts = attempts, .first = 1ms, .most = 50ms, .total = 60s}};
  return answers_of(send_all_retrying(sending, number, [&](std::size_t item, int /*attempt*/) {
    return HttpRequest{.url = core::text(storm.server.url(), "/", item)};
  }));
}

TEST(HardCases, OBJ_1_a_storm_of_slow_down_narrows_the_client_and_fails_nothing) {
  Storm storm(60);
  Transport transport(Storm::kAtOnce);
  const auto answers = ask_for_all(transport, storm, 64, 24);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ASSERT_TRUE(answers[i]) << answers[i].error().message();
    EXPECT_EQ(core::as_text(answers[i]->body), core::text("/", i));
  }
  EXPECT_LE(storm.most_later, Storm::kAtOnce / 2);
  const auto traffic = transport.traffic().front();
  EXPECT_EQ(traffic.throttled, 60U);
  EXPECT_EQ(traffic.retries, 60U);
  EXPECT_EQ(traffic.requests, 124U);
}

TEST(HardCases, OBJ_1_no_request_is_tried_more_often_than_the_policy_says) {
  Storm storm(1'000'000);
  Transport transport(Storm::kAtOnce);
  for (const auto& answer : ask_for_all(transport, storm, 4, 3)) {
    ASSERT_FALSE(answer);
    EXPECT_NE(answer.error().message().find("after 3 attempts"), std::string::npos);
    EXPECT_NE(answer.error().message().find("SlowDown"), std::string::npos);
  }
  EXPECT_EQ(storm.tries.size(), 4U);
  for (const auto& [target, tries] : storm.tries) EXPECT_EQ(tries, 3) << target;
}

TEST(HardCases, OBJ_1_repetitions_to_a_host_that_fails_always_are_bounded) {
  TinyServer server([](const TinyRequest& /*request*/) { return TinyAnswer{.status = 500}; });
  Transport transport(64);
  const Sending sending{.transport = &transport,
                        .retry = {.attempts = 1000, .first = 1ms, .most = 1ms, .total = 1s}};
  constexpr std::size_t kAsked = 50;
  const auto answers =
      answers_of(send_all_retrying(sending, kAsked, [&](std::size_t, int /*attempt*/) {
        return HttpRequest{.url = server.url()};
      }));
  for (const auto& answer : answers) {
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code(), core::ErrorCode::kUnavailable);
  }
  // a hundred at once, then ten in the second that the policy leaves
  EXPECT_LE(transport.traffic().front().retries, 110U);
  EXPECT_GE(server.requests(), static_cast<int>(kAsked));
}

/// One object of an S3 service. The first request of each kind in `broken` is answered that way.
struct OneObject {
  std::map<std::string, Way> broken;
  std::mutex mutex = {};  // guards what follows and `broken`
  std::string bytes = {};
  std::string id = {};
  std::vector<std::string> seen = {};
  TinyServer server{[this](const TinyRequest& request) {
    const std::lock_guard lock(mutex);
    seen.push_back(request.method);
    auto answer = answer_to(request);
    if (const auto at = broken.find(request.method); at != broken.end()) {
      answer.way = at->second;
      broken.erase(at);
    }
    return answer;
  }};

  TinyAnswer answer_to(const TinyRequest& request) {
    TinyAnswer answer{.headers = {{"etag", "\"1\""},
                                  {"date", "Sun, 06 Nov 1994 08:49:37 GMT"},
                                  {"last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"}}};
    if (request.method == "PUT") {
      if (!id.empty()) return {.status = 412};
      bytes = request.body;
      id = request.headers.at("x-amz-meta-icechunkwriteid");
      return answer;
    }
    answer.headers.push_back({"x-amz-meta-icechunkwriteid", id});
    answer.body = bytes;
    return answer;
  }

  std::unique_ptr<object_store::ObjectStore> open(std::stop_token stop = {}) const {
    object_store::OpenOptions options;
    options.access = object_store::Access::kAnonymous;
    options.endpoint = server.url();
    options.deadlines = {
        .connect = 5s, .first_byte = 300ms, .stall = 300ms, .stall_bytes = 1024, .total = 10s};
    options.retry = {.attempts = 5, .first = 1ms, .most = 2ms, .total = 60s};
    options.stop = std::move(stop);
    return *object_store::open_store("s3://bucket", options);
  }
};

TEST(HardCases, OBJ_2_a_trickling_read_is_given_up_and_read_again) {
  OneObject service{.broken = {{"GET", Way::kTrickle}}};
  service.bytes = std::string(5000, 'x');
  EXPECT_EQ(text_of(*service.open(), "k"), service.bytes);
  EXPECT_EQ(service.seen, (std::vector<std::string>{"GET", "GET"}));
}

TEST(HardCases, OBJ_2_a_put_that_is_taken_and_never_answered_is_found_to_be_ours) {
  OneObject service{.broken = {{"PUT", Way::kSilence}}};
  const auto store = service.open();
  EXPECT_EQ(outcome(store->put(Key("k"), core::as_bytes("ours"), PutCondition::absent())), "ok");
  EXPECT_EQ(service.seen, (std::vector<std::string>{"PUT", "PUT", "HEAD"}));
  EXPECT_EQ(text_of(*store, "k"), "ours");
  // and the next one, which nobody disturbs, is a conflict
  EXPECT_EQ(outcome(store->put(Key("k"), core::as_bytes("late"), PutCondition::absent())),
            "conflict");
}

TEST(HardCases, OBJ_2_a_stop_ends_calls_that_wait_for_an_answer_or_for_their_turn) {
  OneObject service{.broken = {{"GET", Way::kSilence}}};
  std::stop_source stop;
  const auto store = service.open(stop.get_token());
  std::jthread stopper([&] {
    while (service.server.requests() == 0) std::this_thread::yield();
    stop.request_stop();
  });
  EXPECT_EQ(outcome(store->get(Key("k"))), "cancelled");
  EXPECT_EQ(outcome(store->get(Key("k"))), "cancelled");  // and none begins later
  EXPECT_EQ(service.server.requests(), 1);
}

TEST(HardCases, OBJ_2_a_stop_ends_the_wait_that_a_service_asked_for) {
  TinyServer server([](const TinyRequest& /*request*/) {
    return TinyAnswer{.status = 503, .headers = {{"Retry-After", "55"}}};
  });
  Transport transport(4);
  std::stop_source stop;
  const Sending sending{.transport = &transport, .stop = stop.get_token()};
  std::jthread stopper([&] {
    while (transport.traffic().empty() || transport.traffic().front().throttled < 2) {
      std::this_thread::yield();
    }
    stop.request_stop();
  });
  const auto answers = answers_of(send_all_retrying(
      sending, 2, [&](std::size_t, int /*attempt*/) { return HttpRequest{.url = server.url()}; }));
  for (const auto& answer : answers) EXPECT_EQ(outcome(answer), "cancelled");
}

}  // namespace
}  // namespace icefield::object_store_testing
