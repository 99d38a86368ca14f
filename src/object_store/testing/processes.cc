#include "object_store/testing/processes.h"

#include <array>

#include <sys/wait.h>
#include <unistd.h>

namespace icefield::object_store_testing {

std::vector<int> run_in_processes(std::size_t count, const std::function<int(std::size_t)>& work) {
  std::array<int, 2> gate{};
  std::vector<int> statuses(count, -1);
  if (::pipe(gate.data()) != 0) return statuses;
  std::vector<pid_t> children;
  for (std::size_t i = 0; i < count; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(gate[1]);
      char nothing = 0;
      // returns when the parent closes the other end: at the same moment for all
      while (::read(gate[0], &nothing, 1) > 0) {
      }
      ::_exit(work(i));
    }
    children.push_back(child);
  }
  ::close(gate[0]);
  ::close(gate[1]);
  for (std::size_t i = 0; i < count; ++i) {
    int status = 0;
    if (children[i] < 0 || ::waitpid(children[i], &status, 0) < 0) continue;
    statuses[i] = WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
  }
  return statuses;
}

}  // namespace icefield::object_store_testing
