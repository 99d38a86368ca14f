#pragma once

#include <cstdint>

#include "core/result.h"
#include "icechunk/format/internal/budget.h"
#include "icechunk/format/operations_log.h"

namespace flatbuffers {
class FlatBufferBuilder;
}
namespace icechunk::fb {
struct RepoStatus;
struct Update;
}  // namespace icechunk::fb

namespace icefield::icechunk::internal {

/// Errors: kCorrupt for an unknown operation, text that is not UTF-8, times out of range.
core::Result<Update> read_update(const ::icechunk::fb::Update& wire, Budget& budget);
core::Result<RepoStatus> read_status(const ::icechunk::fb::RepoStatus& wire, Budget& budget);

/// Builds the table; gives its offset, as the builder counts.
std::uint32_t write_update(flatbuffers::FlatBufferBuilder& builder, const Update& update);
std::uint32_t write_status(flatbuffers::FlatBufferBuilder& builder, const RepoStatus& status);

}  // namespace icefield::icechunk::internal
