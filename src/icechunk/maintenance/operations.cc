#include "icechunk/maintenance/operations.h"

#include <optional>
#include <set>
#include <string>

#include "icechunk/assets/asset_store.h"
#include "icechunk/assets/keys.h"
#include "icechunk/format/repo_info_codec.h"

namespace icefield::icechunk {

core::Result<std::vector<Update>> read_operations(const Repository& repository) {
  TRY_ASSIGN(const auto present, repository.info());
  std::vector<Update> all = present->updates;
  std::optional<std::string> next = present->repo_before_updates;
  std::set<std::string> seen;
  while (next) {
    const auto key = backup_key(*next);
    if (!seen.insert(*next).second) {
      return core::Error(core::ErrorCode::kCorrupt,
                         key.value() + ": the operations log goes round in a ring");
    }
    auto object = repository.assets()->store().get(key);
    if (!object && object.error().code() == core::ErrorCode::kNotFound) break;
    if (!object) return std::move(object).error();
    TRY_ASSIGN(const auto older, decode_repo_info(object->bytes));
    all.insert(all.end(), older.updates.begin(), older.updates.end());
    next = older.repo_before_updates;
  }
  return all;
}

}  // namespace icefield::icechunk
