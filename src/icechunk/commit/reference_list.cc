#include "icechunk/commit/internal/reference_list.h"

namespace icefield::icechunk {

core::Result<ReferenceView> ReferenceSource::view(std::size_t at, std::string& scratch) const {
  if (array_) return array_->view(at, scratch);
  return *changes_->view(at);
}

ChunkBox bounding_box(const ReferenceList& list, const ReferenceSources& sources) {
  const auto& first = list.runs().front();
  ChunkBox box = ChunkBox::around(sources[first.source].index(first.begin));
  list.for_each(sources,
                [&box](std::uint32_t, std::size_t, ChunkIndexView index) { box.extend(index); });
  return box;
}

}  // namespace icefield::icechunk
