#include "object_store/testing/conformance.h"

#include "object_store/testing/expectations.h"

namespace icefield::object_store_testing {

std::ostream& operator<<(std::ostream& out, const ConformanceCheck& check) {
  return out << check.name;
}

std::vector<ConformanceCheck> conformance_checks() {
  std::vector<ConformanceCheck> all;
  for (const auto& part : {reads(), writes(), listings(), races()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace icefield::object_store_testing
