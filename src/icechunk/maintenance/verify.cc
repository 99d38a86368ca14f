#include "icechunk/maintenance/verify.h"

#include <algorithm>

#include "icechunk/assets/keys.h"
#include "icechunk/maintenance/internal/findings.h"

namespace icefield::icechunk {

bool VerifyReport::sound() const {
  return std::ranges::none_of(
      findings, [](const Finding& finding) { return finding.severity == Severity::kDamage; });
}

core::Result<VerifyReport> verify(const Repository& repository) {
  TRY_ASSIGN(const auto state, repository.assets()->repo());
  Inspection inspection{.repository = repository,
                        .assets = *repository.assets(),
                        .state = state,
                        .sizes = {},
                        .report = {},
                        .manifests = {}};
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
