#include "dataset/template.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/file.h"
#include "core/sha256.h"
#include "core/text.h"
#include "dataset/coordinate_values.h"
#include "dataset/internal/template_arrays.h"

namespace icefield::dataset {
namespace {

constexpr std::string_view kDocument = "zarr.json";
constexpr std::string_view kDigests = "coordinates.sha256";

std::string in_group(const Group& group, std::string_view name) {
  return group.name.empty() ? std::string(name) : core::text(group.name, "/", name);
}

/// Sets the extent along the append dimension of an array that has it.
void resize(zarr::ArrayMetadata& array, std::string_view append_dimension, std::uint64_t size) {
  if (!array.dimension_names) return;
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    if ((*array.dimension_names)[i] == append_dimension) array.shape[i] = size;
  }
}

bool has_dimension(const zarr::NodeMetadata& node, std::string_view name) {
  const auto* const array = std::get_if<zarr::ArrayMetadata>(&node);
  return array != nullptr && array->dimension_names &&
         std::ranges::find(*array->dimension_names, std::optional<std::string>(name)) !=
             array->dimension_names->end();
}

/// The checked-in template belongs to this version of the code.
core::Status check_identity(const DatasetSpec& spec, const Template& made) {
  const auto* const root =
      made.nodes.empty() ? nullptr : std::get_if<zarr::GroupMetadata>(&made.nodes[0].metadata);
  if (root == nullptr || !made.nodes[0].path.empty()) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("the template of ", spec.id, " has no root group"));
  }
  const auto equals = [&](std::string_view name, std::string_view value) {
    const core::Json* const found = root->attributes.find(name);
    return found != nullptr && *found == core::Json(value);
  };
  if (equals("dataset_id", spec.id) && equals("dataset_version", spec.version)) return {};
  return core::Error(core::ErrorCode::kInvalidArgument,
                     core::text("the checked-in template is not of ", spec.id, " ", spec.version,
                                ": run update-template"));
}

std::string node_path(std::string_view file_name) {
  file_name.remove_suffix(std::min(file_name.size(), kDocument.size()));
  if (file_name.ends_with('/')) file_name.remove_suffix(1);
  return std::string(file_name);
}

std::string file_name(const std::string& node_path) {
  return node_path.empty() ? std::string(kDocument) : core::text(node_path, "/", kDocument);
}

core::Result<std::string> digests_text(const DatasetSpec& spec) {
  std::string lines;
  std::vector<const Coordinate*> derived;
  for (const Coordinate& coordinate : spec.coordinates) {
    const bool stored = coordinate.derivation != Derivation::kDimension &&
                        coordinate.derivation != Derivation::kReserved;
    if (stored) derived.push_back(&coordinate);
  }
  std::ranges::sort(derived, {}, [](const Coordinate* one) { return one->name; });
  CoordinateValues values(spec);
  for (const Coordinate* const coordinate : derived) {
    TRY_ASSIGN(const auto bytes, values.of(*coordinate, {0, 1}));
    lines += core::text(core::sha256_hex(bytes), "  ", coordinate->name, "\n");
  }
  return lines;
}

/// Removes documents below `folder` that are not in `kept`.
core::Status remove_others(const std::filesystem::path& folder, const std::set<std::string>& kept) {
  std::error_code problem;
  std::vector<std::filesystem::path> stale;
  for (std::filesystem::recursive_directory_iterator it(folder, problem), end;
       !problem && it != end; it.increment(problem)) {
    const auto name = it->path().lexically_relative(folder).generic_string();
    const bool ours = it->path().filename() == kDocument || name == kDigests;
    if (it->is_regular_file() && ours && !kept.contains(name)) stale.push_back(it->path());
  }
  for (const auto& path : stale) {
    if (!problem) std::filesystem::remove(path, problem);
  }
  if (!problem) return {};
  return core::Error(core::ErrorCode::kUnavailable,
                     core::text("clean ", folder.string(), ": ", problem.message()));
}

}  // namespace

core::Result<Template> generate_template(const DatasetSpec& spec, std::uint64_t append_size) {
  Template made{append_size, {}};
  for (std::size_t g = 0; g < spec.groups.size(); ++g) {
    const Group& group = spec.groups[g];
    zarr::GroupMetadata document;
    document.attributes = group_attributes(spec);
    made.nodes.push_back({std::string(group.name), std::move(document)});
    for (const Coordinate& coordinate : spec.coordinates) {
      if (!belongs_to(coordinate, group)) continue;
      made.nodes.push_back(
          {in_group(group, coordinate.name), coordinate_array(spec, coordinate, append_size)});
    }
    for (const Variable& variable : spec.variables) {
      if (variable.group != g) continue;
      made.nodes.push_back({path_of(spec, variable), variable_array(spec, variable, append_size)});
    }
  }
  std::ranges::sort(made.nodes, {}, &TemplateNode::path);
  const auto twice = std::ranges::adjacent_find(made.nodes, {}, &TemplateNode::path);
  if (twice != made.nodes.end()) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text(spec.id, " declares '", twice->path, "' twice"));
  }
  return made;
}

core::Result<Template> get_template(const DatasetSpec& spec, std::uint64_t append_size) {
  if (spec.checked_in_template == nullptr) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text(spec.id, " has no template: run update-template"));
  }
  Template made{append_size, {}};
  for (const TemplateText& file : spec.checked_in_template()) {
    if (!file.name.ends_with(kDocument)) continue;
    auto node = zarr::read_metadata(file.content);
    if (!node) return std::move(node).error().within("template " + std::string(file.name));
    if (auto* const array = std::get_if<zarr::ArrayMetadata>(&*node)) {
      resize(*array, spec.append_dimension().name, append_size);
    }
    made.nodes.push_back({node_path(file.name), *std::move(node)});
  }
  std::ranges::sort(made.nodes, {}, &TemplateNode::path);
  TRY(check_identity(spec, made));
  return made;
}

core::Result<AppendSlice> append_slice(const DatasetSpec& spec, std::uint64_t from,
                                       std::uint64_t to) {
  TRY_ASSIGN(auto whole, get_template(spec, to));
  AppendSlice slice;
  for (TemplateNode& node : whole.nodes) {
    if (has_dimension(node.metadata, spec.append_dimension().name)) {
      slice.nodes.push_back(std::move(node));
    }
  }
  TRY_ASSIGN(slice.chunks, growing_coordinate_chunks(spec, {from, to}));
  return slice;
}

core::Result<std::vector<TemplateFile>> template_files(const DatasetSpec& spec) {
  TRY_ASSIGN(const auto made, generate_template(spec, 1));
  std::vector<TemplateFile> files;
  for (const TemplateNode& node : made.nodes) {
    files.push_back({file_name(node.path), zarr::write_metadata(node.metadata)});
  }
  TRY_ASSIGN(auto digests, digests_text(spec));
  files.push_back({std::string(kDigests), std::move(digests)});
  std::ranges::sort(files, {}, &TemplateFile::name);
  return files;
}

core::Status write_template(const DatasetSpec& spec, const std::filesystem::path& folder) {
  TRY_ASSIGN(const auto files, template_files(spec));
  std::set<std::string> names;
  for (const TemplateFile& file : files) {
    TRY(core::write_file(folder / file.name, core::as_bytes(file.content)));
    names.insert(file.name);
  }
  return remove_others(folder, names);
}

}  // namespace icefield::dataset
