#include "icechunk/commit/internal/turn.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <limits>
#include <optional>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/bytes.h"
#include "core/sha256.h"
#include "core/text.h"

namespace icefield::icechunk {

/// Tickets count up and wrap; all zero is a new line.
struct Turn::Line {
  std::atomic<std::uint32_t> next;     // ticket of the next writer to come
  std::atomic<std::uint32_t> serving;  // ticket whose turn it is; waited for as a futex
  std::atomic<std::int64_t> since;     // milliseconds of the machine's uptime: when that began
  static constexpr std::uint32_t kSlots = 4096;
  std::array<std::atomic<std::int32_t>, kSlots> process;  // of each ticket; 0: not known yet
};

namespace {

using Line = Turn::Line;

constexpr std::int64_t kLongestTurn = 10'000;  // milliseconds
constexpr std::int64_t kLongestArrival = 100;  // from a ticket to the name of its process
constexpr long kLookAgain = 50'000'000;        // nanoseconds

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

std::int64_t uptime_ms() {
  std::timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

/// One bit per ticket, so that only the next in line is woken.
std::uint32_t bit_of(std::uint32_t ticket) {
  return std::uint32_t{1} << (ticket % 32U);
}

void wait_while(Line& line, std::uint32_t serving, std::uint32_t ticket) {
  const std::timespec longest{.tv_sec = 0, .tv_nsec = kLookAgain};
  std::timespec until{};
  ::clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += longest.tv_nsec;
  if (until.tv_nsec >= 1'000'000'000) {
    until.tv_nsec -= 1'000'000'000;
    ++until.tv_sec;
  }
  ::syscall(SYS_futex, &line.serving, FUTEX_WAIT_BITSET, serving, &until, nullptr, bit_of(ticket));
}

void advance(Line& line, std::uint32_t from) {
  if (!line.serving.compare_exchange_strong(from, from + 1)) return;
  line.since = uptime_ms();
  ::syscall(SYS_futex, &line.serving, FUTEX_WAKE_BITSET, std::numeric_limits<int>::max(), nullptr,
            nullptr, bit_of(from + 1));
}

/// True when the writer whose turn it is died, never came, or takes too long.
bool is_gone(Line& line, std::uint32_t serving) {
  const std::int64_t held = uptime_ms() - line.since;
  if (held > kLongestTurn || held < 0) return true;
  const std::int32_t process = line.process[serving % Line::kSlots];
  if (process == 0) return held > kLongestArrival;
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

/// How far a ticket is behind another; wraps.
std::int32_t distance(std::uint32_t from, std::uint32_t to) {
  return static_cast<std::int32_t>(to - from);
}

std::optional<std::string> file_of(const std::string& location, std::string_view branch) {
  std::error_code failed;
  const auto folder =
      std::filesystem::temp_directory_path(failed) / core::text("icefield-", ::getuid());
  if (failed) return std::nullopt;
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) return std::nullopt;
  const std::string name = core::sha256_hex(core::as_bytes(core::text(location, '\n', branch)));
  constexpr std::size_t kNameLength = 32;
  return (folder / ("line-" + name.substr(0, kNameLength))).string();
}

Line* open_line(const std::string& location, std::string_view branch) {
  if (!location.starts_with("file://")) return nullptr;
  const auto file = file_of(location, branch);
  if (!file) return nullptr;
  const int fd =
      ::open(file->c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (fd < 0) return nullptr;
  void* memory = MAP_FAILED;
  if (::ftruncate(fd, sizeof(Line)) == 0) {
    memory = ::mmap(nullptr, sizeof(Line), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  ::close(fd);
  return memory == MAP_FAILED ? nullptr : static_cast<Line*>(memory);
}

void close_line(Line* line) {
  ::munmap(line, sizeof(Line));
}

}  // namespace

Turn Turn::take(const std::string& store_location, std::string_view branch) {
  Line* const line = open_line(store_location, branch);
  if (line == nullptr) return {};
  const std::uint32_t ticket = line->next++;
  line->process[ticket % Line::kSlots] = ::getpid();
  while (true) {
    const std::uint32_t serving = line->serving;
    const std::int32_t ahead = distance(serving, ticket);
    if (ahead == 0) {
      line->since = uptime_ms();
      return Turn(line, ticket);
    }
    if (ahead < 0) {  // the line has gone past us
      close_line(line);
      return {};
    }
    if (is_gone(*line, serving)) {
      advance(*line, serving);
    } else {
      wait_while(*line, serving, ticket);
    }
  }
}

Turn::~Turn() {
  if (line_ == nullptr) return;
  line_->process[ticket_ % Line::kSlots] = 0;
  advance(*line_, ticket_);
  close_line(line_);
}

}  // namespace icefield::icechunk
