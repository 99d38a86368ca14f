// Prints the tree of an Icechunk store as a user's own program would: list_dataset STORE [BRANCH]

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "core/result.h"
#include "icechunk/commit/repository.h"
#include "icechunk/session/session.h"
#include "object_store/open.h"

namespace {

using icefield::core::Result;
using icefield::icechunk::BranchName;
using icefield::icechunk::ChunkEntry;
using icefield::icechunk::NodeView;
using icefield::icechunk::Repository;
using icefield::icechunk::Session;

/// "[2, 49, 1059, 1799]"
std::string shape_text(const NodeView& array) {
  std::string text;
  for (const auto& dimension : array.shape) {
    text += (text.empty() ? "[" : ", ") + std::to_string(dimension.array_length);
  }
  return text.empty() ? "[]" : text + "]";
}

Result<std::uint64_t> count_chunks(const Session& session, const std::string& path) {
  std::uint64_t count = 0;
  TRY(session.for_each_chunk(path, [&count](const ChunkEntry&) {
    ++count;
    return true;
  }));
  return count;
}

Result<void> list(const std::string& url, const std::string& branch) {
  TRY_ASSIGN(std::unique_ptr<icefield::object_store::ObjectStore> store,
             icefield::object_store::open_store(url));
  TRY_ASSIGN(const Repository repository, Repository::open(std::move(store)));
  TRY_ASSIGN(const Session session, repository.readonly_session(BranchName(branch)));
  for (const NodeView& node : session.nodes()) {
    if (!node.is_array) {
      std::printf("%s\n", node.path.c_str());
      continue;
    }
    TRY_ASSIGN(const std::uint64_t chunks, count_chunks(session, node.path));
    std::printf("%s %s: %llu chunks\n", node.path.c_str(), shape_text(node).c_str(),
                static_cast<unsigned long long>(chunks));
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: list_dataset STORE [BRANCH]\n");
    return 2;
  }
  const auto listed = list(argv[1], argc > 2 ? argv[2] : "main");
  if (!listed) std::fprintf(stderr, "list_dataset: %s\n", listed.error().message().c_str());
  return listed ? 0 : 1;
}
