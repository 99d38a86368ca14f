#include <gtest/gtest.h>

#include "object_store/open.h"
#include "object_store/testing/conformance.h"
#include "object_store/testing/expectations.h"
#include "object_store/testing/scripted_service.h"

namespace icefield::object_store_testing {
namespace {

using object_store::Key;
using object_store::PutCondition;

/// A web server over a memory store, with the index pages that such servers make.
TinyAnswer serve_files(const object_store::ObjectStore& files, const TinyRequest& request) {
  std::string path;
  for (std::size_t i = 1; i < request.target.size(); ++i) {
    const bool coded = request.target[i] == '%';
    path += coded ? static_cast<char>(std::stoi(request.target.substr(i + 1, 2), nullptr, 16))
                  : request.target[i];
    if (coded) i += 2;
  }
  if (path.empty() || path.ends_with('/')) {
    std::string page = "<html><a href=\"../\">up</a>";
    for (const auto& name : listed(files, {.prefix = path, .recursive = false})) {
      std::string link;
      for (const char c : name.substr(path.size())) {
        link += c == '%' ? "%25" : c == '&' ? "&amp;" : std::string(1, c);
      }
      page += "<a href=\"" + link + "\">x</a>";
    }
    return {.body = page};
  }
  const auto object = files.get(Key(path));
  if (!object) return {.status = 404};
  std::string body(core::as_text(object->bytes));
  TinyAnswer answer{.headers = {{"etag", "\"" + object->info.version.value() + "\""},
                                {"last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"}}};
  if (request.headers.contains("if-none-match") &&
      request.headers.at("if-none-match") == answer.headers[0].second) {
    answer.status = 304;
    return answer;
  }
  if (const auto range = request.headers.find("range"); range != request.headers.end()) {
    const auto first = std::stoull(range->second.substr(6));
    const auto last = std::stoull(range->second.substr(range->second.find('-') + 1));
    if (first >= body.size()) return {.status = 416};
    const auto whole = body.size();
    body = body.substr(first, last - first + 1);
    answer.status = 206;
    answer.headers.push_back({"content-range", "bytes " + std::to_string(first) + "-" +
                                                   std::to_string(first + body.size() - 1) + "/" +
                                                   std::to_string(whole)});
  }
  answer.body = body;
  return answer;
}

class WebServer : public testing::TestWithParam<ConformanceCheck> {};

TEST_P(WebServer, is_read_as_any_store) {
  const auto files = *object_store::open_store("memory://");
  fill_for_reading(*files);
  TinyServer server([&files](const TinyRequest& request) { return serve_files(*files, request); });
  const auto store = *object_store::open_store(server.url() + "/", options_of({}));
  GetParam().run(*store, {});
}

INSTANTIATE_TEST_SUITE_P(, WebServer, testing::ValuesIn(reading_checks()), check_name);

TEST(WebServerStore, lists_recursively_and_refuses_to_write) {
  const auto files = *object_store::open_store("memory://");
  for (const auto* key : {"a/x", "a.b", "a/b/c", "z"}) must_put(*files, key, "x");
  TinyServer server([&files](const TinyRequest& request) { return serve_files(*files, request); });
  const auto store = *object_store::open_store(server.url(), options_of({}));
  EXPECT_EQ(listed(*store, {}), (std::vector<std::string>{"a.b", "a/b/c", "a/x", "z"}));
  EXPECT_EQ(listed(*store, {.recursive = false}), (std::vector<std::string>{"a.b", "a/", "z"}));
  EXPECT_EQ(listed(*store, {.prefix = "a", .start_after = "a/b/c"}),
            std::vector<std::string>{"a/x"});
  EXPECT_EQ(outcome(store->put(Key("n"), {}, PutCondition::none())), "unsupported");
}

}  // namespace
}  // namespace icefield::object_store_testing
