#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "object_store/object_store.h"

namespace icefield::object_store_testing {

/// The kinds of calls that a rule can pick.
enum class Operation : std::uint8_t {
  kGet,
  kGetIfChanged,
  kGetMany,
  kGetSuffix,
  kHead,
  kPut,
  kCopy,
  kRemove,
  kList
};

/// What goes wrong with one call.
enum class Fault : std::uint8_t {
  kErrorBefore,    // kUnavailable; nothing was carried out
  kLostAnswer,     // carried out; a put or copy says kUnknownOutcome, others kUnavailable
  kTruncatedBody,  // a read gives the first half of its bytes and says nothing
  kFlippedByte,    // a read gives bytes of which the middle one differs
  kTwice,          // a put, copy or remove is carried out a second time right after the first
  kTwiceLate,      // the second time comes with the next call of this store, whatever it is
  kDelay,          // carried out `delay` later: overtaken by what other threads ask meanwhile
};

/// One call as a rule or a hook sees it.
struct Call {
  std::uint64_t number = 0;  // 1 for the first call of this FaultyStore
  Operation operation = Operation::kGet;
  std::string key;  // of the target for a copy, the first for a remove, the prefix for a list
};

/// Picks calls: those of `operation` (any if unset) whose key holds `key_part`, from the
/// `skip` + 1st on, at most `count` of them, each with probability `chance`.
struct FaultRule {
  Fault fault = Fault::kErrorBefore;
  std::optional<Operation> operation = std::nullopt;
  std::string key_part = {};
  int skip = 0;
  int count = std::numeric_limits<int>::max();
  double chance = 1;
  std::chrono::microseconds delay{0};
};

/// How a FaultyStore behaves. Chances and latencies are drawn from `seed` in the order of calls.
struct FaultPlan {
  std::uint64_t seed = 1;
  std::chrono::microseconds latency{0};  // slept before each call
  std::chrono::microseconds jitter{0};   // up to that much more
  std::vector<FaultRule> rules = {};     // the first that picks a call decides
  /// Called around each call, in the calling thread: `before` before anything was carried out,
  /// `after` when it was and before the caller hears. Ending the process here is a crash there.
  std::function<void(const Call&)> before = {};
  std::function<void(const Call&)> after = {};
};

/// A FaultPlan hook that ends the process at once, as by kill -9, at call number `n`.
std::function<void(const Call&)> crash_at(std::uint64_t n);

/// Wraps `inner`, which must outlive it, with the plan's faults. Any number of processes may each
/// have their own over one local folder.
std::unique_ptr<object_store::ObjectStore> make_faulty_store(object_store::ObjectStore& inner,
                                                             FaultPlan plan);

}  // namespace icefield::object_store_testing
