#include "icechunk/commit/internal/turn.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

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

/// Tickets are even, count up and wrap; all zero is a new line. Whoever is in line holds a lock on
/// the byte of its slot in the file, which the system takes from it when it dies.
struct Turn::Line {
  std::atomic<std::uint32_t> next;     // ticket of the next writer to come
  std::atomic<std::uint32_t> serving;  // ticket whose turn it is, | 1 once it has taken it: so that
                                       // none is passed over and takes it. Waited for as a futex
  std::atomic<std::int64_t> since;     // milliseconds of the machine's uptime: when that began
  static constexpr std::uint32_t kSlots = 4096;
  std::array<std::atomic<std::uint32_t>, kSlots> arrived;  // ticket + 1 once its byte is locked
};

namespace {

using Line = Turn::Line;

constexpr std::int64_t kLongestTurn = 10'000;  // milliseconds
constexpr std::int64_t kLongestArrival = 100;  // from a ticket to the lock on its byte
constexpr long kLookAgain = 50'000'000;        // nanoseconds
constexpr std::uint32_t kStep = 2;             // from ticket to ticket
constexpr std::uint32_t kTaken = 1;

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

std::int64_t uptime_ms() {
  std::timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

std::uint32_t slot_of(std::uint32_t ticket) {
  return ticket / kStep % Line::kSlots;
}

/// One bit per ticket, so that only the next in line is woken.
std::uint32_t bit_of(std::uint32_t ticket) {
  return std::uint32_t{1} << (slot_of(ticket) % 32U);
}

void wait_while(Line& line, std::uint32_t serving, std::uint32_t ticket) {
  std::timespec until{};
  ::clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += kLookAgain;
  if (until.tv_nsec >= 1'000'000'000) {
    until.tv_nsec -= 1'000'000'000;
    ++until.tv_sec;
  }
  ::syscall(SYS_futex, &line.serving, FUTEX_WAIT_BITSET, serving, &until, nullptr, bit_of(ticket));
}

void advance(Line& line, std::uint32_t from, std::uint32_t to) {
  if (!line.serving.compare_exchange_strong(from, to)) return;
  line.since = uptime_ms();
  ::syscall(SYS_futex, &line.serving, FUTEX_WAKE_BITSET, std::numeric_limits<int>::max(), nullptr,
            nullptr, bit_of(to));
}

struct flock byte_of(std::uint32_t ticket, int type) {
  struct flock lock {};
  lock.l_type = static_cast<short>(type);
  lock.l_whence = SEEK_SET;
  lock.l_start = slot_of(ticket);
  lock.l_len = 1;
  return lock;
}

/// Locks of an open file, not of a process: they outlive other threads' closes, tell processes of
/// other containers apart, and a number that a later process was given means nothing.
bool lock_byte(int file, std::uint32_t ticket) {
  auto lock = byte_of(ticket, F_WRLCK);
  return ::fcntl(file, F_OFD_SETLK, &lock) == 0;
}

/// True when somebody else holds it.
bool is_locked(int file, std::uint32_t ticket) {
  auto lock = byte_of(ticket, F_WRLCK);
  return ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool has_arrived(const Line& line, std::uint32_t ticket) {
  return line.arrived[slot_of(ticket)] == ticket + 1;
}

/// True when the writer whose turn it is died, never came, or takes too long.
bool is_gone(const Line& line, int file, std::uint32_t serving) {
  const std::int64_t held = uptime_ms() - line.since;
  if (held > kLongestTurn || held < 0) return true;
  const std::uint32_t ticket = serving & ~kTaken;
  if (!has_arrived(line, ticket)) return held > kLongestArrival;
  return !is_locked(file, ticket);
}

/// How many writers a ticket is behind the one that is served; wraps.
std::int32_t distance(std::uint32_t serving, std::uint32_t ticket) {
  return static_cast<std::int32_t>(ticket - (serving & ~kTaken)) / static_cast<std::int32_t>(kStep);
}

/// The first after `gone` that is in line, at most `ticket`, which is.
std::uint32_t next_alive(const Line& line, int file, std::uint32_t gone, std::uint32_t ticket) {
  std::uint32_t next = (gone & ~kTaken) + kStep;
  while (next != ticket && !(has_arrived(line, next) && is_locked(file, next))) next += kStep;
  return next;
}

/// The folder of this user's lines, opened; nothing in it can be another user's doing.
int open_folder() {
  std::error_code failed;
  const auto path =
      std::filesystem::temp_directory_path(failed) / core::text("icefield-", ::geteuid());
  if (failed) return -1;
  if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) return -1;
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return -1;
  struct stat status {};
  const bool own = ::fstat(folder, &status) == 0 && status.st_uid == ::geteuid() &&
                   (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  if (own) return folder;
  ::close(folder);
  return -1;
}

/// The file of a line with all its bytes allocated: a full disk is found here and not by a
/// signal at the first write.
int open_file(std::string_view place, std::string_view branch) {
  const int folder = open_folder();
  if (folder < 0) return -1;
  constexpr std::size_t kNameLength = 32;
  const auto name =
      "line-" + core::sha256_hex(core::as_bytes(core::text("3\n", place, '\n', branch)))
                    .substr(0, kNameLength);
  const int file =
      ::openat(folder, name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  ::close(folder);
  if (file < 0) return -1;
  struct stat status {};
  const bool usable = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                      status.st_uid == ::geteuid() && ::fallocate(file, 0, 0, sizeof(Line)) == 0;
  if (usable) return file;
  ::close(file);
  return -1;
}

}  // namespace

Turn Turn::take(std::string_view place, std::string_view branch) {
  if (place.starts_with("memory:")) return {};
  Turn turn;
  turn.file_ = open_file(place, branch);
  if (turn.file_ < 0) return {};
  void* memory = ::mmap(nullptr, sizeof(Line), PROT_READ | PROT_WRITE, MAP_SHARED, turn.file_, 0);
  if (memory == MAP_FAILED) return {};
  turn.line_ = static_cast<Line*>(memory);
  turn.owner_ = ::getpid();
  return turn.wait() ? std::move(turn) : Turn();
}

bool Turn::wait() {
  Line& line = *line_;
  ticket_ = line.next.fetch_add(kStep) & ~kTaken;
  if (!lock_byte(file_, ticket_)) return false;
  line.arrived[slot_of(ticket_)] = ticket_ + 1;
  while (true) {
    std::uint32_t serving = line.serving;
    const std::int32_t ahead = distance(serving, ticket_);
    constexpr auto kMost = static_cast<std::int32_t>(Line::kSlots);
    if (serving == ticket_) {
      if (!line.serving.compare_exchange_strong(serving, ticket_ | kTaken)) continue;
      line.since = uptime_ms();
      return true;
    }
    if (ahead >= kMost || ahead <= -kMost) {  // nobody counted like that: start again from us
      advance(line, serving, ticket_);
    } else if (ahead <= 0) {  // the line has gone past us
      return false;
    } else if (is_gone(line, file_, serving)) {
      advance(line, serving, next_alive(line, file_, serving, ticket_));
    } else {
      wait_while(line, serving, ticket_);
    }
  }
}

Turn::~Turn() {
  if (line_ != nullptr) {
    if (owner_ == ::getpid()) advance(*line_, ticket_ | kTaken, ticket_ + kStep);
    ::munmap(line_, sizeof(Line));
  }
  if (file_ >= 0) ::close(file_);
}

}  // namespace icefield::icechunk
