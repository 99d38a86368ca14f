#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "dataset/source_file.h"
#include "dataset/spec.h"

/// What the compiler checks of every dataset. Each part is a predicate of its own, so that a failed
/// static_assert can be narrowed down. Pointers are followed, never compared with null: an address
/// is no constant under the undefined-behaviour sanitizer, and a null that is followed does not
/// compile either.
namespace icefield::dataset {

constexpr bool has_dimension(const DatasetSpec& spec, std::string_view name) {
  return std::ranges::any_of(spec.dimensions,
                             [name](const Dimension& dimension) { return dimension.name == name; });
}

/// Ids hold [a-zA-Z0-9-]; the append dimension comes first and moves forward.
constexpr bool identity_well_formed(const DatasetSpec& spec) {
  const bool characters = std::ranges::all_of(spec.id, [](char c) {
    return c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  return characters && !spec.id.empty() && !spec.version.empty() && !spec.dimensions.empty() &&
         std::holds_alternative<AppendAxis>(spec.append_dimension().axis) &&
         spec.append_every > core::Seconds{0};
}

/// Dimension names are unique; exactly one dimension is appended to.
constexpr bool dimensions_well_formed(const DatasetSpec& spec) {
  for (std::size_t i = 0; i < spec.dimensions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (spec.dimensions[i].name == spec.dimensions[j].name) return false;
    }
    if ((length_of(spec.dimensions[i]) == 0) != (i == 0)) return false;
  }
  return true;
}

/// The root comes first; other groups add exactly the dimension that they are named after; every
/// chunk has an extent, every shard holds whole chunks, all agree along the append dimension, and
/// every group is used.
constexpr bool groups_well_formed(const DatasetSpec& spec) {
  if (spec.groups.empty() || !spec.groups[0].name.empty()) return false;
  const Group& root = spec.groups[0];
  for (std::size_t g = 0; g < spec.groups.size(); ++g) {
    const Group& group = spec.groups[g];
    if (group.chunks.size() != group.dims.size() || group.dims.empty()) return false;
    if (group.dims[0] != spec.append_dimension().name) return false;
    if (group.chunks[0] != root.chunks[0]) return false;
    if (!group.shards.empty() && group.shards.size() != group.dims.size()) return false;
    for (std::size_t i = 0; i < group.dims.size(); ++i) {
      if (!has_dimension(spec, group.dims[i]) || group.chunks[i] == 0) return false;
      if (!group.shards.empty() && group.shards[i] % group.chunks[i] != 0) return false;
    }
    std::size_t added = 0;
    for (const auto name : group.dims) {
      const bool in_root = std::ranges::find(root.dims, name) != root.dims.end();
      if (!in_root && name != group.name) return false;
      if (!in_root) ++added;
    }
    if (group.dims.size() != root.dims.size() + added || added != (g == 0 ? 0U : 1U)) return false;
    const auto here = [g](const Variable& variable) { return variable.group == g; };
    if (!std::ranges::any_of(spec.variables, here)) return false;
  }
  return true;
}

/// Every dimension has its coordinate; names are unique; derived coordinates are no dimensions.
constexpr bool coordinates_well_formed(const DatasetSpec& spec) {
  for (const Dimension& dimension : spec.dimensions) {
    const auto is_its = [&](const Coordinate& coordinate) {
      return coordinate.name == dimension.name && coordinate.dims.size() == 1 &&
             coordinate.dims[0] == dimension.name &&
             coordinate.derivation == Derivation::kDimension;
    };
    if (std::ranges::count_if(spec.coordinates, is_its) != 1) return false;
  }
  for (std::size_t i = 0; i < spec.coordinates.size(); ++i) {
    const Coordinate& one = spec.coordinates[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (spec.coordinates[j].name == one.name) return false;
    }
    const bool is_dimension = has_dimension(spec, one.name);
    if (is_dimension != (one.derivation == Derivation::kDimension)) return false;
    for (const auto name : one.dims) {
      if (!has_dimension(spec, name)) return false;
    }
  }
  return true;
}

/// Paths are unique and no root variable is named like a group; a variable has a window exactly
/// when it is not instantaneous; a level pattern exactly in a group; flags as many as meanings.
constexpr bool variables_well_formed(const DatasetSpec& spec) {
  for (std::size_t i = 0; i < spec.variables.size(); ++i) {
    const Variable& one = spec.variables[i];
    if (one.group >= spec.groups.size() || one.quantity->name.empty()) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (spec.variables[j].group == one.group &&
          spec.variables[j].quantity->name == one.quantity->name) {
        return false;
      }
    }
    for (const Group& group : spec.groups) {
      if (one.group == 0 && group.name == one.quantity->name) return false;
    }
    if ((one.source.window_reset == kNoWindow) != (one.step == StepType::kInstant)) return false;
    const bool pattern = one.source.level.find("{level}") != std::string_view::npos;
    if (pattern != (one.group != 0)) return false;
    const Flags& flags = one.options.flags;
    const auto meanings = static_cast<std::size_t>(std::ranges::count(flags.meanings, ' ')) + 1;
    if (flags.values.size() != (flags.meanings.empty() ? 0 : meanings)) return false;
    if (one.options.filter.scale == 0) return false;
  }
  return true;
}

/// A virtual dataset has its source and containers, whose prefixes end in '/'; the last manifest
/// row matches every array; file types exist.
constexpr bool virtual_well_formed(const DatasetSpec& spec) {
  if (spec.kind != DatasetKind::kVirtual) return true;
  for (const Container& container : spec.virtual_config->containers) {
    if (container.name.empty() || !container.url_prefix.ends_with('/')) return false;
  }
  const auto& split = spec.virtual_config->manifest_split;
  if (spec.virtual_config->containers.empty() || split.empty()) return false;
  if (!split.back().path_matches.empty()) return false;
  for (const ManifestSplit& row : split) {
    if (row.size == 0 || !has_dimension(spec, row.dimension)) return false;
  }
  for (const Group& group : spec.groups) {
    if (!group.shards.empty()) return false;
  }
  const std::size_t types = spec.virtual_source->file_types.size();
  return std::ranges::all_of(spec.variables,
                             [types](const Variable& one) { return one.source.file_type < types; });
}

consteval bool well_formed(const DatasetSpec& spec) {
  return identity_well_formed(spec) && dimensions_well_formed(spec) && groups_well_formed(spec) &&
         coordinates_well_formed(spec) && variables_well_formed(spec) && virtual_well_formed(spec);
}

}  // namespace icefield::dataset
