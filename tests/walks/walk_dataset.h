#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "coordination/local_backfill.h"
#include "dataset/spec.h"
#include "icechunk/session/session.h"
#include "object_store/object_store.h"

namespace icefield::walks {

/// A virtual forecast of three variables (one in a vertical group), six leads and two file types,
/// whose source is a folder of small files that look like GRIB to whoever reads headers only.
extern const dataset::DatasetSpec kWalkDataset;

/// One message of a source file.
struct Message {
  std::string words;         // "WIND:2 m above ground:anl", as in the index
  std::uint64_t length = 0;  // bytes, at least 20
};

/// The messages that a file of the dataset holds; `scale` makes lengths differ between versions.
std::vector<Message> messages_of(const dataset::SourceFile& file, std::uint64_t scale = 1);

/// A provider's folder.
class SourceTree {
 public:
  explicit SourceTree(std::filesystem::path root) : root_(std::move(root)) {}

  /// Writes data and index of every file of these positions.
  void publish(std::uint64_t first, std::uint64_t last, std::uint64_t scale = 1) const;

  /// Writes one file and its index.
  void write(const dataset::SourceFile& file, const std::vector<Message>& messages) const;

  std::filesystem::path path_of(const dataset::SourceFile& file) const;

  /// The argument that points the dataset at this folder.
  std::vector<source::SourceOverride> overrides() const;

 private:
  std::filesystem::path root_;
};

/// File of a position, lead in hours and type (0 sfc, 1 prs).
dataset::SourceFile file_at(std::uint64_t position, int lead_hours, std::uint8_t type);

/// A backfill of the first `positions` positions.
coordination::LocalBackfill backfill_of(std::shared_ptr<object_store::ObjectStore> store,
                                        const SourceTree& tree, std::uint64_t positions);

/// What main of a store holds: every document, and every reference or chunk as text, by Zarr key.
/// Native and inline chunks are shown by their bytes, so that equal content is equal here.
std::map<std::string, std::string> content_of(std::shared_ptr<object_store::ObjectStore> store);

}  // namespace icefield::walks
