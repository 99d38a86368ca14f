#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace icefield::icechunk {

/// A place in the line of all writers of one branch on this machine, so that they replace `repo`
/// one after the other, first come, first served, instead of all racing and most losing.
/// Advisory: nothing depends on it for correctness. The line of a writer that died or holds its
/// turn for too long goes on without it; where there is no line (a remote store, no folder for
/// temporary files) the turn comes at once. Lives in a small file below the system's folder for
/// temporary files, never in the repository.
class Turn {
 public:
  /// Waits until it is this writer's turn, or the line has gone past it.
  static Turn take(const std::string& store_location, std::string_view branch);

  /// No line: the turn is there at once.
  Turn() = default;
  Turn(Turn&& other) noexcept
      : line_(std::exchange(other.line_, nullptr)), ticket_(other.ticket_) {}
  Turn& operator=(Turn&& other) noexcept {
    std::swap(line_, other.line_);
    std::swap(ticket_, other.ticket_);
    return *this;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// Lets the next one go.
  ~Turn();

  /// True while this writer holds a turn that a line gave it.
  bool in_line() const noexcept { return line_ != nullptr; }

  struct Line;  // shared by all processes

 private:
  Turn(Line* line, std::uint32_t ticket) : line_(line), ticket_(ticket) {}

  Line* line_ = nullptr;
  std::uint32_t ticket_ = 0;
};

}  // namespace icefield::icechunk
