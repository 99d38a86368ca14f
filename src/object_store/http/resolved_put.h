#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "core/result.h"
#include "object_store/http/retry.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// What the answer to a put says about it.
enum class PutVerdict {
  kWritten,
  kRefused,    // the condition does not hold now
  kDisturbed,  // another request was in the way; neither won nor lost
  kFailed,     // anything else
};

/// An object as a look at it shows it, with the id of the put that wrote it (empty: none).
struct FoundWrite {
  ObjectInfo info;
  std::string id;
};

/// One object to be put. Refers to what it is made of.
struct PutOrder {
  /// `parts_from`: bytes of the first body that needs several requests.
  PutOrder(const Key& key, std::span<const std::byte> bytes, const PutCondition& condition,
           std::uint64_t parts_from);

  const Key& key;
  std::span<const std::byte> bytes;
  const PutCondition& condition;
  bool in_parts;   // several requests are needed
  std::string id;  // fresh, for the object's metadata; empty for a plain put by one request
};

/// How a kind of store puts one object.
struct PutSteps {
  std::string id;  // carried by the object's metadata; empty: the put carries none
  std::function<Sent()> send;
  std::function<PutVerdict(const HttpResponse&)> judge;
  std::function<core::Result<ObjectInfo>(const HttpResponse&)> written;
  std::function<core::Error(const HttpResponse&)> error_of;
  std::function<core::Result<FoundWrite>()> look;
};

/// The header or metadata name of the id.
inline constexpr const char* kWriteIdName = "icechunkwriteid";

/// The condition as HTTP has it: if-none-match or if-match; nothing without one.
Headers condition_headers(const PutCondition& condition);

/// A fresh id, 32 hex digits.
std::string fresh_write_id();

/// Puts and finds out what became of it: an answer that is missing, or says that the condition does
/// not hold, is decided by whose id the object has. A conflict is only reported when no attempt of
/// this put can have been carried out; else what the id cannot decide is kUnknownOutcome.
core::Result<ObjectInfo> resolve_put(const PutSteps& steps);

/// The same where the first request has been sent already, together with others.
core::Result<ObjectInfo> resolve_put(const PutSteps& steps, Sent first);

}  // namespace icefield::object_store
