#include "object_store/http/transport.h"

#include <algorithm>
#include <atomic>

#include <gtest/gtest.h>

#include "core/text.h"
#include "object_store/http/retry.h"
#include "object_store/testing/expectations.h"
#include "object_store/testing/tiny_server.h"

namespace icefield::object_store_testing {
namespace {

using namespace std::chrono_literals;
using object_store::Deadlines;
using object_store::HttpRequest;
using object_store::HttpResponse;
using object_store::Sending;
using object_store::Transport;
using Way = TinyAnswer::Way;

constexpr Deadlines kShort{
    .connect = 500ms, .first_byte = 200ms, .stall = 200ms, .stall_bytes = 64, .total = 2s};
constexpr object_store::RetryPolicy kQuick{.attempts = 4, .first = 1ms, .most = 4ms, .total = 5s};

core::Result<HttpResponse> send(Transport& transport, const HttpRequest& request,
                                const Deadlines& deadlines = kShort) {
  return std::move(transport.send({&request, 1}, deadlines, {}).front());
}

TEST(Transport, keeps_connections_and_the_order_of_answers) {
  TinyServer server([](const TinyRequest& request) {
    return TinyAnswer{.headers = {{"X-Seen", request.method}},
                      .body = request.target + request.body};
  });
  Transport transport(4);
  for (int round = 0; round < 5; ++round) {
    std::vector<HttpRequest> requests;
    for (int i = 0; i < 20; ++i) requests.push_back({.url = server.url() + core::text("/", i)});
    const auto answers = transport.send(requests, kShort, {});
    ASSERT_EQ(answers.size(), 20U);
    for (std::size_t i = 0; i < 20; ++i) {
      ASSERT_TRUE(answers[i]) << answers[i].error().message();
      EXPECT_EQ(core::as_text(answers[i]->body), core::text("/", i));
      EXPECT_EQ(answers[i]->header("x-seen"), "GET");
    }
  }
  EXPECT_EQ(server.requests(), 100);
  EXPECT_LE(server.connections(), 4);
  ASSERT_EQ(transport.traffic().size(), 1U);
  EXPECT_EQ(transport.traffic().front().requests, 100U);
}

TEST(Transport, sends_bodies_and_methods_as_they_are) {
  TinyServer server([](const TinyRequest& request) {
    return TinyAnswer{.body = core::text(request.method, " ", request.headers.count("expect"), " ",
                                         request.headers.count("content-type"), " ",
                                         request.body.size())};
  });
  Transport transport(4);
  const core::Bytes large = pattern(3U << 20U);
  const auto body_of = [&](const char* method, std::span<const std::byte> body) {
    const auto answer =
        send(transport, {.method = method, .url = server.url() + "/x", .body = body});
    return answer ? std::string(core::as_text(answer->body)) : answer.error().message();
  };
  EXPECT_EQ(body_of("PUT", large), "PUT 0 0 3145728");
  EXPECT_EQ(body_of("PUT", {}), "PUT 0 0 0");
  EXPECT_EQ(body_of("POST", core::as_bytes("abc")), "POST 0 0 3");
  EXPECT_EQ(body_of("DELETE", {}), "DELETE 0 0 0");
  EXPECT_EQ(body_of("HEAD", {}), "");
}

struct BrokenCase {
  std::string name;
  TinyAnswer answer;
  std::string outcome;
};

class Broken : public testing::TestWithParam<BrokenCase> {};

TEST_P(Broken, answers_are_errors_in_bounded_time) {
  TinyServer server([](const TinyRequest& /*request*/) { return GetParam().answer; });
  Transport transport(4);
  const auto began = std::chrono::steady_clock::now();
  const auto answer = send(transport, {.url = server.url() + "/?secret=token", .max_answer = 1000});
  EXPECT_LT(std::chrono::steady_clock::now() - began, 1500ms);
  const auto found = outcome(answer);
  EXPECT_EQ(found.substr(0, GetParam().outcome.size()), GetParam().outcome);
  const auto said = answer ? std::string() : answer.error().message();
  EXPECT_EQ(said.find("token"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    , Broken,
    testing::Values(BrokenCase{"cut", {.body = std::string(500, 'x'), .way = Way::kCut}, "corrupt"},
                    BrokenCase{"too_long", {.body = std::string(1001, 'x')}, "corrupt"},
                    BrokenCase{"trickle",
                               {.body = std::string(500, 'x'), .way = Way::kTrickle},
                               "unknown outcome"},
                    BrokenCase{"silence", {.way = Way::kSilence}, "unknown outcome"},
                    BrokenCase{"hang_up", {.way = Way::kHangUp}, "unknown outcome"},
                    BrokenCase{"status_is_an_answer", {.status = 500}, "ok"}),
    [](const auto& tested) { return tested.param.name; });

TEST(Transport, nobody_listening_is_unavailable) {
  std::string url;
  {
    url = TinyServer([](const TinyRequest& /*request*/) { return TinyAnswer{}; }).url();
  }
  Transport transport(4);
  EXPECT_EQ(outcome(send(transport, {.url = url + "/"})).substr(0, 11), "unavailable");
}

TEST(Transport, a_cancelled_call_returns_at_once) {
  TinyServer server(
      [](const TinyRequest& /*request*/) { return TinyAnswer{.way = Way::kSilence}; });
  Transport transport(2);
  std::stop_source stop;
  const std::vector<HttpRequest> requests(5, HttpRequest{.url = server.url() + "/"});
  std::jthread canceller([&] {
    while (server.requests() < 2) std::this_thread::yield();
    stop.request_stop();
  });
  const auto began = std::chrono::steady_clock::now();
  for (const auto& answer : transport.send(requests, Deadlines{}, stop.get_token())) {
    EXPECT_EQ(outcome(answer), "cancelled");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, 2s);
}

TEST(Retry, tries_what_may_succeed_later_and_reports_doubt) {
  std::atomic<int> asked = 0;
  TinyServer server([&asked](const TinyRequest& /*request*/) {
    const int number = ++asked;
    if (number == 1) return TinyAnswer{.status = 503};
    if (number == 2) return TinyAnswer{.way = Way::kHangUp};
    return TinyAnswer{.body = "at last"};
  });
  Transport transport(4);
  const Sending sending{.transport = &transport, .deadlines = kShort, .retry = kQuick};
  const auto sent = send_retrying(sending, [&](int /*attempt*/) {
    return HttpRequest{.method = "PUT", .url = server.url() + "/"};
  });
  ASSERT_TRUE(sent.answer) << sent.answer.error().message();
  EXPECT_EQ(core::as_text(sent.answer->body), "at last");
  EXPECT_EQ(sent.attempts, 3);
  EXPECT_TRUE(sent.may_have_happened_before);
  EXPECT_EQ(transport.traffic().front().retries, 2U);
  EXPECT_EQ(transport.traffic().front().throttled, 1U);
}

TEST(Retry, gives_up_after_its_attempts_and_says_what_the_service_said) {
  TinyServer server([](const TinyRequest& /*request*/) {
    return TinyAnswer{.status = 503, .body = "<Code>SlowDown</Code>"};
  });
  Transport transport(4);
  const Sending sending{.transport = &transport, .deadlines = kShort, .retry = kQuick};
  const auto sent = send_retrying(
      sending, [&](int /*attempt*/) { return HttpRequest{.url = server.url() + "/k?sig=secret"}; });
  EXPECT_EQ(server.requests(), kQuick.attempts);
  EXPECT_FALSE(sent.may_have_happened_before);
  ASSERT_FALSE(sent.answer);
  EXPECT_NE(sent.answer.error().message().find("status 503"), std::string::npos);
  EXPECT_NE(sent.answer.error().message().find("SlowDown"), std::string::npos);
  EXPECT_EQ(sent.answer.error().message().find("secret"), std::string::npos);
}

TEST(Retry, of_many_repeats_only_the_failed_ones) {
  std::atomic<int> failures{3};
  TinyServer server([&failures](const TinyRequest& request) {
    if (request.target == "/bad" && failures-- > 0) return TinyAnswer{.status = 500};
    return TinyAnswer{.body = request.target};
  });
  Transport transport(4);
  const Sending sending{.transport = &transport, .deadlines = kShort, .retry = kQuick};
  const auto answers =
      answers_of(send_all_retrying(sending, 3, [&](std::size_t item, int /*attempt*/) {
        return HttpRequest{.url = server.url() + (item == 1 ? "/bad" : "/good")};
      }));
  for (const auto& answer : answers) ASSERT_TRUE(answer);
  EXPECT_EQ(core::as_text(answers[1]->body), "/bad");
  EXPECT_EQ(server.requests(), 3 + 3);
}

}  // namespace
}  // namespace icefield::object_store_testing
