// One of several writers of a branch, for mixed_committers.py:
//   store_committer URL ROW COMMITS
// opens the repository, says "ready", waits for a line on standard input, and commits the elements
// [ROW, 0] to [ROW, COMMITS - 1] of the array /a (int32, one element per chunk, not compressed),
// each by itself on main. Element i is ROW * 1000 + i + 1, its message "ROW-i". At the end one JSON
// line.
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "core/text.h"
#include "icechunk/commit/commit.h"
#include "icechunk/commit/repository.h"
#include "object_store/open.h"
#include "object_store/traffic.h"

namespace icefield {
namespace {

core::Bytes element(std::uint32_t value) {
  core::Bytes bytes;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::byte>(value >> shift & 0xFFU));
  }
  return bytes;
}

core::Result<std::uint64_t> commit_all(const icechunk::Repository& repository, std::uint32_t row,
                                       std::uint32_t commits) {
  std::uint64_t rebases = 0;
  for (std::uint32_t i = 0; i < commits; ++i) {
    TRY_ASSIGN(auto session, repository.writable_session("main"));
    const std::array<std::uint32_t, 2> index = {row, i};
    TRY(session.set_chunk("/a", index, element(row * 1000 + i + 1)));
    TRY_ASSIGN(const auto done, icechunk::commit(session, core::text(row, "-", i)));
    rebases += done.rebase_attempts;
  }
  return rebases;
}

core::Status run(const std::string& url, std::uint32_t row, std::uint32_t commits) {
  TRY_ASSIGN(auto store, object_store::open_store(url));
  TRY_ASSIGN(const auto repository, icechunk::Repository::open(std::move(store)));
  std::puts("ready");
  std::fflush(stdout);
  while (true) {
    const int next = std::getchar();
    if (next == '\n' || next == EOF) break;
  }
  TRY_ASSIGN(const auto rebases, commit_all(repository, row, commits));
  std::puts(core::text(R"({"row":)", row, R"(,"commits":)", commits, R"(,"rebases":)", rebases, "}")
                .c_str());
  for (const auto& host : object_store::traffic()) {
    std::fputs((object_store::describe(host) + "\n").c_str(), stderr);
  }
  return {};
}

}  // namespace
}  // namespace icefield

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 3) {
    std::fputs("usage: store_committer URL ROW COMMITS\n", stderr);
    return 2;
  }
  const auto number = [](const std::string& text) {
    return static_cast<std::uint32_t>(std::stoul(text));
  };
  const auto done = icefield::run(words[0], number(words[1]), number(words[2]));
  if (done) return 0;
  std::fputs(("store_committer: " + done.error().message() + "\n").c_str(), stderr);
  return 1;
}
