#include "object_store/testing/faulty_store.h"

#include <csignal>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

#include <unistd.h>

#include "core/random.h"
#include "core/text.h"

namespace icefield::object_store_testing {
namespace {

using object_store::Key;
using object_store::Object;
using object_store::ObjectInfo;
using object_store::Version;

/// What was drawn for one call.
struct Verdict {
  Call call;
  std::optional<FaultRule> rule;
  std::chrono::microseconds latency{0};
  std::function<void()> late;  // left over from an earlier call
};

bool changes(Operation operation) {
  return operation == Operation::kPut || operation == Operation::kCopy;
}

core::Error injected(const Verdict& verdict, core::ErrorCode code, std::string_view what) {
  return {code, core::text(verdict.call.key, ": ", what, " (injected at call ", verdict.call.number,
                           ")")};
}

void spoil(core::Bytes& bytes, Fault fault) {
  if (fault == Fault::kTruncatedBody) bytes.resize(bytes.size() / 2);
  if (fault == Fault::kFlippedByte && !bytes.empty()) bytes[bytes.size() / 2] ^= std::byte{0x40};
}
void spoil(ObjectInfo& /*info*/, Fault /*fault*/) {}
void spoil(Object& object, Fault fault) {
  spoil(object.bytes, fault);
}
void spoil(std::optional<Object>& object, Fault fault) {
  if (object) spoil(object->bytes, fault);
}
template <typename T>
void spoil(core::Result<T>& result, Fault fault) {
  if constexpr (!std::is_void_v<T>) {
    if (result) spoil(*result, fault);
  }
}
template <typename T>
void spoil(std::vector<T>& results, Fault fault) {
  for (auto& result : results) spoil(result, fault);
}

template <typename T>
void fail(core::Result<T>& result, const core::Error& error) {
  result = error;
}
template <typename T>
void fail(std::vector<T>& results, const core::Error& error) {
  for (auto& result : results) result = error;
}

class FaultyStore final : public object_store::ObjectStore {
 public:
  FaultyStore(ObjectStore& inner, FaultPlan plan)
      : inner_(inner), plan_(std::move(plan)), state_(plan_.seed), picked_(plan_.rules.size(), 0) {}

  const std::string& location() const override { return inner_.location(); }

  core::Result<Object> get(const Key& key) const override {
    return run(Operation::kGet, key.value(), core::Result<Object>(Object{}),
               [this, key] { return inner_.get(key); });
  }

  core::Result<std::optional<Object>> get_if_changed(const Key& key,
                                                     const Version& known) const override {
    return run(Operation::kGetIfChanged, key.value(),
               core::Result<std::optional<Object>>(std::nullopt),
               [this, key, known] { return inner_.get_if_changed(key, known); });
  }

  std::vector<core::Result<core::Bytes>> get_many(
      const Key& key, std::span<const core::ByteRange> ranges) const override {
    return run(Operation::kGetMany, key.value(),
               std::vector<core::Result<core::Bytes>>(ranges.size(), core::Bytes{}),
               [this, &key, ranges] { return inner_.get_many(key, ranges); });
  }

  core::Result<core::Bytes> get_suffix(const Key& key, std::uint64_t length) const override {
    return run(Operation::kGetSuffix, key.value(), core::Result<core::Bytes>(core::Bytes{}),
               [this, key, length] { return inner_.get_suffix(key, length); });
  }

  core::Result<ObjectInfo> head(const Key& key) const override {
    return run(Operation::kHead, key.value(), core::Result<ObjectInfo>(ObjectInfo{}),
               [this, key] { return inner_.head(key); });
  }

  core::Result<ObjectInfo> put(const Key& key, std::span<const std::byte> bytes,
                               const object_store::PutCondition& condition) override {
    const core::Bytes kept(bytes.begin(), bytes.end());  // a late repetition outlives the caller's
    return run(Operation::kPut, key.value(), core::Result<ObjectInfo>(ObjectInfo{}),
               [this, key, kept, condition] { return inner_.put(key, kept, condition); });
  }

  core::Status copy(const Key& from, const Key& to,
                    const std::optional<Version>& only_if) override {
    return run(Operation::kCopy, to.value(), core::Status(),
               [this, from, to, only_if] { return inner_.copy(from, to, only_if); });
  }

  std::vector<core::Status> remove(std::span<const Key> keys) override {
    const std::vector<Key> kept(keys.begin(), keys.end());
    return run(Operation::kRemove, keys.empty() ? std::string() : keys.front().value(),
               std::vector<core::Status>(keys.size()),
               [this, kept] { return inner_.remove(kept); });
  }

  core::Status list(
      const object_store::ListOptions& options,
      const std::function<bool(const object_store::ListPage&)>& visit) const override {
    return run(Operation::kList, options.prefix, core::Status(),
               [this, &options, &visit] { return inner_.list(options, visit); });
  }

  core::Result<std::size_t> remove_leftovers(core::Instant older_than) override {
    return inner_.remove_leftovers(older_than);
  }

 private:
  // `blank` has the shape of an answer, for calls that are not carried out.
  template <typename Answer, typename Work>
  Answer run(Operation operation, const std::string& key, Answer blank, Work work) const {
    const Verdict verdict = judge(operation, key);
    if (verdict.late) verdict.late();
    if (plan_.before) plan_.before(verdict.call);
    std::this_thread::sleep_for(verdict.latency);
    if (verdict.rule && verdict.rule->fault == Fault::kErrorBefore) {
      fail(blank, injected(verdict, core::ErrorCode::kUnavailable, "refused"));
      return blank;
    }
    Answer answer = work();
    if (verdict.rule) break_answer(verdict, answer, work);
    if (plan_.after) plan_.after(verdict.call);
    return answer;
  }

  template <typename Answer, typename Work>
  void break_answer(const Verdict& verdict, Answer& answer, Work& work) const {
    const auto fault = verdict.rule->fault;
    const auto operation = verdict.call.operation;
    if (fault == Fault::kLostAnswer) {
      fail(answer, injected(verdict,
                            changes(operation) ? core::ErrorCode::kUnknownOutcome
                                               : core::ErrorCode::kUnavailable,
                            "answer lost"));
    } else if (changes(operation) || operation == Operation::kRemove) {
      if (fault == Fault::kTwice) static_cast<void>(work());
      if (fault == Fault::kTwiceLate) leave([work]() mutable { static_cast<void>(work()); });
    } else {
      spoil(answer, fault);
    }
  }

  Verdict judge(Operation operation, const std::string& key) const {
    const std::lock_guard lock(mutex_);
    Verdict verdict{.call = {++calls_, operation, key},
                    .rule = {},
                    .latency = plan_.latency,
                    .late = std::exchange(late_, {})};
    if (plan_.jitter.count() > 0)
      verdict.latency += std::chrono::microseconds(
          static_cast<std::int64_t>(draw() * static_cast<double>(plan_.jitter.count())));
    for (std::size_t i = 0; i < plan_.rules.size(); ++i) {
      const auto& rule = plan_.rules[i];
      if (rule.operation && *rule.operation != operation) continue;
      if (key.find(rule.key_part) == std::string::npos) continue;
      if (draw() >= rule.chance) continue;
      if (picked_[i] >= rule.skip + std::int64_t{rule.count}) continue;
      if (++picked_[i] <= rule.skip) continue;
      verdict.rule = rule;
      if (rule.fault == Fault::kDelay) verdict.latency += rule.delay;
      break;
    }
    return verdict;
  }

  double draw() const { return static_cast<double>(core::splitmix64(state_) >> 11U) * 0x1.0p-53; }

  void leave(std::function<void()> late) const {
    const std::lock_guard lock(mutex_);
    late_ = std::move(late);
  }

  ObjectStore& inner_;
  const FaultPlan plan_;
  mutable std::mutex mutex_;  // guards the members below
  mutable std::uint64_t state_;
  mutable std::uint64_t calls_ = 0;
  mutable std::vector<std::int64_t> picked_;
  mutable std::function<void()> late_;
};

}  // namespace

std::function<void(const Call&)> crash_at(std::uint64_t n) {
  return [n](const Call& call) {
    if (call.number == n) ::kill(::getpid(), SIGKILL);
  };
}

std::unique_ptr<object_store::ObjectStore> make_faulty_store(object_store::ObjectStore& inner,
                                                             FaultPlan plan) {
  return std::make_unique<FaultyStore>(inner, std::move(plan));
}

}  // namespace icefield::object_store_testing
