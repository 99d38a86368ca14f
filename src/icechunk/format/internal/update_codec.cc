#include "icechunk/format/internal/update_codec.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include <flatbuffers/flatbuffers.h>

#include "core/text.h"
#include "icechunk/format/internal/wire.h"
#include "repo_generated.h"

namespace icefield::icechunk::internal {
namespace {

namespace fb = ::icechunk::fb;
using Builder = flatbuffers::FlatBufferBuilder;
using Table = flatbuffers::Offset<void>;

// The union's numbers are the positions in UpdateKind, from 1.
static_assert(std::variant_size_v<UpdateKind> == fb::UpdateType_MAX);

SnapshotId id_of(const fb::ObjectId12* wire) {
  return to_id<SnapshotId>(required(wire));
}

/// Operations on tags and branches.
core::Result<UpdateKind> read_ref_kind(const fb::Update& wire, Budget& budget) {
  switch (wire.update_type_type()) {
    case fb::UpdateType_TagCreatedUpdate: {
      const auto& from = required(wire.update_type_as_TagCreatedUpdate());
      TRY_ASSIGN(auto name, to_text(from.name(), budget));
      return UpdateKind(update::TagCreated{std::move(name)});
    }
    case fb::UpdateType_TagDeletedUpdate: {
      const auto& from = required(wire.update_type_as_TagDeletedUpdate());
      TRY_ASSIGN(auto name, to_text(from.name(), budget));
      return UpdateKind(update::TagDeleted{std::move(name), id_of(from.previous_snap_id())});
    }
    case fb::UpdateType_BranchCreatedUpdate: {
      const auto& from = required(wire.update_type_as_BranchCreatedUpdate());
      TRY_ASSIGN(auto name, to_text(from.name(), budget));
      return UpdateKind(update::BranchCreated{std::move(name)});
    }
    case fb::UpdateType_BranchDeletedUpdate: {
      const auto& from = required(wire.update_type_as_BranchDeletedUpdate());
      TRY_ASSIGN(auto name, to_text(from.name(), budget));
      return UpdateKind(update::BranchDeleted{std::move(name), id_of(from.previous_snap_id())});
    }
    case fb::UpdateType_BranchResetUpdate: {
      const auto& from = required(wire.update_type_as_BranchResetUpdate());
      TRY_ASSIGN(auto name, to_text(from.name(), budget));
      return UpdateKind(update::BranchReset{std::move(name), id_of(from.previous_snap_id())});
    }
    default:
      break;
  }
  return corrupt(core::text("operation of type ", static_cast<unsigned>(wire.update_type_type())));
}

core::Result<UpdateKind> read_kind(const fb::Update& wire, Budget& budget) {
  switch (wire.update_type_type()) {
    case fb::UpdateType_RepoInitializedUpdate:
      return UpdateKind(update::RepoInitialized{});
    case fb::UpdateType_RepoMigratedUpdate: {
      const auto& from = required(wire.update_type_as_RepoMigratedUpdate());
      return UpdateKind(update::RepoMigrated{from.from_version(), from.to_version()});
    }
    case fb::UpdateType_ConfigChangedUpdate:
      return UpdateKind(update::ConfigChanged{});
    case fb::UpdateType_MetadataChangedUpdate:
      return UpdateKind(update::MetadataChanged{});
    case fb::UpdateType_NewCommitUpdate: {
      const auto& from = required(wire.update_type_as_NewCommitUpdate());
      TRY_ASSIGN(auto branch, to_text(from.branch(), budget));
      return UpdateKind(update::NewCommit{std::move(branch), id_of(from.new_snap_id())});
    }
    case fb::UpdateType_CommitAmendedUpdate: {
      const auto& from = required(wire.update_type_as_CommitAmendedUpdate());
      TRY_ASSIGN(auto branch, to_text(from.branch(), budget));
      return UpdateKind(update::CommitAmended{std::move(branch), id_of(from.previous_snap_id()),
                                              id_of(from.new_snap_id())});
    }
    case fb::UpdateType_NewDetachedSnapshotUpdate: {
      const auto& from = required(wire.update_type_as_NewDetachedSnapshotUpdate());
      return UpdateKind(update::NewDetachedSnapshot{id_of(from.new_snap_id())});
    }
    case fb::UpdateType_GCRanUpdate:
      return UpdateKind(update::GcRan{});
    case fb::UpdateType_ExpirationRanUpdate:
      return UpdateKind(update::ExpirationRan{});
    case fb::UpdateType_FeatureFlagChangedUpdate: {
      const auto& from = required(wire.update_type_as_FeatureFlagChangedUpdate());
      return UpdateKind(update::FeatureFlagChanged{from.id(), from.new_value(), from.is_set()});
    }
    case fb::UpdateType_RepoStatusChangedUpdate: {
      const auto* status = required(wire.update_type_as_RepoStatusChangedUpdate()).status();
      if (status == nullptr) return corrupt("a change of status without the status");
      TRY_ASSIGN(auto made, read_status(*status, budget));
      return UpdateKind(update::RepoStatusChanged{std::move(made)});
    }
    default:
      return read_ref_kind(wire, budget);
  }
}

/// Builds the table of the union's value.
struct WriteKind {
  Builder& builder;

  fb::ObjectId12 id(const SnapshotId& from) const { return to_wire<fb::ObjectId12>(from); }

  Table operator()(const update::RepoInitialized&) const {
    return fb::CreateRepoInitializedUpdate(builder).Union();
  }
  Table operator()(const update::RepoMigrated& from) const {
    return fb::CreateRepoMigratedUpdate(builder, from.from, from.to).Union();
  }
  Table operator()(const update::ConfigChanged&) const {
    return fb::CreateConfigChangedUpdate(builder).Union();
  }
  Table operator()(const update::MetadataChanged&) const {
    return fb::CreateMetadataChangedUpdate(builder).Union();
  }
  Table operator()(const update::TagCreated& from) const {
    return fb::CreateTagCreatedUpdate(builder, builder.CreateString(from.name)).Union();
  }
  Table operator()(const update::TagDeleted& from) const {
    const auto previous = id(from.previous);
    return fb::CreateTagDeletedUpdate(builder, builder.CreateString(from.name), &previous).Union();
  }
  Table operator()(const update::BranchCreated& from) const {
    return fb::CreateBranchCreatedUpdate(builder, builder.CreateString(from.name)).Union();
  }
  Table operator()(const update::BranchDeleted& from) const {
    const auto previous = id(from.previous);
    return fb::CreateBranchDeletedUpdate(builder, builder.CreateString(from.name), &previous)
        .Union();
  }
  Table operator()(const update::BranchReset& from) const {
    const auto previous = id(from.previous);
    return fb::CreateBranchResetUpdate(builder, builder.CreateString(from.name), &previous).Union();
  }
  Table operator()(const update::NewCommit& from) const {
    const auto made = id(from.made);
    return fb::CreateNewCommitUpdate(builder, builder.CreateString(from.branch), &made).Union();
  }
  Table operator()(const update::CommitAmended& from) const {
    const auto previous = id(from.previous);
    const auto made = id(from.made);
    return fb::CreateCommitAmendedUpdate(builder, builder.CreateString(from.branch), &previous,
                                         &made)
        .Union();
  }
  Table operator()(const update::NewDetachedSnapshot& from) const {
    const auto made = id(from.made);
    return fb::CreateNewDetachedSnapshotUpdate(builder, &made).Union();
  }
  Table operator()(const update::GcRan&) const { return fb::CreateGCRanUpdate(builder).Union(); }
  Table operator()(const update::ExpirationRan&) const {
    return fb::CreateExpirationRanUpdate(builder).Union();
  }
  Table operator()(const update::FeatureFlagChanged& from) const {
    return fb::CreateFeatureFlagChangedUpdate(builder, from.flag, from.value, from.is_set).Union();
  }
  Table operator()(const update::RepoStatusChanged& from) const {
    return fb::CreateRepoStatusChangedUpdate(builder, write_status(builder, from.status)).Union();
  }
};

}  // namespace

core::Result<Update> read_update(const fb::Update& wire, Budget& budget) {
  TRY_ASSIGN(auto kind, read_kind(wire, budget));
  Update made{.kind = std::move(kind)};
  TRY_ASSIGN(made.at, to_instant(wire.updated_at()));
  if (wire.backup_path() != nullptr) {
    TRY_ASSIGN(made.backup, to_text(wire.backup_path(), budget));
  }
  return made;
}

core::Result<RepoStatus> read_status(const fb::RepoStatus& wire, Budget& budget) {
  if (wire.availability() > fb::RepoAvailability_MAX) return corrupt("an unknown availability");
  RepoStatus made{.availability = static_cast<Availability>(wire.availability())};
  TRY_ASSIGN(made.set_at, to_instant(wire.set_at()));
  if (wire.limited_availability_reason() != nullptr) {
    TRY_ASSIGN(made.reason, to_text(wire.limited_availability_reason(), budget));
  }
  return made;
}

std::uint32_t write_update(Builder& builder, const Update& update) {
  const Table kind = std::visit(WriteKind{builder}, update.kind);
  flatbuffers::Offset<flatbuffers::String> backup;
  if (update.backup) backup = builder.CreateString(*update.backup);
  return fb::CreateUpdate(builder, static_cast<fb::UpdateType>(update.kind.index() + 1), kind,
                          to_microseconds(update.at), backup)
      .o;
}

std::uint32_t write_status(Builder& builder, const RepoStatus& status) {
  flatbuffers::Offset<flatbuffers::String> reason;
  if (status.reason) reason = builder.CreateString(*status.reason);
  return fb::CreateRepoStatus(builder, static_cast<fb::RepoAvailability>(status.availability),
                              to_microseconds(status.set_at), reason)
      .o;
}

}  // namespace icefield::icechunk::internal
