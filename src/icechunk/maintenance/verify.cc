#include "icechunk/maintenance/verify.h"

#include <algorithm>

#include "icechunk/assets/keys.h"
#include "icechunk/format/snapshot_codec.h"
#include "icechunk/format/transaction_log_codec.h"
#include "icechunk/maintenance/internal/findings.h"

namespace icefield::icechunk {
namespace {

core::Status list_objects(Inspection& inspection) {
  for (const auto folder :
       {kSnapshotFolder, kManifestFolder, kTransactionFolder, kChunkFolder, kBackupFolder}) {
    TRY(inspection.assets.store().list(
        {.prefix = std::string(folder)}, [&](const object_store::ListPage& page) {
          for (const auto& object : page.objects) {
            inspection.sizes.emplace(object.key.value(), object.size);
          }
          return true;
        }));
  }
  return {};
}

}  // namespace

bool VerifyReport::sound() const {
  return std::ranges::none_of(
      findings, [](const Finding& finding) { return finding.severity == Severity::kDamage; });
}

core::Result<std::optional<core::Bytes>> Inspection::bytes_of(const object_store::Key& key) {
  auto object = assets.store().get(key);
  if (object) return std::optional(std::move(object->bytes));
  const auto code = object.error().code();
  if (code == core::ErrorCode::kNotFound) {
    damage(key.value(), "is needed but does not exist");
  } else if (code == core::ErrorCode::kCorrupt) {
    damage(key.value(), object.error().message());
  } else {
    return std::move(object).error();
  }
  return std::optional<core::Bytes>();
}

SpecVersion Inspection::tell_deviations(const std::string& object, std::span<const std::byte> file,
                                        FileType type) {
  const auto inspected = inspect_file(file, type);
  if (!inspected) {
    damage(object, inspected.error().message());
    return SpecVersion::kV2;
  }
  for (const Deviation& deviation : inspected->deviations) {
    report.findings.push_back(
        {deviation.is_damage ? Severity::kDamage : Severity::kUnusual, object, deviation.what});
  }
  if (state.legacy && inspected->version != SpecVersion::kV1) {
    damage(object, "the header says version 2 in a repository of spec version 1");
  }
  return inspected->version;
}

core::Result<std::shared_ptr<const Manifest>> Inspection::manifest(const ManifestId& id) {
  const auto known = manifests.find(id);
  if (known != manifests.end()) {
    if (!known->second) return std::shared_ptr<const Manifest>();
    return assets.manifest({.id = id});  // whatever its size: a wrong one is told elsewhere
  }
  TRY_ASSIGN(const auto looked,
             look_at<Manifest>(manifest_key(id), FileType::kManifest, id, decode_manifest));
  manifests.emplace(id, looked.value != nullptr);
  if (looked.value != nullptr) {
    ++report.manifests;
    report.references += looked.value->reference_count();
    inspect_references(*this, id, *looked.value);
  }
  return looked.value;
}

core::Result<std::shared_ptr<const TransactionLog>> Inspection::log(const SnapshotId& id) {
  const auto known = logs.find(id);
  if (known != logs.end()) {
    if (!known->second) return std::shared_ptr<const TransactionLog>();
    return assets.transaction_log(id);
  }
  TRY_ASSIGN(const auto looked,
             look_at<TransactionLog>(transaction_log_key(id), FileType::kTransactionLog, id,
                                     decode_transaction_log));
  logs.emplace(id, looked.value != nullptr);
  if (looked.value != nullptr) inspect_moves(*this, *looked.value);
  return looked.value;
}

core::Result<VerifyReport> verify(const Repository& repository) {
  TRY_ASSIGN(const auto state, repository.assets()->repo());
  Inspection inspection(repository, state);
  TRY_ASSIGN(const auto needs, repository.containers());
  for (const ContainerNeed& need : needs) inspection.containers.push_back(need.container);
  TRY(list_objects(inspection));
  TRY(inspect_repo(inspection));
  for (const SnapshotInfo& snapshot : state.info->snapshots) {
    TRY(inspect_snapshot(inspection, snapshot));
    ++inspection.report.snapshots;
  }
  for (const SnapshotInfo& snapshot : state.info->snapshots) {
    TRY(inspect_log(inspection, snapshot));
  }
  return std::move(inspection.report);
}

}  // namespace icefield::icechunk
