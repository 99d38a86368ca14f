#pragma once

#include <ostream>
#include <string_view>
#include <vector>

#include "object_store/object_store.h"

namespace icefield::object_store_testing {

/// What a kind of store cannot do by its nature; everything else is demanded of all.
struct StoreTraits {
  bool key_beside_folder = true;  // keys `k` and `k/x` may both exist
  /// False: listings follow folders, in their order, in start_after, and in showing emptied ones.
  bool byte_order = true;
  bool conditional_copy = true;  // false: copies whatever the source is now (an emulator's fault)
  bool atomic_parts = true;      // false: several who create one large object in parts at the same
                                 // moment may all be told that they did (an emulator's fault)
};

/// One requirement. `run` gets a store without objects and reports by GoogleTest expectations.
struct ConformanceCheck {
  std::string_view name;
  void (*run)(object_store::ObjectStore& store, const StoreTraits& traits);
};

std::ostream& operator<<(std::ostream& out, const ConformanceCheck& check);

/// All requirements. Instantiate them as a parameterised test:
///   class Local : public testing::TestWithParam<ConformanceCheck> {};
///   TEST_P(Local, conforms) { GetParam().run(*store, traits); }
///   INSTANTIATE_TEST_SUITE_P(, Local, testing::ValuesIn(conformance_checks()), check_name);
std::vector<ConformanceCheck> conformance_checks();

/// The part of conformance_checks that a read-only store can keep, on the objects that
/// fill_for_reading has written by other means.
std::vector<ConformanceCheck> reading_checks();

/// Writes the objects that reading_checks expects.
void fill_for_reading(object_store::ObjectStore& store);

/// Names the instances of a parameterised test.
struct CheckName {
  template <typename Info>
  std::string operator()(const Info& tested) const {
    return std::string(tested.param.name);
  }
};
inline constexpr CheckName check_name;

}  // namespace icefield::object_store_testing
