#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "object_store/object_store.h"
#include "object_store/testing/conformance.h"

// Small words of the conformance checks. Failures are reported where they are called.
namespace icefield::object_store_testing {

/// Deterministic bytes of a given length.
core::Bytes pattern(std::size_t length, std::uint64_t seed = 1);

/// Puts without a condition; a failure is fatal for the check's later expectations only.
object_store::ObjectInfo must_put(object_store::ObjectStore& store, const std::string& key,
                                  std::string_view bytes);

/// The whole object as text; "(absent)" for kNotFound, "(error ...)" else.
std::string text_of(const object_store::ObjectStore& store, const std::string& key);

/// Keys and folders in the order of the pages, folders and objects of a page merged by bytes.
std::vector<std::string> listed(const object_store::ObjectStore& store,
                                const object_store::ListOptions& options);

/// "ok", or the name of the error's code.
std::string outcome(const core::Status& status);
template <typename T>
std::string outcome(const core::Result<T>& result) {
  return result ? outcome(core::Status()) : outcome(core::Status(result.error()));
}

/// Parts of the suite, one per file.
std::vector<ConformanceCheck> reads();
std::vector<ConformanceCheck> writes();
std::vector<ConformanceCheck> listings();
std::vector<ConformanceCheck> races();

}  // namespace icefield::object_store_testing
