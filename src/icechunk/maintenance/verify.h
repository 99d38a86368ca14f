#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "icechunk/commit/repository.h"

namespace icefield::icechunk {

enum class Severity : std::uint8_t {
  kDamage,   // readers or writers fail, or see something else than was written
  kUnusual,  // tolerated, but no writer should leave it so
};

struct Finding {
  Severity severity = Severity::kDamage;
  std::string object;  // key of the file it was found in
  std::string what;
};

struct VerifyReport {
  std::vector<Finding> findings;
  std::uint64_t snapshots = 0;  // looked at
  std::uint64_t manifests = 0;
  std::uint64_t references = 0;
  bool sound() const;  // no damage
};

/// Looks at every file that the repository's refs, snapshots and log lead to and at how they fit
/// together: the rules of docs/formats/icechunk.md. Virtual sources are not read. Every problem
/// becomes a finding; only a repository that cannot be opened, or a store that fails, is an error.
core::Result<VerifyReport> verify(const Repository& repository);

}  // namespace icefield::icechunk
