#pragma once

#include <span>
#include <string>
#include <string_view>

namespace icefield::sample_source {

/// A message that the provider's files hold and no variable of the dataset uses.
struct ExtraMessage {
  std::string_view file_type;
  std::string_view element;
  std::string_view level;
};

/// What is invented for one dataset beyond its specification.
struct Provider {
  std::string_view dataset_id;
  std::span<const std::string_view> few_variables;  // names or paths; every packing among them
  std::span<const ExtraMessage> extra_messages;     // each file type's in the provider's order
};

/// The provider of a dataset, or nullptr when no sample source is made for it.
const Provider* find_provider(std::string_view dataset_id);

/// Ids of the datasets that have one, "a, b".
std::string provided_datasets();

}  // namespace icefield::sample_source
