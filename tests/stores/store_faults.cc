#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"
#include "core/text.h"
#include "object_store/http/transport.h"
#include "object_store/open.h"
#include "object_store/testing/expectations.h"

// The store of ICEFIELD_TEST_STORE_URL is reached through a proxy that breaks requests by rules;
// ICEFIELD_TEST_PROXY_ADMIN is where it takes them (a JSON list by PUT).
namespace icefield {
namespace {

using namespace std::chrono_literals;
using object_store::Key;
using object_store::ObjectStore;
using object_store::PutCondition;
using object_store_testing::outcome;
using object_store_testing::pattern;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT: nobody writes it
  return value == nullptr ? "" : value;
}

class Faults : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(variable("ICEFIELD_TEST_PROXY_ADMIN"), "");
    rules("[]");
    object_store::OpenOptions options;
    options.deadlines = {
        .connect = 2s, .first_byte = 2s, .stall = 2s, .stall_bytes = 1024, .total = 20s};
    options.retry = {.attempts = 12, .first = 20ms, .most = 500ms, .total = 60s};
    auto store = object_store::open_store(
        core::text(variable("ICEFIELD_TEST_STORE_URL"), "/", core::random_u64()), options);
    ASSERT_TRUE(store) << store.error().message();
    store_ = *std::move(store);
  }
  void TearDown() override { rules("[]"); }

  static void rules(const std::string& json) {
    const object_store::HttpRequest request{.method = "PUT",
                                            .url = variable("ICEFIELD_TEST_PROXY_ADMIN") + "/",
                                            .body = core::as_bytes(json)};
    const auto answers = object_store::Transport::shared().send({&request, 1}, {}, {});
    ASSERT_TRUE(answers.front()) << answers.front().error().message();
    ASSERT_EQ(answers.front()->status, 200);
  }

  std::unique_ptr<ObjectStore> store_;
};

struct WriteFault {
  const char* name;
  const char* rules;
};

TEST_F(Faults, a_conditional_put_is_never_in_conflict_with_itself) {
  const WriteFault faults[] = {
      {"lost answer", R"([{"method":"PUT","action":"reset-after","count":1}])"},
      {"sent twice", R"([{"method":"PUT","action":"twice","count":1}])"},
      {"lost, and its repetition slow", R"([{"method":"PUT","action":"reset-after","count":1},
                                            {"method":"PUT","action":"delay","arg":300,"count":1}])"},
      {"never sent", R"([{"method":"PUT","action":"reset-before","count":2}])"},
      {"stalled", R"([{"method":"PUT","action":"stall","count":1}])"},
      {"slow down", R"([{"method":"PUT","action":"503","count":3}])"},
      {"failed", R"([{"method":"PUT","action":"500","count":2}])"},
  };
  for (const auto& fault : faults) {
    const Key key(core::text("repo-", core::random_u64()));
    rules(fault.rules);
    const auto created = store_->put(key, core::as_bytes("one"), PutCondition::absent());
    EXPECT_EQ(outcome(created), "ok") << fault.name;
    if (!created) continue;
    rules(fault.rules);
    const auto replaced =
        store_->put(key, core::as_bytes("two"), PutCondition::unchanged_since(created->version));
    EXPECT_EQ(outcome(replaced), "ok") << fault.name;
    rules("[]");
    EXPECT_EQ(object_store_testing::text_of(*store_, key.value()), "two") << fault.name;
    EXPECT_EQ(outcome(store_->put(key, core::as_bytes("x"),
                                  PutCondition::unchanged_since(created->version))),
              "conflict")
        << fault.name;
  }
}

TEST_F(Faults, many_conditional_puts_are_never_in_conflict_with_themselves) {
  const auto bytes = pattern(2000);
  std::vector<object_store::PutRequest> objects;
  for (int i = 0; i < 150; ++i) {
    objects.push_back({Key(core::text("many/", i)), bytes, PutCondition::absent()});
  }
  rules(
      R"([{"method":"PUT","action":"reset-after","p":0.1},{"method":"PUT","action":"twice","p":0.1},
            {"method":"PUT","action":"reset-before","p":0.05},{"method":"PUT","action":"503","p":0.1},
            {"method":"PUT","action":"500","p":0.03}])");
  for (const auto& created : store_->put_many(objects)) EXPECT_EQ(outcome(created), "ok");
  rules("[]");
  for (const auto& again : store_->put_many(objects)) EXPECT_EQ(outcome(again), "conflict");
}

TEST_F(Faults, uploads_in_parts_survive_lost_answers) {
  const auto bytes = pattern(20U << 20U);
  rules(R"([{"method":"PUT","action":"reset-after","p":0.3,"count":2},
            {"method":"POST","match":"uploadId","action":"reset-after","count":1}])");
  EXPECT_EQ(outcome(store_->put(Key("large"), bytes, PutCondition::absent())), "ok");
  rules("[]");
  const auto back = store_->get(Key("large"));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_TRUE(back->bytes == bytes);
}

TEST_F(Faults, broken_reads_end_right) {
  const auto bytes = pattern(300'000);
  ASSERT_TRUE(store_->put(Key("read"), bytes, PutCondition::none()));
  for (const auto* action : {"truncate", "reset-after", "503", "stall", "slow"}) {
    rules(core::text(R"([{"method":"GET","action":")", action, R"(","count":2}])"));
    const auto object = store_->get(Key("read"));
    ASSERT_TRUE(object) << action << ": " << object.error().message();
    EXPECT_TRUE(object->bytes == bytes) << action;
    rules(core::text(R"([{"method":"GET","action":")", action, R"(","count":2}])"));
    const std::vector<core::ByteRange> ranges = {{0, 10}, {150'000, 5000}, {299'990, 10}};
    for (const auto& range : store_->get_many(Key("read"), ranges)) {
      EXPECT_EQ(outcome(range), "ok") << action;
    }
  }
}

/// Adds a line of its own to one object by compare-and-swap until it is there for certain.
bool add_line(ObjectStore& store, const Key& key, const std::string& line) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    const auto object = store.get(key);
    if (!object) continue;
    const std::string text(core::as_text(object->bytes));
    if (text.find(line) != std::string::npos) return true;  // after an unknown outcome
    const auto next = text + line;
    const auto put =
        store.put(key, core::as_bytes(next), PutCondition::unchanged_since(object->info.version));
    if (put) return true;
  }
  return false;
}

TEST_F(Faults, random_mixes_lose_and_double_nothing) {
  const Key key("lines");
  ASSERT_TRUE(store_->put(key, {}, PutCondition::absent()));
  rules(R"([{"action":"503","p":0.1},{"action":"500","p":0.03},{"action":"reset-before","p":0.05},
            {"method":"PUT","action":"reset-after","p":0.1},{"method":"PUT","action":"twice","p":0.1},
            {"method":"GET","action":"truncate","p":0.05},{"action":"delay","arg":40,"p":0.1}])");
  constexpr int kWriters = 6;
  constexpr int kLines = 8;
  std::atomic<int> added{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kWriters; ++i) {
      threads.emplace_back([&, i] {
        for (int n = 0; n < kLines; ++n) {
          if (add_line(*store_, key, core::text("<", i, ".", n, ">"))) ++added;
        }
      });
    }
  }
  rules("[]");
  EXPECT_EQ(added, kWriters * kLines);
  const auto text = object_store_testing::text_of(*store_, key.value());
  for (int i = 0; i < kWriters; ++i) {
    for (int n = 0; n < kLines; ++n) {
      const auto line = core::text("<", i, ".", n, ">");
      const auto at = text.find(line);
      EXPECT_NE(at, std::string::npos) << line << " is lost";
      EXPECT_EQ(text.find(line, at + 1), std::string::npos) << line << " is there twice";
    }
  }
}

}  // namespace
}  // namespace icefield
