#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace icefield::icechunk::internal {

/// Where `count` records of one stride stand behind the vector of their offsets.
///
/// A vector entry is the distance from itself to its table. With records one after another these
/// distances all differ, by little, which zstd cannot see: they cost 3 of 15 bytes per reference.
/// Here record i stands in lane i % lanes, and the stride is 4 bytes per lane, so that a lane's
/// next record lies as much further as its entry does: the distances repeat with the period of the
/// lanes and compress to nothing (docs/formats/icechunk.md, Layout of manifests).
struct Lanes {
  std::size_t lanes = 1;   // 1: one after another
  std::size_t stride = 0;  // bytes from one record of a lane to the next
  std::size_t rows = 0;    // records of the fullest lane

  /// First byte of record i, from the start of the records.
  std::size_t position(std::size_t i) const { return ((i % lanes) * rows + i / lanes) * stride; }

  /// Bytes that all records take, with the gaps at the ends of lanes.
  std::size_t bytes() const { return lanes * rows * stride; }
};

/// What a record is expected to cost when compressed, in bytes, with so many lanes and so long a
/// stride.
using LaneCost = std::function<double(std::size_t lanes, std::size_t stride)>;

/// Lanes for `count` records of at most `size` bytes, with a stride that is a multiple of
/// `alignment` (4 or 8) and at most a third longer than needed: the cheapest. One lane when there
/// are too few records to gain by more.
Lanes choose_lanes(std::size_t count, std::size_t size, std::size_t alignment,
                   const LaneCost& cost);

}  // namespace icefield::icechunk::internal
