#include "object_store/testing/scratch_folder.h"

#include <system_error>

#include "core/random.h"
#include "core/text.h"

namespace icefield::object_store_testing {

ScratchFolder::ScratchFolder()
    : path_(std::filesystem::temp_directory_path() /
            core::text("icefield-scratch-", core::random_u64())) {
  std::filesystem::create_directories(path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace icefield::object_store_testing
