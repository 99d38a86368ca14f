#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "core/result.h"
#include "icechunk/format/shared_bytes.h"

namespace icefield::icechunk {

/// JSON members of a commit or a repository. On the wire sorted by name (bytes), each value
/// encoded by itself. Names are unique.
using Metadata = core::Json::Object;

/// One member whose value stays as the file holds it, one FlexBuffers value. The repo object
/// repeats the metadata of every snapshot; whoever only passes it on need not decode it.
struct EncodedItem {
  std::string name = {};
  SharedBytes value = {};
  friend bool operator==(const EncodedItem&, const EncodedItem&) = default;
};
using EncodedMetadata = std::vector<EncodedItem>;  // ascending by name

/// Errors: kCorrupt when a value is no FlexBuffers value, naming the member.
core::Result<Metadata> decode_metadata(const EncodedMetadata& items);

/// Sorted by name. Errors: kInvalidArgument for a name that occurs twice.
core::Result<EncodedMetadata> encode_metadata(const Metadata& members);

}  // namespace icefield::icechunk
