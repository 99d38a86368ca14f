#include "object_store/http/resolved_put.h"

#include <array>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "core/random.h"
#include "object_store/internal/digest.h"

namespace icefield::object_store {
namespace {

constexpr int kMostDisturbed = 8;

// The object if this put wrote it.
std::optional<ObjectInfo> mine(const PutSteps& steps) {
  if (steps.id.empty()) return std::nullopt;
  auto found = steps.look();
  if (!found || found->id != steps.id) return std::nullopt;
  return std::move(found->info);
}

core::Result<ObjectInfo> after_silence(const PutSteps& steps, core::Error error, bool perhaps) {
  const auto code = error.code();
  const bool never_sent =
      code == core::ErrorCode::kUnavailable || code == core::ErrorCode::kCancelled;
  if ((never_sent && !perhaps) || code == core::ErrorCode::kPermissionDenied ||
      code == core::ErrorCode::kInvalidArgument) {
    return error;
  }
  if (auto found = mine(steps)) return *std::move(found);
  return core::Error(core::ErrorCode::kUnknownOutcome, error.message());
}

}  // namespace

PutOrder::PutOrder(const Key& put_key, std::span<const std::byte> body,
                   const PutCondition& must_hold, std::uint64_t parts_from)
    : key(put_key), bytes(body), condition(must_hold), in_parts(body.size() >= parts_from) {
  if (in_parts || condition.kind != PutCondition::Kind::kNone) id = fresh_write_id();
}

Headers condition_headers(const PutCondition& condition) {
  switch (condition.kind) {
    case PutCondition::Kind::kNone:
      return {};
    case PutCondition::Kind::kAbsent:
      return {{"if-none-match", "*"}};
    case PutCondition::Kind::kUnchangedSince:
      return {{"if-match", condition.since ? condition.since->value() : "\"\""}};
  }
  return {};
}

std::string fresh_write_id() {
  std::array<std::byte, 16> id{};
  core::fill_random(id);
  return hex(id);
}

core::Result<ObjectInfo> resolve_put(const PutSteps& steps) {
  return resolve_put(steps, steps.send());
}

core::Result<ObjectInfo> resolve_put(const PutSteps& steps, Sent first) {
  bool perhaps = false;  // an attempt without an answer may have been carried out
  for (int attempt = 1;; ++attempt) {
    Sent sent = attempt == 1 ? std::move(first) : steps.send();
    perhaps = perhaps || sent.may_have_happened_before;
    if (!sent.answer) return after_silence(steps, std::move(sent.answer).error(), perhaps);
    const auto verdict = steps.judge(*sent.answer);
    if (verdict == PutVerdict::kWritten) return steps.written(*sent.answer);
    if (verdict == PutVerdict::kFailed) return steps.error_of(*sent.answer);
    if (verdict == PutVerdict::kDisturbed && attempt < kMostDisturbed) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5 << attempt));
      continue;
    }
    if (verdict == PutVerdict::kDisturbed) {  // for good: nobody has won
      return after_silence(
          steps, {core::ErrorCode::kUnavailable, steps.error_of(*sent.answer).message()}, perhaps);
    }
    // the service may say so because this put, sent twice on its way, made it so
    if (auto found = mine(steps)) return *std::move(found);
    return core::Error(perhaps ? core::ErrorCode::kUnknownOutcome : core::ErrorCode::kConflict,
                       steps.error_of(*sent.answer).message());
  }
}

}  // namespace icefield::object_store
