// What a signal does to a command that waits for a store which does not answer.
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
#include "core/json.h"
#include "core/text.h"
#include "object_store/testing/scratch_folder.h"
#include "object_store/testing/tiny_server.h"

namespace icefield::cli_tests {
namespace {

using object_store_testing::TinyAnswer;
using object_store_testing::TinyRequest;
using object_store_testing::TinyServer;
using testing::HasSubstr;

/// The program, running in a folder of its own.
class Started {
 public:
  /// `words` are shell words, `variables` are assignments as the shell takes them.
  explicit Started(const std::string& words, const std::string& variables = "") {
    const auto here = scratch_.path().string();
    const auto command = core::text("cd '", here, "' && ", variables, " exec '", ICEFIELD_PROGRAM,
                                    "' ", words, " >out.txt 2>err.txt </dev/null");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      ::_exit(127);
    }
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  ~Started() {
    if (!over_) ::kill(pid_, SIGKILL);
    status();
  }

  /// Waits until `reached` is true; false when the program ended before.
  template <typename Condition>
  bool runs_until(const Condition& reached) {
    while (!reached()) {
      if (::waitpid(pid_, &raw_, WNOHANG) == pid_) {
        over_ = true;
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

  void signal(int number) const { ::kill(pid_, number); }

  /// Waits for the end; the exit status, or 1000 + the signal that killed it.
  int status() {
    if (!over_) ::waitpid(pid_, &raw_, 0);
    over_ = true;
    return WIFEXITED(raw_) ? WEXITSTATUS(raw_) : 1000 + WTERMSIG(raw_);
  }

  const std::filesystem::path& folder() const { return scratch_.path(); }
  std::string out() const { return text("out.txt"); }
  std::string err() const { return text("err.txt"); }

 private:
  std::string text(const char* name) const {
    const auto bytes = core::read_file(scratch_.path() / name);
    return bytes ? std::string(core::as_text(*bytes)) : std::string();
  }

  object_store_testing::ScratchFolder scratch_;
  pid_t pid_ = -1;
  int raw_ = 0;
  bool over_ = false;
};

/// As much of S3 as the selftest's first steps need. A put whose key ends in `silent` is stored and
/// never answered.
class SmallS3 {
 public:
  explicit SmallS3(std::string silent) : silent_(std::move(silent)) {}

  std::string variables() const {
    return core::text("AWS_ENDPOINT_URL=", server_.url(),
                      " AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_REGION=us-east-1");
  }
  bool silent() const { return is_silent_; }
  std::size_t objects() const {
    const std::lock_guard lock(mutex_);
    return objects_.size();
  }
  int written() const { return written_; }

 private:
  TinyAnswer answer(const TinyRequest& request) {
    const std::lock_guard lock(mutex_);
    const auto question = request.target.find('?');
    const auto path = request.target.substr(0, question);
    const auto query = question == std::string::npos ? "" : request.target.substr(question + 1);
    if (request.method == "POST") return remove(request.body);
    if (query.find("list-type") != std::string::npos) return list();
    if (request.method == "PUT") return put(path.substr(std::string("/bucket/").size()), request);
    const auto found = objects_.find(path.substr(std::string("/bucket/").size()));
    if (found == objects_.end()) return {.status = 404};
    return {.headers = dated(found->second.first), .body = found->second.second};
  }

  static std::vector<std::pair<std::string, std::string>> dated(const std::string& etag) {
    return {{"ETag", etag},
            {"Date", "Sun, 06 Nov 1994 08:49:37 GMT"},
            {"Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"}};
  }

  TinyAnswer put(const std::string& key, const TinyRequest& request) {
    const auto etag = core::text('"', ++written_, '"');
    objects_[key] = {etag, request.body};
    if (!key.ends_with(silent_)) return {.headers = dated(etag)};
    is_silent_ = true;
    return {.way = TinyAnswer::Way::kSilence};
  }

  TinyAnswer list() const {
    std::string body = "<ListBucketResult><IsTruncated>false</IsTruncated>";
    for (const auto& [key, object] : objects_) {
      body += core::text("<Contents><Key>", key, "</Key><Size>", object.second.size(),
                         "</Size><LastModified>1994-11-06T08:49:37.000Z</LastModified><ETag>",
                         "x</ETag></Contents>");
    }
    return {.body = body + "</ListBucketResult>"};
  }

  TinyAnswer remove(const std::string& body) {
    const std::string begin = "<Key>";
    for (auto at = body.find(begin); at != std::string::npos; at = body.find(begin, at)) {
      at += begin.size();
      objects_.erase(body.substr(at, body.find('<', at) - at));
    }
    return {.body = "<DeleteResult></DeleteResult>"};
  }

  const std::string silent_;
  mutable std::mutex mutex_;                                            // guards objects_
  std::map<std::string, std::pair<std::string, std::string>> objects_;  // key to etag and bytes
  std::atomic<int> written_{0};
  std::atomic<bool> is_silent_{false};
  TinyServer server_{[this](const TinyRequest& request) { return answer(request); }};
};

TEST(Signals, an_interrupted_selftest_leaves_nothing_behind) {
  for (const int number : {SIGINT, SIGTERM}) {
    SmallS3 s3("/created");
    Started program("store selftest s3://bucket/here", s3.variables());
    ASSERT_TRUE(program.runs_until([&] { return s3.silent(); })) << program.out() << program.err();
    EXPECT_EQ(s3.objects(), 1U);
    program.signal(number);
    EXPECT_EQ(program.status(), 128 + number) << program.err();
    EXPECT_EQ(s3.objects(), 0U) << program.out();
    EXPECT_THAT(program.out(), HasSubstr("interrupted"));
    EXPECT_THAT(program.err(), HasSubstr("removing"));
  }
}

TEST(Signals, an_interrupted_selftest_ends_even_when_nothing_answers_any_more) {
  std::atomic<int> seen{0};
  TinyServer server([&seen](const TinyRequest& /*request*/) {
    ++seen;
    return TinyAnswer{.way = TinyAnswer::Way::kSilence};
  });
  Started program("store selftest s3://bucket/here",
                  core::text("AWS_ENDPOINT_URL=", server.url(),
                             " AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_REGION=us-east-1"));
  ASSERT_TRUE(program.runs_until([&] { return seen > 0; })) << program.out() << program.err();
  program.signal(SIGINT);
  EXPECT_EQ(program.status(), 128 + SIGINT);
  EXPECT_THAT(program.out(), HasSubstr("may be left"));
}

TEST(Signals, OBJ_2_sigterm_ends_a_stalled_backfill_with_a_line) {
  std::atomic<int> seen{0};
  TinyServer server([&seen](const TinyRequest& /*request*/) {
    ++seen;
    return TinyAnswer{.way = TinyAnswer::Way::kSilence};
  });
  Started program(core::text("noaa-hrrr-forecast-48-hour-virtual backfill-local ",
                             "2025-08-01T06:00:00 --filter-start 2025-08-01T00:00:00 ",
                             "--source s3://noaa-hrrr-bdp-pds/=", server.url(), "/"));
  ASSERT_TRUE(program.runs_until([&] { return seen > 0; })) << program.out() << program.err();
  program.signal(SIGTERM);
  EXPECT_EQ(program.status(), 128 + SIGTERM);
  EXPECT_THAT(program.err(), HasSubstr("Received SIGTERM"));
}

TEST(Selftest, a_folder_is_fit_and_stays_as_it_was) {
  Started program("store selftest some/where/");
  EXPECT_EQ(program.status(), 0) << program.out() << program.err();
  EXPECT_THAT(program.out(), HasSubstr("fit for transactions"));
  EXPECT_THAT(program.out(), testing::Not(HasSubstr("FAIL")));
  EXPECT_FALSE(std::filesystem::exists(program.folder() / "some"));
}

TEST(Selftest, a_store_that_takes_no_writes_is_not_fit) {
  TinyServer server([](const TinyRequest& /*request*/) { return TinyAnswer{.status = 404}; });
  Started program(core::text("store selftest --json ", server.url(), "/data/"));
  EXPECT_EQ(program.status(), 1);
  const auto report = core::Json::parse(core::split(program.out(), '\n').front());
  ASSERT_TRUE(report) << program.out();
  EXPECT_FALSE(report->find("fit")->as_bool());
  EXPECT_FALSE(report->find("interrupted")->as_bool());
  ASSERT_EQ(report->find("lines")->as_array().size(), 12U);
  EXPECT_EQ(report->find("lines")->as_array()[1].find("name")->as_string(), "conditional create");
}

TEST(Selftest, refuses_what_is_no_store) {
  Started program("store selftest ftp://host/");
  EXPECT_EQ(program.status(), 2);
  Started nothing("store selftest");
  EXPECT_EQ(nothing.status(), 2);
}

}  // namespace
}  // namespace icefield::cli_tests
