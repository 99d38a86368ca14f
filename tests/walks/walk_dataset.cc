#include "walk_dataset.h"

#include <algorithm>
#include <fstream>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "core/bytes.h"
#include "core/file.h"
#include "core/log.h"
#include "core/text.h"
#include "core/time.h"
#include "dataset/testing/teaching_spec.h"
#include "dataset/time_axis.h"
#include "icechunk/commit/repository.h"

namespace icefield::walks {
namespace {

using dataset::SourceFile;
using dataset::VariableIndex;
namespace teaching = dataset::teaching;

constexpr std::string_view kPrefix = "s3://bucket/";

std::string get_url(const dataset::DatasetSpec& /*spec*/, const SourceFile& file) {
  const auto hours = std::chrono::duration_cast<std::chrono::hours>(file.lead).count();
  return core::text(kPrefix, core::format_timestamp(file.append), "/",
                    teaching::kFileTypes[file.file_type], ".f", hours, ".grib2");
}

std::string get_index_url(const dataset::DatasetSpec& spec, const SourceFile& file) {
  return get_url(spec, file) + ".idx";
}

std::vector<VariableIndex> variables_in(const dataset::DatasetSpec& spec, const SourceFile& file,
                                        std::span<const VariableIndex> variables) {
  std::vector<VariableIndex> carried;
  for (const auto variable : variables) {
    const auto& row = spec.variables[variable];
    const bool has = file.lead.count() > 0 || dataset::has_hour_0_values(spec, row);
    if (row.source.file_type == file.file_type && has) carried.push_back(variable);
  }
  return carried;
}

std::vector<SourceFile> generate_source_file_coords(const dataset::DatasetSpec& spec,
                                                    const dataset::Region& region,
                                                    std::span<const VariableIndex> variables) {
  std::vector<SourceFile> files;
  for (auto position = region.begin; position < region.end; ++position) {
    for (const auto lead : dataset::labels_of(spec, teaching::kDimensions[1], 0)) {
      for (std::uint8_t type = 0; type < 2; ++type) {
        const SourceFile file{.append = dataset::label_at(spec, position),
                              .lead = core::Seconds(lead),
                              .file_type = type};
        if (!variables_in(spec, file, variables).empty()) files.push_back(file);
      }
    }
  }
  return files;
}

std::string label(const SourceFile& file, bool accumulated) {
  const auto hours = std::chrono::duration_cast<std::chrono::hours>(file.lead).count();
  if (accumulated) return core::text("0-", hours, " hour acc fcst");
  return hours == 0 ? std::string("anl") : core::text(hours, " hour fcst");
}

std::vector<dataset::WantedMessage> wanted_messages(const dataset::DatasetSpec& spec,
                                                    const SourceFile& file,
                                                    std::span<const VariableIndex> variables) {
  std::vector<dataset::WantedMessage> wanted;
  for (const auto variable : variables_in(spec, file, variables)) {
    const auto& row = spec.variables[variable];
    const auto window = label(file, row.step == dataset::StepType::kAccum);
    if (row.group == 0) {
      wanted.push_back({std::string(row.source.element),
                        std::string(row.source.level),
                        window,
                        {.variable = variable}});
      continue;
    }
    for (std::uint32_t level = 0; level < std::size(teaching::kLevels); ++level) {
      wanted.push_back({std::string(row.source.element),
                        core::text(teaching::kLevels[level], " mb"),
                        window,
                        {variable, level}});
    }
  }
  return wanted;
}

constexpr dataset::Container kContainers[] = {
    {"bucket", kPrefix, dataset::ContainerKind::kS3, "us-east-1"}};
constexpr dataset::VirtualConfig kConfig{kContainers, teaching::kSplit, std::chrono::hours(12)};
constexpr dataset::VirtualSource kSource{.file_types = teaching::kFileTypes,
                                         .generate_source_file_coords = generate_source_file_coords,
                                         .get_url = get_url,
                                         .get_index_url = get_index_url,
                                         .variables_in = variables_in,
                                         .wanted_messages = wanted_messages,
                                         .repeating_elements = {},
                                         .representative_var = nullptr};

/// The files that update-template would check in, kept for the life of the process.
std::span<const dataset::TemplateText> checked_in_template() {
  static const auto files = *dataset::template_files(kWalkDataset);
  static const auto texts = [] {
    std::vector<dataset::TemplateText> made;
    for (const auto& file : files) made.push_back({file.name, file.content});
    return made;
  }();
  return texts;
}

/// Keeps the jobs' log lines out of the tests' output.
class Quiet : public testing::Environment {
 public:
  void SetUp() override { core::set_log_level(core::LogLevel::kOff); }
};
const auto* const kQuiet = testing::AddGlobalTestEnvironment(new Quiet);

dataset::DatasetSpec walk_dataset() {
  auto spec = teaching::kForecast;
  spec.virtual_config = &kConfig;
  spec.virtual_source = &kSource;
  spec.checked_in_template = checked_in_template;
  return spec;
}

std::string shown(const icechunk::Session& session, const std::string& path,
                  const icechunk::ChunkEntry& entry) {
  if (const auto* chunk = std::get_if<icechunk::VirtualView>(&entry.reference)) {
    return core::text(chunk->location, " ", chunk->range.offset, "+", chunk->range.length);
  }
  const auto bytes = session.read_chunk(path, entry.index);
  return bytes && *bytes ? std::string(core::as_text(**bytes)) : "unreadable";
}

}  // namespace

const dataset::DatasetSpec kWalkDataset = walk_dataset();

std::vector<Message> messages_of(const SourceFile& file, std::uint64_t scale) {
  std::vector<Message> messages;
  if (file.file_type == 0) {
    if (file.lead.count() > 0)
      messages.push_back({"APCP:surface:" + label(file, true), 40 * scale});
    messages.push_back({"WIND:2 m above ground:" + label(file, false), 60 * scale});
    messages.push_back({"HGT:surface:" + label(file, false), 30 * scale});
  } else {
    messages.push_back({"TMP:500 mb:" + label(file, false), 50 * scale});
    messages.push_back({"TMP:1000 mb:" + label(file, false), 70 * scale});
  }
  return messages;
}

SourceFile file_at(std::uint64_t position, int lead_hours, std::uint8_t type) {
  return {.append = dataset::label_at(kWalkDataset, position),
          .lead = std::chrono::hours(lead_hours),
          .file_type = type};
}

std::filesystem::path SourceTree::path_of(const SourceFile& file) const {
  return root_ / get_url(kWalkDataset, file).substr(kPrefix.size());
}

void SourceTree::write(const SourceFile& file, const std::vector<Message>& messages) const {
  core::Bytes data;
  std::string index;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    index += core::text(i + 1, ":", data.size(), ":d=2020010100:", messages[i].words, ":\n");
    const auto end = data.size() + messages[i].length;
    for (const char c : std::string_view("GRIB")) data.push_back(static_cast<std::byte>(c));
    core::append_big_endian<std::uint32_t>(data, 2);  // reserved, discipline 0, edition 2
    core::append_big_endian<std::uint64_t>(data, messages[i].length);
    data.resize(end - 4);
    for (int seven = 0; seven < 4; ++seven) data.push_back(std::byte{'7'});
  }
  ASSERT_TRUE(core::write_file(path_of(file), data));
  ASSERT_TRUE(core::write_file(path_of(file).string() + ".idx", core::as_bytes(index)));
}

void SourceTree::publish(std::uint64_t first, std::uint64_t last, std::uint64_t scale) const {
  const std::vector<VariableIndex> variables{0, 1, 2};
  const auto files = generate_source_file_coords(kWalkDataset, {first, last}, variables);
  for (const auto& file : files) write(file, messages_of(file, scale));
}

std::vector<source::SourceOverride> SourceTree::overrides() const {
  return {{.prefix = std::string(kPrefix), .url = "file://" + root_.string() + "/"}};
}

coordination::LocalBackfill backfill_of(std::shared_ptr<object_store::ObjectStore> store,
                                        const SourceTree& tree, std::uint64_t positions) {
  coordination::JobRecord job;
  job.append_dim_end = dataset::label_at(kWalkDataset, positions);
  return {.spec = kWalkDataset,
          .store = std::move(store),
          .job = job,
          .recreate = false,
          .sources = tree.overrides(),
          .append_chunks = dataset::AppendChunks::kCompared,
          .options = {}};
}

std::map<std::string, std::string> content_of(std::shared_ptr<object_store::ObjectStore> store) {
  std::map<std::string, std::string> content;
  const auto repository = icechunk::Repository::open(std::move(store));
  if (!repository) return {{"error", repository.error().message()}};
  const auto session = repository->readonly_session(icechunk::BranchName("main"));
  if (!session) return {{"error", session.error().message()}};
  for (const auto& node : session->nodes()) {
    content[node.path + "/zarr.json"] = core::as_text(node.metadata.view());
    if (!node.is_array) continue;
    const auto done = session->for_each_chunk(node.path, [&](const icechunk::ChunkEntry& entry) {
      std::string key = node.path + "/c";
      for (const auto position : entry.index) key += core::text("/", position);
      content[key] = shown(*session, node.path, entry);
      return true;
    });
    if (!done) content["error"] = done.error().message();
  }
  return content;
}

}  // namespace icefield::walks
