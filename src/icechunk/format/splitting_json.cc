#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.h"
#include "icechunk/format/splitting.h"

namespace icefield::icechunk {
namespace {

constexpr unsigned kMaxDepth = 64;

core::Error corrupt(std::string_view what) {
  return core::Error(core::ErrorCode::kCorrupt, core::text("manifest.splitting: ", what));
}

/// Enum variants with data are objects of one member: its name tells the variant.
const core::Json::Member* variant_of(const core::Json& value) {
  if (!value.is_object() || value.as_object().size() != 1) return nullptr;
  return &value.as_object().front();
}

core::Result<std::string> regex_of(const core::Json& value) {
  const core::Json* const regex = value.find("regex");
  if (regex == nullptr || !regex->is_string()) return corrupt("a condition without regex");
  return regex->as_string();
}

core::Result<ArrayCondition> array_condition(const core::Json& value, unsigned depth) {
  using Kind = ArrayCondition::Kind;
  if (depth > kMaxDepth) return corrupt("nested too deeply");
  if (value.is_string() && value.as_string() == "any_array") {
    return ArrayCondition{.kind = Kind::kAny};
  }
  const auto* const variant = variant_of(value);
  if (variant == nullptr) return corrupt("a condition that is none");
  const auto& [name, data] = *variant;
  if (name == "path_matches" || name == "name_matches") {
    ArrayCondition made{.kind = name == "path_matches" ? Kind::kPathMatches : Kind::kNameMatches};
    TRY_ASSIGN(made.regex, regex_of(data));
    return made;
  }
  if ((name == "or" || name == "and") && data.is_array()) {
    ArrayCondition made{.kind = name == "or" ? Kind::kOr : Kind::kAnd};
    for (const core::Json& part : data.as_array()) {
      TRY_ASSIGN(auto one, array_condition(part, depth + 1));
      made.parts.push_back(std::move(one));
    }
    return made;
  }
  return corrupt(core::text("condition ", name));
}

core::Result<SplitSize> split_size(const core::Json& value) {
  const core::Json* const condition = value.find("condition");
  const core::Json* const chunks = value.find("num_chunks");
  if (condition == nullptr || chunks == nullptr || !chunks->is_unsigned() ||
      chunks->as_uint64() > std::numeric_limits<std::uint32_t>::max()) {
    return corrupt("a size needs condition and num_chunks");
  }
  SplitSize made{.num_chunks = static_cast<std::uint32_t>(chunks->as_uint64())};
  if (condition->is_string() && condition->as_string() == "Any") return made;
  const auto* const variant = variant_of(*condition);
  if (variant == nullptr) return corrupt("an axis condition that is none");
  const auto& [name, data] = *variant;
  if (name == "Axis" && data.is_unsigned()) {
    made.condition = {.kind = AxisCondition::Kind::kAxis, .axis = data.as_uint64()};
  } else if (name == "DimensionName" && data.is_string()) {
    made.condition = {.kind = AxisCondition::Kind::kDimensionName, .regex = data.as_string()};
  } else {
    return corrupt(core::text("axis condition ", name));
  }
  return made;
}

core::Json to_json(const ArrayCondition& condition) {
  const auto with_parts = [&condition](std::string_view name) {
    core::Json::Array parts;
    for (const ArrayCondition& part : condition.parts) parts.push_back(to_json(part));
    return core::Json::object({{std::string(name), core::Json(std::move(parts))}});
  };
  const auto with_regex = [&condition](std::string_view name) {
    return core::Json::object(
        {{std::string(name), core::Json::object({{"regex", condition.regex}})}});
  };
  switch (condition.kind) {
    case ArrayCondition::Kind::kOr:
      return with_parts("or");
    case ArrayCondition::Kind::kAnd:
      return with_parts("and");
    case ArrayCondition::Kind::kPathMatches:
      return with_regex("path_matches");
    case ArrayCondition::Kind::kNameMatches:
      return with_regex("name_matches");
    case ArrayCondition::Kind::kAny:
      break;
  }
  return "any_array";
}

core::Json to_json(const AxisCondition& condition) {
  switch (condition.kind) {
    case AxisCondition::Kind::kAxis:
      return core::Json::object({{"Axis", condition.axis}});
    case AxisCondition::Kind::kDimensionName:
      return core::Json::object({{"DimensionName", condition.regex}});
    case AxisCondition::Kind::kAny:
      break;
  }
  return "Any";
}

}  // namespace

core::Result<SplittingRules> splitting_from_json(const core::Json& splitting) {
  SplittingRules rules;
  if (splitting.is_null()) return rules;
  const core::Json* const listed = splitting.find("split_sizes");
  if (listed == nullptr || listed->is_null()) return rules;
  if (!listed->is_array()) return corrupt("split_sizes is no list");
  for (const core::Json& pair : listed->as_array()) {
    if (!pair.is_array() || pair.as_array().size() != 2 || !pair.as_array()[1].is_array()) {
      return corrupt("a rule is a pair of condition and list");
    }
    SplitRule rule;
    TRY_ASSIGN(rule.condition, array_condition(pair.as_array()[0], 0));
    for (const core::Json& size : pair.as_array()[1].as_array()) {
      TRY_ASSIGN(auto made, split_size(size));
      rule.sizes.push_back(std::move(made));
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

core::Json splitting_to_json(const SplittingRules& rules) {
  core::Json::Array listed;
  for (const SplitRule& rule : rules) {
    core::Json::Array sizes;
    for (const SplitSize& size : rule.sizes) {
      sizes.push_back(core::Json::object(
          {{"condition", to_json(size.condition)}, {"num_chunks", size.num_chunks}}));
    }
    listed.push_back(core::Json::array({to_json(rule.condition), core::Json(std::move(sizes))}));
  }
  return core::Json::object({{"split_sizes", core::Json(std::move(listed))}});
}

}  // namespace icefield::icechunk
