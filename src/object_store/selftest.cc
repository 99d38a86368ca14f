#include "object_store/selftest.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cmath>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "core/random.h"
#include "core/text.h"

namespace icefield::object_store {
namespace {

constexpr int kWriters = 32;
constexpr int kRounds = 3;
constexpr int kSmallObjects = 20;
// Below what any service takes in parts: an interrupted put then leaves nothing that is not listed.
constexpr std::size_t kLargeBytes = 12U << 20U;
constexpr std::chrono::milliseconds kLanding{300};  // in which what was under way may still land
constexpr std::chrono::minutes kMostSkew{5};

/// What a trial saw when the line holds.
struct Sight {
  std::string text;
  std::vector<SelftestFigure> figures = {};
};

/// An Error says how a line does not hold.
using Seen = core::Result<Sight>;

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
  Selftest(ObjectStore& store, ObjectStore& cleaner, std::stop_token stop)
      : store_(store),
        cleaner_(cleaner),
        stop_(std::move(stop)),
        prefix_(core::text("icefield-selftest-", core::random_u64(), "/")) {}

  SelftestReport run() {
    report_.location = store_.location();
    attempt("write and read back", [this] { return write_and_read(); });
    attempt("conditional create", [this] { return create_once(); });
    attempt("conditional replace", [this] { return replace_once(); });
    attempt("32 concurrent creators", [this] { return race(false); });
    attempt("32 concurrent replacers", [this] { return race(true); });
    attempt("ranges and suffix", [this] { return ranges(); });
    attempt("conditional copy", [this] { return copy(); });
    attempt("listing", [this] { return listing(); });
    attempt(
        "clock", [this] { return clock(); }, false);
    attempt(
        "latency, 1 KiB", [this] { return latency(); }, false);
    attempt(
        "throughput, 12 MiB", [this] { return throughput(); }, false);
    report_.interrupted = stop_.stop_requested();
    add("cleaned up", clean(), true);
    return std::move(report_);
  }

 private:
  void add(std::string name, Seen seen, bool required) {
    auto& line = report_.lines.emplace_back();
    line.name = std::move(name);
    line.holds = seen.has_value();
    line.required = required;
    line.detail = seen ? std::move(seen->text) : seen.error().message();
    if (seen) line.figures = std::move(seen->figures);
  }

  // A trial that the stop cut short says nothing about the store.
  template <typename Trial>
  void attempt(const char* name, const Trial& trial, bool required = true) {
    if (stop_.stop_requested()) return;
    auto seen = trial();
    if (!seen && stop_.stop_requested()) return;
    add(name, std::move(seen), required);
  }

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
    return Sight{"each state seen at once, and its removal"};
  }

  Seen create_once() {
    TRY(put("created", "first", PutCondition::absent()));
    const auto again = put("created", "second", PutCondition::absent());
    if (again) return wrong("created twice: the store ignores the condition");
    if (again.error().code() != core::ErrorCode::kConflict) return again.error();
    TRY(expect("created", "first"));
    return Sight{"created once, refused the second time"};
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
    return Sight{"current version replaced, outdated one refused"};
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
    return Sight{
        core::text("one winner each in ", kRounds, " rounds, at most ", one_decimal(worst), " ms"),
        {{"slowest_round_ms", worst}}};
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
    return Sight{"exact"};
  }

  Seen copy() {
    TRY_ASSIGN(const auto source, put("source", "old"));
    TRY(store_.copy(key("source"), key("copy"), source.version));
    TRY(put("source", "new"));
    TRY(expect("copy", "old"));
    const auto stale = store_.copy(key("source"), key("copy-2"), source.version);
    if (stale) return wrong("copied a source that had changed");
    return Sight{"copies the version that was meant, or nothing"};
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
    return Sight{"complete, in byte order"};
  }

  Seen clock() {
    TRY(put("clock", "x"));
    TRY_ASSIGN(const auto info, store_.head(key("clock")));
    const auto apart = info.last_modified - core::system_now();
    const auto seconds = std::chrono::duration<double>(apart).count();
    std::string text = core::text("the store's is ", one_decimal(std::abs(seconds)), " s ",
                                  seconds < 0 ? "behind" : "ahead");
    if (std::chrono::abs(apart) > kMostSkew) return wrong(std::move(text));
    return Sight{std::move(text), {{"ahead_s", seconds}}};
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
    const double put_ms = puts[puts.size() / 2];
    const double get_ms = gets[gets.size() / 2];
    return Sight{
        core::text("put ", one_decimal(put_ms), " ms, get ", one_decimal(get_ms), " ms (medians)"),
        {{"put_ms", put_ms}, {"get_ms", get_ms}}};
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
      return static_cast<double>(kLargeBytes) / 1e3 / std::max(milliseconds, 0.001);
    };
    return Sight{core::text("write ", one_decimal(rate(up)), " MB/s, read ",
                            one_decimal(rate(down)), " MB/s"),
                 {{"write_mb_per_s", rate(up)}, {"read_mb_per_s", rate(down)}}};
  }

  Seen clean() {
    std::size_t removed = 0;
    // after a stop, requests that were given up may still be carried out
    for (int quiet = 0; quiet < (report_.interrupted ? 2 : 1);) {
      if (quiet > 0) std::this_thread::sleep_for(kLanding);
      auto number = remove_listed();
      if (!number) {
        return std::move(number).error().within(
            core::text("objects below ", store_.location(), prefix_, " may be left"));
      }
      quiet = *number == 0 || !report_.interrupted ? quiet + 1 : 1;
      removed += *number;
    }
    return Sight{core::text(removed, " objects removed")};
  }

  core::Result<std::size_t> remove_listed() {
    TRY_ASSIGN(const auto left, list_all(cleaner_, prefix_));
    std::vector<Key> keys;
    keys.reserve(left.size());
    for (const auto& object : left) keys.push_back(object.key);
    for (const auto& status : cleaner_.remove(keys)) {
      if (!status) return status.error();
    }
    return keys.size();
  }

  template <typename T>
  static core::Status to_status(core::Result<T> result) {
    if (!result) return std::move(result).error();
    return {};
  }

  ObjectStore& store_;
  ObjectStore& cleaner_;
  const std::stop_token stop_;
  const std::string prefix_;
  SelftestReport report_;
};

}  // namespace

bool SelftestReport::fit() const {
  return !interrupted && std::ranges::all_of(lines, [](const SelftestLine& line) {
    return line.holds || !line.required;
  });
}

SelftestReport run_selftest(ObjectStore& store) {
  return run_selftest(store, store, {});
}

SelftestReport run_selftest(ObjectStore& store, ObjectStore& cleaner, const std::stop_token& stop) {
  return Selftest(store, cleaner, stop).run();
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
  const char* const verdict = report.interrupted ? ": interrupted\n"
                              : report.fit()     ? ": fit for transactions\n"
                                                 : ": NOT fit for transactions\n";
  return text + report.location + verdict;
}

}  // namespace icefield::object_store
