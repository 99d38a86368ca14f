#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include <sys/types.h>

namespace icefield::icechunk {

/// A place in the line of all writers of one branch on this machine, so that they replace `repo`
/// one after the other, first come, first served, instead of all racing and most losing.
/// Advisory: nothing depends on it for correctness. The line goes on without a writer that died,
/// wherever (also in another container that shares the folder), or that holds its turn for more
/// than ten seconds. Where there can be no line the turn comes at once: memory stores, which no
/// other process sees; no folder for temporary files, or one that is not only ours, or full.
/// Lives in a small file below the system's folder for temporary files, never in the repository.
class Turn {
 public:
  /// Waits until it is this writer's turn, or the line has gone past it. `place` is what tells the
  /// repository from all others (see CommitRun).
  static Turn take(std::string_view place, std::string_view branch);

  /// No line: the turn is there at once.
  Turn() = default;
  Turn(Turn&& other) noexcept
      : line_(std::exchange(other.line_, nullptr)),
        file_(std::exchange(other.file_, -1)),
        ticket_(other.ticket_),
        owner_(other.owner_) {}
  Turn& operator=(Turn&& other) noexcept {
    std::swap(line_, other.line_);
    std::swap(file_, other.file_);
    std::swap(ticket_, other.ticket_);
    std::swap(owner_, other.owner_);
    return *this;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// Lets the next one go; in a process that was forked meanwhile it does nothing.
  ~Turn();

  /// True while this writer holds a turn that a line gave it.
  bool in_line() const noexcept { return line_ != nullptr; }

  struct Line;  // shared by all processes

 private:
  bool wait();  // false: there is no turn for us

  Line* line_ = nullptr;
  int file_ = -1;  // holds the lock that says we are alive
  std::uint32_t ticket_ = 0;
  ::pid_t owner_ = 0;
};

}  // namespace icefield::icechunk
