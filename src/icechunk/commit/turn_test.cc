#include "icechunk/commit/internal/turn.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/random.h"
#include "core/text.h"
#include "object_store/testing/processes.h"
#include "object_store/testing/scratch_folder.h"

namespace icefield::icechunk {
namespace {

std::string new_place() {
  return core::text("file:///nowhere/", core::random_u64(), "/");
}

/// A folder for temporary files of this test's own.
class OwnTemporaryFolder {
 public:
  OwnTemporaryFolder() {
    if (const char* now = std::getenv("TMPDIR")) before_ = now;  // NOLINT: one thread
    use(folder_.path());
  }
  OwnTemporaryFolder(const OwnTemporaryFolder&) = delete;
  OwnTemporaryFolder& operator=(const OwnTemporaryFolder&) = delete;
  ~OwnTemporaryFolder() {
    if (before_.empty()) {
      ::unsetenv("TMPDIR");  // NOLINT: one thread
    } else {
      use(before_);
    }
  }

  std::filesystem::path lines() const {
    return folder_.path() / core::text("icefield-", ::geteuid());
  }

 private:
  static void use(const std::string& path) {
    ::setenv("TMPDIR", path.c_str(), 1);  // NOLINT: one thread
  }

  object_store_testing::ScratchFolder folder_;
  std::string before_;
};

TEST(Turn, comes_at_once_when_nobody_waits) {
  for (const std::string scheme : {"file:///", "s3://", "gs://", "az://", "https://"}) {
    const std::string place = core::text(scheme, core::random_u64(), "/");
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(Turn::take(place, "main").in_line()) << scheme;
  }
  // no other process can write there
  EXPECT_FALSE(Turn::take("memory://1/", "main").in_line());
}

/// What a writer finds in a pipe that holds one byte while nobody has its turn.
class Token {
 public:
  Token() {
    EXPECT_EQ(::pipe(ends_.data()), 0);
    put();
  }
  /// False: somebody else has taken it and not yet put it back.
  bool take() {
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    char byte = 0;
    return ::read(ends_[0], &byte, 1) == 1;
  }
  void put() {
    const char byte = 'x';
    EXPECT_EQ(::write(ends_[1], &byte, 1), 1);
  }

 private:
  std::array<int, 2> ends_{};
};

TEST(Turn, belongs_to_one_writer_of_a_branch_at_a_time) {
  const std::string place = new_place();
  const Turn other_branch = Turn::take(place, "side");
  Token token;
  const auto statuses = object_store_testing::run_in_processes(8, [&](std::size_t) {
    for (int i = 0; i < 20; ++i) {
      const Turn turn = Turn::take(place, "main");
      if (!turn.in_line()) continue;  // passed over: this process was stopped for too long
      if (!token.take()) return 3;
      ::usleep(100);
      token.put();
    }
    return 0;
  });
  EXPECT_EQ(statuses, std::vector<int>(8, 0));
}

TEST(Turn, goes_on_without_writers_that_were_killed) {
  const std::string place = new_place();
  const auto statuses = object_store_testing::run_in_processes(6, [&](std::size_t) {
    const Turn turn = Turn::take(place, "main");
    if (turn.in_line()) ::kill(::getpid(), SIGKILL);  // in its turn, others waiting behind it
    return 1;
  });
  EXPECT_EQ(statuses, std::vector<int>(6, 256 + SIGKILL));
  EXPECT_TRUE(Turn::take(place, "main").in_line());
}

TEST(Turn, goes_on_without_writers_that_were_killed_while_they_waited) {
  const std::string place = new_place();
  std::vector<::pid_t> waiting;
  {
    const Turn turn = Turn::take(place, "main");
    for (int i = 0; i < 5; ++i) {
      const ::pid_t child = ::fork();
      if (child == 0) {
        const Turn theirs = Turn::take(place, "main");
        ::_exit(theirs.in_line() ? 1 : 2);
      }
      waiting.push_back(child);
    }
    for (const ::pid_t child : waiting) {
      ::kill(child, SIGKILL);
      int status = 0;
      ::waitpid(child, &status, 0);
      EXPECT_TRUE(WIFSIGNALED(status));
    }
  }
  EXPECT_TRUE(Turn::take(place, "main").in_line());
}

TEST(Turn, is_not_given_up_by_a_process_that_was_forked_inside_it) {
  const std::string place = new_place();
  Token token;
  Turn turn = Turn::take(place, "main");
  ASSERT_TRUE(token.take());
  const ::pid_t copy = ::fork();
  if (copy == 0) {
    { const Turn moved = std::move(turn); }  // its end here must not let anybody go
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(copy, &status, 0);
  const ::pid_t other = ::fork();
  if (other == 0) {
    const Turn theirs = Turn::take(place, "main");
    ::_exit(token.take() ? 0 : 1);
  }
  ::usleep(20'000);  // time to come too early
  token.put();
  turn = Turn();
  ::waitpid(other, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Turn, needs_no_folder_that_others_can_write) {
  const OwnTemporaryFolder temporary;
  const std::string place = new_place();
  std::filesystem::create_directory(temporary.lines());
  ::chmod(temporary.lines().c_str(), 0777);
  EXPECT_FALSE(Turn::take(place, "main").in_line());
  std::filesystem::remove(temporary.lines());
  const object_store_testing::ScratchFolder elsewhere;
  std::filesystem::create_directory_symlink(elsewhere.path(), temporary.lines());
  EXPECT_FALSE(Turn::take(place, "main").in_line());
  std::filesystem::remove(temporary.lines());
  std::ofstream(temporary.lines()) << "a file";
  EXPECT_FALSE(Turn::take(place, "main").in_line());
  std::filesystem::remove(temporary.lines());
  EXPECT_TRUE(Turn::take(place, "main").in_line());
}

TEST(Turn, starts_again_when_its_file_holds_anything_else) {
  const OwnTemporaryFolder temporary;
  const std::string place = new_place();
  ASSERT_TRUE(Turn::take(place, "main").in_line());
  const auto overwrite = [&temporary](std::size_t bytes, char filling) {
    for (const auto& entry : std::filesystem::directory_iterator(temporary.lines())) {
      std::ofstream(entry.path(), std::ios::in | std::ios::binary) << std::string(bytes, filling);
    }
  };
  for (const std::size_t bytes : {4U, 8U, 16U, 1000U}) {
    for (const char filling : {'\xff', '\xef', '\x7f', '\x01', '\0'}) {
      overwrite(bytes, filling);
      // some may find that the line is past them, as many as can be in one
      int taken = 0;
      while (taken < 4096 && !Turn::take(place, "main").in_line()) ++taken;
      EXPECT_LT(taken, 4096) << bytes << " " << int{filling};
    }
  }
  // one file of any length
  for (const auto& entry : std::filesystem::directory_iterator(temporary.lines())) {
    std::filesystem::resize_file(entry.path(), 3);
  }
  EXPECT_TRUE(Turn::take(place, "main").in_line());
}

}  // namespace
}  // namespace icefield::icechunk
