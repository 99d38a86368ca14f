#include "object_store/selftest.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>
#include <utility>

#include "core/random.h"
#include "core/text.h"

namespace icefield::object_store {
namespace {

constexpr int kWriters = 32;
constexpr int kRounds = 3;
constexpr int kSmallObjects = 20;
constexpr std::size_t kLargeBytes = 16U << 20U;
constexpr std::chrono::minutes kMostSkew{5};

/// What a trial saw: text for a line that holds, an Error for one that does not.
using Seen = core::Result<std::string>;

core::Error wrong(std::string what) {
  return {core::ErrorCode::kUnavailable, std::move(what)};
}

double milliseconds_of(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began)
      .count();
}

std::string one_decimal(double value) {
  const auto tenths = std::lround(value * 10);
  return core::text(tenths / 10, ".", tenths % 10);
}

class Selftest {
 public:
  explicit Selftest(ObjectStore& store)
      : store_(store), prefix_(core::text("icefield-selftest-", core::random_u64(), "/")) {}

  SelftestReport run() {
    SelftestReport report{.location = store_.location(), .lines = {}};
    const auto add = [&report](std::string name, const Seen& seen, bool required = true) {
      report.lines.push_back(
          {std::move(name), seen.has_value(), required, seen ? *seen : seen.error().message()});
    };
    add("write and read back", write_and_read());
    add("conditional create", create_once());
    add("conditional replace", replace_once());
    add("32 concurrent creators", race(false));
    add("32 concurrent replacers", race(true));
    add("ranges and suffix", ranges());
    add("conditional copy", copy());
    add("listing", listing());
    add("clock", clock(), false);
    add("latency, 1 KiB", latency(), false);
    add("throughput, 16 MiB", throughput(), false);
    add("cleaned up", clean());
    return report;
  }

 private:
  Key key(const std::string& name) const { return Key(prefix_ + name); }

  core::Result<ObjectInfo> put(const std::string& name, std::string_view text,
                               const PutCondition& condition = PutCondition::none()) {
    return store_.put(key(name), core::as_bytes(text), condition);
  }

  // Nothing when the object has that text.
  core::Status expect(const std::string& name, std::string_view text) const {
    TRY_ASSIGN(const auto object, store_.get(key(name)));
    if (core::as_text(object.bytes) == text) return {};
    return wrong("read something else than was written");
  }

  Seen write_and_read() {
    for (int i = 0; i < 5; ++i) {
      const auto text = core::text("state ", i);
      TRY(put("seen", text));
      TRY(expect("seen", text));
    }
    TRY(std::move(store_.remove(std::vector{key("seen")}).front()));
    const auto gone = store_.get(key("seen"));
    if (gone || gone.error().code() != core::ErrorCode::kNotFound) {
      return wrong("a removed object can still be read");
    }
    return std::string("each state seen at once, and its removal");
  }

  Seen create_once() {
    TRY(put("created", "first", PutCondition::absent()));
    const auto again = put("created", "second", PutCondition::absent());
    if (again) return wrong("created twice: the store ignores the condition");
    if (again.error().code() != core::ErrorCode::kConflict) return again.error();
    TRY(expect("created", "first"));
    return std::string("created once, refused the second time");
  }

  Seen replace_once() {
    TRY_ASSIGN(const auto first, put("replaced", "one"));
    TRY_ASSIGN(const auto second,
               put("replaced", "two", PutCondition::unchanged_since(first.version)));
    const auto stale = put("replaced", "lost", PutCondition::unchanged_since(first.version));
    if (stale) return wrong("an outdated version was replaced: the store ignores the condition");
    if (stale.error().code() != core::ErrorCode::kConflict) return stale.error();
    TRY(expect("replaced", "two"));
    if (second.version == first.version) return wrong("two states have one version");
    return std::string("current version replaced, outdated one refused");
  }

  // How many of 32 writers that start together are told that they won.
  int winners(const std::string& name, const PutCondition& condition) {
    std::barrier together(kWriters);
    std::atomic<int> won{0};
    {
      std::vector<std::jthread> threads;
      threads.reserve(kWriters);
      for (int i = 0; i < kWriters; ++i) {
        threads.emplace_back([&, i] {
          together.arrive_and_wait();
          if (put(name, core::text("writer ", i), condition)) ++won;
        });
      }
    }
    return won;
  }

  Seen race(bool replacing) {
    double worst = 0;
    for (int round = 0; round < kRounds; ++round) {
      const auto name = core::text(replacing ? "replace-race-" : "create-race-", round);
      auto condition = PutCondition::absent();
      if (replacing) {
        TRY_ASSIGN(const auto start, put(name, "start"));
        condition = PutCondition::unchanged_since(start.version);
      }
      int won = 0;
      worst = std::max(worst, milliseconds_of([&] { won = winners(name, condition); }));
      if (won != 1) return wrong(core::text(won, " of 32 writers won; exactly one must"));
    }
    return core::text("one winner each in ", kRounds, " rounds, at most ", one_decimal(worst),
                      " ms");
  }

  Seen ranges() {
    TRY(put("ranges", "0123456789"));
    const std::vector<core::ByteRange> wanted = {{0, 3}, {7, 3}};
    const auto got = store_.get_many(key("ranges"), wanted);
    for (const auto& one : got) {
      if (!one) return one.error();
    }
    TRY_ASSIGN(const auto end, store_.get_suffix(key("ranges"), 4));
    if (core::as_text(*got[0]) != "012" || core::as_text(*got[1]) != "789" ||
        core::as_text(end) != "6789") {
      return wrong("a range gave other bytes");
    }
    return std::string("exact");
  }

  Seen copy() {
    TRY_ASSIGN(const auto source, put("source", "old"));
    TRY(store_.copy(key("source"), key("copy"), source.version));
    TRY(put("source", "new"));
    TRY(expect("copy", "old"));
    const auto stale = store_.copy(key("source"), key("copy-2"), source.version);
    if (stale) return wrong("copied a source that had changed");
    return std::string("copies the version that was meant, or nothing");
  }

  Seen listing() {
    const std::vector<std::string> names = {"list/a-b", "list/a.b", "list/a/b", "list/a0",
                                            "list/b"};
    for (const auto& name : names) TRY(put(name, "x"));
    TRY_ASSIGN(const auto found, list_all(store_, prefix_ + "list/"));
    std::vector<std::string> seen;
    seen.reserve(found.size());
    for (const auto& object : found) seen.push_back(object.key.value().substr(prefix_.size()));
    const bool ordered = seen == names;
    std::ranges::sort(seen);
    if (seen != names) return wrong("just written objects are missing from the listing");
    if (!ordered) return wrong("complete, but not in the byte order of keys");
    return std::string("complete, in byte order");
  }

  Seen clock() {
    TRY(put("clock", "x"));
    TRY_ASSIGN(const auto info, store_.head(key("clock")));
    const auto apart = info.last_modified - core::system_now();
    const auto seconds = std::chrono::duration<double>(apart).count();
    auto text = core::text("the store's is ", one_decimal(std::abs(seconds)), " s ",
                           seconds < 0 ? "behind" : "ahead");
    if (std::chrono::abs(apart) > kMostSkew) return wrong(std::move(text));
    return text;
  }

  Seen latency() {
    const std::string body(1024, 'x');
    std::vector<double> puts;
    std::vector<double> gets;
    for (int i = 0; i < kSmallObjects; ++i) {
      core::Status status;
      const auto name = core::text("small-", i);
      puts.push_back(milliseconds_of([&] { status = to_status(put(name, body)); }));
      if (!status) return status.error();
      gets.push_back(milliseconds_of([&] { status = to_status(store_.get(key(name))); }));
      if (!status) return status.error();
    }
    std::ranges::sort(puts);
    std::ranges::sort(gets);
    return core::text("put ", one_decimal(puts[puts.size() / 2]), " ms, get ",
                      one_decimal(gets[gets.size() / 2]), " ms (medians)");
  }

  Seen throughput() {
    const core::Bytes body(kLargeBytes, std::byte{7});
    core::Status status;
    const auto up = milliseconds_of(
        [&] { status = to_status(store_.put(key("large"), body, PutCondition::none())); });
    if (!status) return status.error();
    const auto down = milliseconds_of([&] { status = to_status(store_.get(key("large"))); });
    if (!status) return status.error();
    const auto rate = [](double milliseconds) {
      return one_decimal(static_cast<double>(kLargeBytes) / 1e3 / std::max(milliseconds, 0.001));
    };
    return core::text("write ", rate(up), " MB/s, read ", rate(down), " MB/s");
  }

  Seen clean() {
    TRY_ASSIGN(const auto left, list_all(store_, prefix_));
    std::vector<Key> keys;
    keys.reserve(left.size());
    for (const auto& object : left) keys.push_back(object.key);
    for (const auto& status : store_.remove(keys)) {
      if (!status) return status.error();
    }
    return core::text(keys.size(), " objects removed");
  }

  template <typename T>
  static core::Status to_status(core::Result<T> result) {
    if (!result) return std::move(result).error();
    return {};
  }

  ObjectStore& store_;
  std::string prefix_;
};

}  // namespace

bool SelftestReport::fit() const {
  return std::ranges::all_of(lines,
                             [](const SelftestLine& line) { return line.holds || !line.required; });
}

SelftestReport run_selftest(ObjectStore& store) {
  return Selftest(store).run();
}

std::string describe(const SelftestReport& report) {
  constexpr std::size_t kNameWidth = 26;
  std::string text;
  for (const auto& line : report.lines) {
    auto name = line.name;
    name.resize(std::max(kNameWidth, name.size()), ' ');
    text += (line.holds      ? "ok    "
             : line.required ? "FAIL  "
                             : "note  ") +
            name + line.detail + "\n";
  }
  return text + report.location +
         (report.fit() ? ": fit for transactions\n" : ": NOT fit for transactions\n");
}

}  // namespace icefield::object_store
