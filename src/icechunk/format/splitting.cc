#include "icechunk/format/splitting.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <re2/re2.h>

#include "icechunk/format/path.h"

namespace icefield::icechunk {
namespace {

constexpr std::uint32_t kNoSplit = std::numeric_limits<std::uint32_t>::max();

std::unique_ptr<const re2::RE2> compile(const std::string& regex) {
  re2::RE2::Options options(re2::RE2::Quiet);
  options.set_log_errors(false);
  return std::make_unique<const re2::RE2>(regex, options);
}

bool matches(const re2::RE2& regex, std::string_view text) {
  return regex.ok() && re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), regex);
}

/// A condition of a rule with its expressions compiled.
struct CompiledArrayCondition {
  ArrayCondition::Kind kind;
  std::vector<CompiledArrayCondition> parts;
  std::unique_ptr<const re2::RE2> regex;  // null unless the kind has one

  explicit CompiledArrayCondition(const ArrayCondition& from) : kind(from.kind) {
    for (const ArrayCondition& part : from.parts) parts.emplace_back(part);
    const bool has_regex =
        kind == ArrayCondition::Kind::kPathMatches || kind == ArrayCondition::Kind::kNameMatches;
    if (has_regex) regex = compile(from.regex);
  }

  bool holds(std::string_view path) const {
    const auto part_holds = [path](const CompiledArrayCondition& part) { return part.holds(path); };
    switch (kind) {
      case ArrayCondition::Kind::kOr:
        return std::ranges::any_of(parts, part_holds);
      case ArrayCondition::Kind::kAnd:
        return std::ranges::all_of(parts, part_holds);
      case ArrayCondition::Kind::kPathMatches:
        return matches(*regex, path);
      case ArrayCondition::Kind::kNameMatches:
        return matches(*regex, path_name(path));
      case ArrayCondition::Kind::kAny:
        return true;
    }
    return false;
  }
};

struct CompiledSize {
  AxisCondition::Kind kind;
  std::uint64_t axis;
  std::unique_ptr<const re2::RE2> regex;
  std::uint32_t num_chunks;

  explicit CompiledSize(const SplitSize& from)
      : kind(from.condition.kind), axis(from.condition.axis), num_chunks(from.num_chunks) {
    if (kind == AxisCondition::Kind::kDimensionName) regex = compile(from.condition.regex);
  }

  bool holds(std::size_t of_axis, const std::optional<std::string>& name) const {
    switch (kind) {
      case AxisCondition::Kind::kAxis:
        return axis == of_axis;
      case AxisCondition::Kind::kDimensionName:
        return name && matches(*regex, *name);
      case AxisCondition::Kind::kAny:
        return true;
    }
    return false;
  }
};

struct CompiledRule {
  CompiledArrayCondition condition;
  std::vector<CompiledSize> sizes;

  explicit CompiledRule(const SplitRule& from) : condition(from.condition) {
    for (const SplitSize& size : from.sizes) sizes.emplace_back(size);
  }
};

/// Windows along one axis.
std::uint64_t windows_along(std::uint32_t chunks, std::uint32_t size) {
  return (std::uint64_t{chunks} + size - 1) / size;
}

}  // namespace

std::uint64_t Windows::count() const {
  std::uint64_t product = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const std::uint64_t along = windows_along(num_chunks[d], sizes[d]);
    if (__builtin_mul_overflow(product, along, &product)) {
      return std::numeric_limits<std::uint64_t>::max();
    }
  }
  return product;
}

std::uint64_t Windows::number_of(ChunkIndexView index) const {
  std::uint64_t number = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    number = number * windows_along(num_chunks[d], sizes[d]) + index[d] / sizes[d];
  }
  return number;
}

ChunkBox Windows::box(std::uint64_t number) const {
  std::vector<ChunkRange> ranges(sizes.size());
  for (std::size_t d = sizes.size(); d-- > 0;) {
    const std::uint64_t along = windows_along(num_chunks[d], sizes[d]);
    const std::uint64_t from = number % along * sizes[d];
    number /= along;
    ranges[d] = {
        .from = static_cast<std::uint32_t>(from),
        .to = static_cast<std::uint32_t>(std::min<std::uint64_t>(from + sizes[d], num_chunks[d]))};
  }
  return ChunkBox(ranges);
}

class Splitter::Impl {
 public:
  explicit Impl(const SplittingRules& rules) {
    for (const SplitRule& rule : rules) rules_.emplace_back(rule);
  }

  Windows windows(std::string_view path, const ArrayData& array) const {
    Windows made;
    const std::size_t rank = array.shape.size();
    made.num_chunks = array.num_chunks();
    std::vector<std::optional<std::uint32_t>> settled(rank);
    for (const CompiledRule& rule : rules_) {
      if (!rule.condition.holds(path)) continue;
      for (std::size_t axis = 0; axis < rank; ++axis) {
        if (settled[axis]) continue;
        const auto name = array.dimension_names ? (*array.dimension_names)[axis] : std::nullopt;
        const auto size = std::ranges::find_if(
            rule.sizes, [&](const CompiledSize& one) { return one.holds(axis, name); });
        if (size != rule.sizes.end()) settled[axis] = size->num_chunks;
      }
    }
    for (const auto& size : settled) made.sizes.push_back(std::max(1U, size.value_or(kNoSplit)));
    return made;
  }

 private:
  std::vector<CompiledRule> rules_;
};

Splitter::Splitter(const SplittingRules& rules) : impl_(std::make_unique<const Impl>(rules)) {}
Splitter::Splitter(Splitter&&) noexcept = default;
Splitter& Splitter::operator=(Splitter&&) noexcept = default;
Splitter::~Splitter() = default;

Windows Splitter::windows(std::string_view path, const ArrayData& array) const {
  return impl_->windows(path, array);
}

}  // namespace icefield::icechunk
