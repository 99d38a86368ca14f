#include "icechunk/commit/internal/reference_list.h"

namespace icefield::icechunk {

core::Result<ReferenceView> ReferenceSource::view(std::size_t at, std::string& scratch) const {
  if (array_) return array_->view(at, scratch);
  return *changes_->view(at);
}

ChunkBox bounding_box(const ReferenceList& list, const ReferenceSources& sources) {
  const auto& first = list.runs().front();
  ChunkBox box = ChunkBox::around(sources[first.source].index(first.begin));
  for (const auto& run : list.runs()) {
    const ReferenceSource& source = sources[run.source];
    const ChunkBox* const known = source.known_box();
    if (known != nullptr && run.begin == 0 && run.end == source.size()) {
      box.extend(*known);
      continue;
    }
    for (std::uint32_t at = run.begin; at < run.end; ++at) box.extend(source.index(at));
  }
  return box;
}

}  // namespace icefield::icechunk
