#include <gtest/gtest.h>

#include "object_store/http/host_gate.h"
#include "object_store/http/html_index.h"
#include "object_store/http/http_message.h"
#include "object_store/http/range_plan.h"
#include "object_store/http/redirect.h"
#include "object_store/http/retry.h"
#include "object_store/http/url.h"
#include "object_store/internal/xml.h"

namespace icefield::object_store {
namespace {

using namespace std::chrono_literals;

TEST(HttpDate, reads_and_writes_the_standards_example) {
  const auto at = parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT");
  ASSERT_TRUE(at);
  EXPECT_EQ(core::format_timestamp(*at), "1994-11-06T08:49:37");
  EXPECT_EQ(format_http_date(*at), "Sun, 06 Nov 1994 08:49:37 GMT");
  for (const auto* bad :
       {"", "yesterday", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET"}) {
    EXPECT_FALSE(parse_http_date(bad)) << bad;
  }
}

TEST(HttpUrls, are_taken_apart_and_refused_with_credentials) {
  const auto url = parse_url("https://host:8443/a%20b/?x=1");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->origin(), "https://host:8443");
  EXPECT_EQ(url->path, "/a%20b/");
  EXPECT_EQ(url->query, "x=1");
  const auto refused = parse_url("https://user:secret@host/");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message().find("secret"), std::string::npos);
  EXPECT_EQ(encode_query({{"prefix", "a/b c"}, {"delete", ""}}), "delete=&prefix=a%2Fb%20c");
}

TEST(HtmlIndex, shows_direct_children_only) {
  // the forms of Apache, nginx, and of servers that write absolute links
  const auto names = read_html_index(
      R"(<html><A HREF="?C=N;O=D">Name</A><a href="../">Parent</a><a href="/data/">Parent</a>
         <a href="gfs.t00z/">gfs.t00z/</a> <a class=x href='b%20c.grib2'>b c</a>
         <a href=/data/sub/d.idx>d</a> <a href="http://host/data/sub/e&amp;f">e</a>
         <a href="https://elsewhere/data/sub/x">x</a> <a href="/other/y">y</a>
         <a href="deep/er/z">z</a> <a href="b%20c.grib2">twice</a> <a href="#top">top</a>)",
      "http://host/data/sub/");
  EXPECT_EQ(names, (std::vector<std::string>{"b c.grib2", "d.idx", "e&f", "gfs.t00z/"}));
}

TEST(RangePlan, joins_neighbours_and_cuts_them_apart) {
  const std::vector<core::ByteRange> wanted = {{100, 10}, {0, 5}, {112, 8}, {5000, 1}, {7, 0}};
  const auto plan = plan_ranges(wanted, 4, 1000);
  ASSERT_EQ(plan.fetches.size(), 3U);
  EXPECT_EQ(plan.fetches[1].range, (core::ByteRange{100, 20}));
  EXPECT_EQ(plan.fetches[1].served, (std::vector<std::size_t>{0, 2}));
  core::Bytes joined(20);
  for (std::size_t i = 0; i < 20; ++i) joined[i] = static_cast<std::byte>(i);
  const auto cut = cut_ranges(
      wanted, plan, {core::Bytes(5), joined, core::Error(core::ErrorCode::kNotFound, "gone")},
      "object");
  EXPECT_EQ(cut[2]->front(), std::byte{12});
  EXPECT_EQ(cut[0]->size(), 10U);
  EXPECT_EQ(cut[3].error().code(), core::ErrorCode::kNotFound);
  EXPECT_TRUE(cut[4]->empty());
  EXPECT_EQ(plan_ranges(wanted, 4, 15).fetches.size(), 4U);  // a joined fetch has its limit
}

TEST(RetryDelay, doubles_to_a_limit_and_honours_the_service) {
  const RetryPolicy policy{.first = 100ms, .most = 1000ms};
  const core::Instant now(*parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"));
  const auto delay = [&](int attempt, double random, const core::Result<HttpResponse>& answer) {
    return retry_delay(policy, attempt, random, answer, now);
  };
  const core::Result<HttpResponse> nothing = core::Error(core::ErrorCode::kUnavailable, "");
  EXPECT_EQ(delay(1, 0.0, nothing), 50ms);
  EXPECT_EQ(delay(1, 1.0, nothing), 100ms);
  EXPECT_EQ(delay(3, 1.0, nothing), 400ms);
  EXPECT_EQ(delay(30, 1.0, nothing), 1000ms);
  const auto asks = [&](const char* text) {
    return delay(1, 0.0, HttpResponse{503, {{"retry-after", text}}, {}});
  };
  EXPECT_EQ(asks("7"), 7s);
  EXPECT_EQ(asks("99999"), 60s);
  EXPECT_EQ(asks("Sun, 06 Nov 1994 08:49:42 GMT"), 5s);
  EXPECT_EQ(asks("Sun, 06 Nov 1994 08:49:00 GMT"), 50ms);  // over already
  EXPECT_EQ(asks("Sun, 06 Nov 2094 08:49:42 GMT"), 60s);
  EXPECT_EQ(asks("soon"), 50ms);
}

TEST(HostGate, repetitions_are_a_bounded_share_of_what_is_sent) {
  HostGate gate("host", 8);
  SteadyTime now{};
  const auto repeat_all = [&](int most) {
    int done = 0;
    for (; done < most && gate.may_repeat(now); ++done) {
      gate.repeated(now, 0);
      gate.failed(1ms);
    }
    return done;
  };
  EXPECT_EQ(repeat_all(1000), 100);  // saved up
  EXPECT_EQ(repeat_all(1000), 0);
  now += 2s;
  EXPECT_EQ(repeat_all(1000), 20);  // ten per second
  for (int i = 0; i < 30; ++i) {
    gate.started(0);
    gate.answered(now, 200, 0, 1ms);
  }
  EXPECT_EQ(repeat_all(1000), 30);  // one per good answer
  gate.started(0);
  gate.answered(now, 500, 0, 1ms);
  EXPECT_EQ(repeat_all(1000), 0);
  now += 1h;
  EXPECT_EQ(repeat_all(1000), 100);
  EXPECT_EQ(gate.traffic().retries, 250U);
}

TEST(HostGate, narrows_when_throttled_and_widens_again) {
  HostGate gate("host", 8);
  SteadyTime now{};
  const auto one = [&](int status) {
    gate.started(0);
    gate.answered(now, status, 0, 1ms);
  };
  now += 1s;
  one(503);
  EXPECT_EQ(gate.limit(), 4);
  EXPECT_FALSE(gate.may_start(now));
  one(503);  // of the same burst
  EXPECT_EQ(gate.limit(), 4);
  now += 1s;
  EXPECT_TRUE(gate.may_start(now));
  for (int i = 0; i < 200; ++i) one(200);
  EXPECT_EQ(gate.limit(), 8);
  EXPECT_EQ(gate.traffic().throttled, 2U);
  EXPECT_NEAR(static_cast<double>(gate.traffic().median.count()), 1000, 100);
}

struct RedirectCase {
  const char* from;
  const char* location;
  const char* to;
};

TEST(Redirects, are_resolved_and_never_downgraded) {
  for (const auto& [from, location, to] :
       {RedirectCase{"http://h/a/b", "c", "http://h/a/c"},
        RedirectCase{"http://h/a/b", "/c", "http://h/c"},
        RedirectCase{"http://h/a", "//other/c", "http://other/c"},
        RedirectCase{"http://h/a", "https://h/a", "https://h/a"},
        RedirectCase{"https://h/a", "http://h/a", ""}, RedirectCase{"http://h/a", "ftp://h/a", ""},
        RedirectCase{"http://h/a", "http://u:p@h/a", ""}}) {
    EXPECT_EQ(redirect_target(from, {302, {{"location", location}}, {}}), to) << location;
  }
}

TEST(Xml, reads_what_stores_answer_and_refuses_the_rest) {
  const auto document =
      parse_xml("<?xml version=\"1.0\"?>\n<s:R xmlns:s=\"x\"><K>a&amp;b &#x e9;</K></s:R>");
  EXPECT_FALSE(document);
  const auto read = parse_xml("<s:R a=\"1\"><!-- c --><K>a&amp;b &#233;</K><E/><K>2</K></s:R>");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->name, "R");
  EXPECT_EQ(read->text_of("K"), "a&b \xC3\xA9");
  EXPECT_EQ(read->children.size(), 3U);
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  for (const auto* bad :
       {"", "<", "<a", "<a>", "<a></b>", "text", "<!DOCTYPE x []><a/>", "<a>&x;</a>"}) {
    EXPECT_FALSE(parse_xml(bad)) << bad;
  }
  EXPECT_FALSE(parse_xml(deep));
}

}  // namespace
}  // namespace icefield::object_store
