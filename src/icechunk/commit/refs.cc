#include "icechunk/commit/refs.h"

#include "icechunk/commit/update_repo.h"
#include "icechunk/format/repo_update.h"

namespace icefield::icechunk {

core::Status create_branch(const Repository& repository, std::string_view name,
                           const SnapshotId& at) {
  return update_repo(*repository.assets(), [&](RepoInfo& repo, const UpdateStamp& stamp) {
    return create_branch(repo, name, at, stamp);
  });
}

core::Status delete_branch(const Repository& repository, std::string_view name) {
  return update_repo(*repository.assets(), [&](RepoInfo& repo, const UpdateStamp& stamp) {
    return delete_branch(repo, name, stamp);
  });
}

core::Status reset_branch(const Repository& repository, std::string_view name, const SnapshotId& to,
                          const std::optional<SnapshotId>& expected_tip) {
  return update_repo(*repository.assets(), [&](RepoInfo& repo, const UpdateStamp& stamp) {
    return reset_branch(repo, name, to, expected_tip, stamp);
  });
}

core::Status create_tag(const Repository& repository, std::string_view name, const SnapshotId& at) {
  return update_repo(*repository.assets(),
                     [&](RepoInfo& repo, const UpdateStamp& stamp) -> core::Status {
                       TRY(require_feature(repo, Feature::kCreateTag));
                       return create_tag(repo, name, at, stamp);
                     });
}

core::Status delete_tag(const Repository& repository, std::string_view name) {
  return update_repo(*repository.assets(),
                     [&](RepoInfo& repo, const UpdateStamp& stamp) -> core::Status {
                       TRY(require_feature(repo, Feature::kDeleteTag));
                       return delete_tag(repo, name, stamp);
                     });
}

core::Status save_config(const Repository& repository, const RepositoryConfig& config) {
  TRY_ASSIGN(const auto info, repository.info());
  if (info->config == config) return {};
  return update_repo(*repository.assets(), [&](RepoInfo& repo, const UpdateStamp& stamp) {
    return set_config(repo, config, stamp);
  });
}

core::Status set_repository_metadata(const Repository& repository, const Metadata& metadata) {
  return update_repo(*repository.assets(), [&](RepoInfo& repo, const UpdateStamp& stamp) {
    return set_metadata(repo, metadata, stamp);
  });
}

core::Status set_status(const Repository& repository, Availability availability,
                        const std::optional<std::string>& reason) {
  return update_repo(
      *repository.assets(),
      [&](RepoInfo& repo, const UpdateStamp& stamp) {
        return set_status(repo, availability, reason, stamp);
      },
      Requires::kNothing);
}

core::Status set_feature_flag(const Repository& repository, std::uint16_t flag,
                              std::optional<bool> value) {
  return update_repo(*repository.assets(), [&](RepoInfo& repo, const UpdateStamp& stamp) {
    return set_feature_flag(repo, flag, value, stamp);
  });
}

}  // namespace icefield::icechunk
