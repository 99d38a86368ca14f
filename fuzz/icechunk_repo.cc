// corpus: tests/golden/icechunk/payloads
// The flatbuffer of a repo object; what is read must survive a change and being written.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "icechunk/format/envelope.h"
#include "icechunk/format/file_inspection.h"
#include "icechunk/format/repo_info_codec.h"
#include "icechunk/format/repo_update.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace icefield::icechunk;  // NOLINT: an entry has one subject
  const auto file = seal_envelope(FileType::kRepo, std::as_bytes(std::span(data, size)), 1);
  if (!file) return 0;
  static_cast<void>(inspect_file(*file, FileType::kRepo));
  auto repo = decode_repo_info(*file);
  if (!repo) return 0;
  for (const auto& [name, id] : repo->branches) static_cast<void>(repo->ancestry(id));
  if (repo->config) {
    static_cast<void>(repo->config->containers());
    static_cast<void>(repo->config->splitting());
  }
  const UpdateStamp stamp{.now = {}, .backup = "repo.30707712788085.T4RCMBCNXWNQFHJ8P19G"};
  if (!set_status(*repo, Availability::kOnline, "why", stamp)) std::abort();
  const auto again = encode_repo_info(*repo);
  if (!again) return 0;
  if (!decode_repo_info(*again)) std::abort();
  return 0;
}
