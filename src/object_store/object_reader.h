#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/range_reader.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// Random access to one object. The size is that of the moment it was opened; each read is a
/// request of its own, so read many ranges with read_many. The store must outlive the reader.
class ObjectReader final : public core::RangeReader {
 public:
  /// Asks the store for the object's size. Errors: those of ObjectStore::head.
  static core::Result<std::unique_ptr<ObjectReader>> open(const ObjectStore& store, const Key& key);

  /// Without a request, for an object whose size and version a listing has told.
  ObjectReader(const ObjectStore& store, ObjectInfo info);

  const ObjectInfo& info() const { return info_; }
  std::uint64_t size() const override { return info_.size; }
  const std::string& name() const override { return name_; }
  core::Status read_exactly(std::uint64_t offset, std::span<std::byte> out) const override;

  /// Result i belongs to range i; see ObjectStore::get_many.
  std::vector<core::Result<core::Bytes>> read_many(std::span<const core::ByteRange> ranges) const;

 private:
  const ObjectStore& store_;
  ObjectInfo info_;
  std::string name_;  // URL
};

}  // namespace icefield::object_store
