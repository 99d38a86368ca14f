#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace icefield::object_store {

/// The value of a variable that is set and not empty. Tests pass their own.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

/// The process's own.
Environment process_environment();

/// True for "1", "true", "yes" in any case.
bool is_true(const std::optional<std::string>& value);

}  // namespace icefield::object_store
