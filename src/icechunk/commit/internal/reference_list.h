#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/chunk_reference.h"
#include "icechunk/format/manifest.h"
#include "icechunk/session/array_changes.h"

namespace icefield::icechunk {

/// References of one array in order of position: what a session changed, or what a manifest
/// holds. Keeps its origin alive.
class ReferenceSource {
 public:
  explicit ReferenceSource(std::shared_ptr<const SortedChanges> changes)
      : changes_(std::move(changes)) {}
  ReferenceSource(std::shared_ptr<const Manifest> manifest, Manifest::Array array)
      : manifest_(std::move(manifest)), array_(array) {}

  std::size_t size() const { return array_ ? array_->size() : changes_->size(); }
  /// What holds all positions, where that is known without looking at each: of manifests.
  const ChunkBox* known_box() const { return array_ ? &array_->box() : nullptr; }
  ChunkIndexView index(std::size_t at) const {
    return array_ ? array_->index(at) : changes_->index(at);
  }
  /// Only changes can be deletions.
  bool may_delete() const { return !array_; }
  bool deleted(std::size_t at) const { return !array_ && changes_->deleted(at); }

  /// Precondition: not deleted(at). `scratch` as Manifest::Array::view.
  core::Result<ReferenceView> view(std::size_t at, std::string& scratch) const;

  /// Begins to load what view(at) and index(at) will read, where that lies scattered.
  void prefetch(std::size_t at) const {
    if (array_) array_->prefetch(at);
  }

 private:
  std::shared_ptr<const SortedChanges> changes_;
  std::shared_ptr<const Manifest> manifest_;
  std::optional<Manifest::Array> array_;
};

using ReferenceSources = std::vector<ReferenceSource>;

/// References chosen from several sources, ascending by position; long runs of neighbours in one
/// source take no memory each. Refers to sources by number.
class ReferenceList {
 public:
  struct Run {
    std::uint32_t source = 0;
    std::uint32_t begin = 0;  // positions [begin, end) of the source
    std::uint32_t end = 0;
  };

  /// Adds one reference; its position in the grid must come after all others.
  void append(std::uint32_t source, std::size_t at) {
    const auto position = static_cast<std::uint32_t>(at);
    ++size_;
    if (!runs_.empty() && runs_.back().source == source && runs_.back().end == position) {
      ++runs_.back().end;
    } else {
      runs_.push_back({.source = source, .begin = position, .end = position + 1});
    }
  }

  /// The same for the positions [begin, end) of a source.
  void append_run(const Run& run) {
    size_ += run.end - run.begin;
    if (!runs_.empty() && runs_.back().source == run.source && runs_.back().end == run.begin) {
      runs_.back().end = run.end;
    } else if (run.begin < run.end) {
      runs_.push_back(run);
    }
  }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  const std::vector<Run>& runs() const noexcept { return runs_; }

  /// Calls visit(source number, position in the source, index) for each reference in order.
  template <typename Visit>
  void for_each(const ReferenceSources& sources, const Visit& visit) const {
    for (const Run& run : runs_) {
      const ReferenceSource& source = sources[run.source];
      for (std::uint32_t at = run.begin; at < run.end; ++at)
        visit(run.source, at, source.index(at));
    }
  }

 private:
  std::vector<Run> runs_;
  std::size_t size_ = 0;
};

/// Tight bounding box. Precondition: not empty.
ChunkBox bounding_box(const ReferenceList& list, const ReferenceSources& sources);

}  // namespace icefield::icechunk
