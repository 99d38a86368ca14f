#include "object_store/internal/run_command.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/text.h"

extern char** environ;  // NOLINT: POSIX

namespace icefield::object_store {
namespace {

constexpr std::size_t kMostOutput = 256U << 10U;
constexpr int kLookForStop = 50;  // milliseconds

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

// All that the program writes until it closes its output.
core::Result<std::string> read_all(int from, std::chrono::milliseconds most,
                                   const std::stop_token& stop) {
  const auto until = std::chrono::steady_clock::now() + most;
  std::string output;
  for (;;) {
    if (stop.stop_requested()) return core::Error(core::ErrorCode::kCancelled, "cancelled");
    if (std::chrono::steady_clock::now() > until) {
      return core::Error(core::ErrorCode::kUnavailable,
                         core::text("it did not end within ", most.count(), " ms"));
    }
    pollfd watched{.fd = from, .events = POLLIN, .revents = 0};
    if (::poll(&watched, 1, kLookForStop) <= 0) continue;
    std::array<char, 4096> bytes{};
    const auto got = ::read(from, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return output;
    output.append(bytes.data(), static_cast<std::size_t>(got));
    if (output.size() > kMostOutput) {
      return core::Error(core::ErrorCode::kCorrupt, "it writes without end");
    }
  }
}

// The status of the process, which is ended when it does not end by itself.
int end_of(pid_t child, std::chrono::milliseconds most) {
  const auto until = std::chrono::steady_clock::now() + most;
  int status = 0;
  for (;;) {
    const auto ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return status;
    if (std::chrono::steady_clock::now() > until) ::kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// The process id, or the errno of the failure.
core::Result<pid_t> start(const std::vector<std::string>& words, int output) {
  std::vector<char*> arguments;
  for (const auto& one : words) arguments.push_back(const_cast<char*>(one.c_str()));  // NOLINT: C
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int failed =
      ::posix_spawnp(&child, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return core::Error(core::ErrorCode::kInvalidArgument, "it cannot be started");
  return child;
}

}  // namespace

core::Result<std::vector<std::string>> split_command(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;  // a word has begun, perhaps an empty one
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < line.size();
    if (escapes) {
      word += line[++i];
      open = true;
    } else if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      open = true;
    } else if (c == ' ' || c == '\t') {
      if (open) words.push_back(std::exchange(word, {}));
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (quote != '\0') {
    return core::Error(core::ErrorCode::kInvalidArgument, "a command with a quote without end");
  }
  if (open) words.push_back(std::move(word));
  return words;
}

core::Result<std::string> run_command(const std::vector<std::string>& words,
                                      std::chrono::milliseconds most, const std::stop_token& stop) {
  if (words.empty()) return core::Error(core::ErrorCode::kInvalidArgument, "an empty command");
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return core::Error(core::ErrorCode::kUnavailable, "no pipe for it");
  }
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  TRY_ASSIGN(const auto child, start(words, to.get()));
  to.close();
  auto output = read_all(from.get(), most, stop);
  if (!output) ::kill(child, SIGKILL);
  const int status = end_of(child, most);
  if (!output) return output;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return core::Error(
        core::ErrorCode::kInvalidArgument,
        core::text("it ended with status ",
                   WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)));
  }
  return output;
}

}  // namespace icefield::object_store
