#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "dataset/region.h"
#include "dataset/spec.h"
#include "dataset/wanted_message.h"

namespace icefield::dataset {

/// One file that the source should publish. Small: a job may hold millions.
struct SourceFile {
  core::Timestamp append;      // its label on the append dimension: init time, or time
  core::Seconds lead{0};       // its lead time; 0 for analyses
  std::int16_t member = -1;    // its ensemble member; -1: the dataset has none
  std::uint8_t file_type = 0;  // row of VirtualSource::file_types
  friend constexpr auto operator<=>(const SourceFile&, const SourceFile&) = default;  // NOLINT
};

/// A label on one dimension: seconds since 1970 for times, seconds for leads, else the label.
struct Label {
  std::string_view dimension;  // of the spec, never dangles
  std::int64_t value = 0;
  friend auto operator<=>(const Label&, const Label&) = default;
};

/// The output cell that a file fills. Dimensions that it leaves open are filled whole.
using OutLoc = std::vector<Label>;

/// How one virtual dataset's source is laid out, as pure functions of the spec. Each is null or
/// points to a function of the dataset's folder; null takes the default that is named.
struct VirtualSource {
  std::span<const std::string_view> file_types;  // as the source spells them: "sfc", "prs"

  /// Every file that should exist for these positions and variables; files that would carry none
  /// of them are left out. Ordered by append label, lead, member, file type. Required.
  std::vector<SourceFile> (*generate_source_file_coords)(const DatasetSpec& spec,
                                                         const Region& region,
                                                         std::span<const VariableIndex> variables);

  /// The data file's URL; starts with a container's prefix. Required.
  std::string (*get_url)(const DatasetSpec& spec, const SourceFile& file);

  /// The index file's URL. Null: the source has no index.
  std::string (*get_index_url)(const DatasetSpec& spec, const SourceFile& file);

  /// Those of `variables` that this file carries, in their order. Required.
  std::vector<VariableIndex> (*variables_in)(const DatasetSpec& spec, const SourceFile& file,
                                             std::span<const VariableIndex> variables);

  /// Which index entry fills which variable, in any order. Required.
  /// Files of equal file type and lead want equal messages: ask once, use for many.
  std::vector<WantedMessage> (*wanted_messages)(const DatasetSpec& spec, const SourceFile& file,
                                                std::span<const VariableIndex> variables);

  /// Elements of which a file may hold several messages under one label; the first one in the
  /// file's order counts. Any other repeated label makes the file unusable.
  std::span<const std::string_view> repeating_elements = {};

  /// Null: the first instantaneous variable among those carried, else the first.
  VariableIndex (*representative_var)(const DatasetSpec& spec,
                                      std::span<const VariableIndex> carried);
};

/// The variable whose presence in the manifest stands for the whole file.
/// Precondition: `carried` is what variables_in() gave, not empty.
VariableIndex representative_var(const DatasetSpec& spec, std::span<const VariableIndex> carried);

/// The cell that the file fills: its labels on the append, lead and member dimensions.
OutLoc out_loc(const DatasetSpec& spec, const SourceFile& file);

/// The one chunk of `variable` to look for: out_loc plus the first label of every dimension of
/// several chunks that out_loc leaves open (the first pressure level).
OutLoc representative_probe_loc(const DatasetSpec& spec, const SourceFile& file,
                                VariableIndex variable);

/// The container that holds the URL (the longest matching prefix), or nullptr.
const Container* container_of(const VirtualConfig& config, std::string_view url);

/// `vcc://<container>/<key>` for a URL inside a container; nothing for any other.
std::optional<std::string> stored_location(const VirtualConfig& config, std::string_view url);

}  // namespace icefield::dataset
