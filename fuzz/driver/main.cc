// Runs one entry of libFuzzer's signature where the compiler brings no fuzzer: over every file of
// the corpus, then over changed copies until the time is up. Copies that reach code which nothing
// reached before join the corpus. A crash, a sanitizer's report, or ten seconds in one input leave
// that input as a file in the working directory.

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "coverage.h"
#include "mutate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// Present in a sanitized build only.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer chose the name
extern "C" const char* __asan_default_options() {
  return "max_allocation_size_mb=1024:hard_rss_limit_mb=6144:abort_on_error=0";
}

namespace icefield::fuzz {
namespace {

constexpr unsigned kSecondsPerInput = 10;
constexpr std::size_t kMaxCorpusFile = std::size_t{4} << 20U;

struct Options {
  double seconds = 10;
  std::uint64_t runs = ~std::uint64_t{0};  // changed copies, at most
  std::uint64_t seed = 0;
  std::size_t max_length = std::size_t{1} << 20U;
  std::vector<std::filesystem::path> corpus;  // files, or folders read with their subfolders
};

// What a signal handler or a sanitizer's death callback needs to save the guilty input.
const std::uint8_t* running_data = nullptr;
std::size_t running_size = 0;
std::array<char, 256> crash_file{};

void save_running_input() {
  if (running_data == nullptr) return;
  const int file = ::open(crash_file.data(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return;
  std::size_t written = 0;
  while (written < running_size) {
    const auto count = ::write(file, running_data + written, running_size - written);
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  ::close(file);
  constexpr std::string_view kSaved = "\nfuzz: the input was saved as ";
  if (::write(2, kSaved.data(), kSaved.size()) < 0) return;
  const std::string_view name = crash_file.data();
  if (::write(2, name.data(), name.size()) < 0 || ::write(2, "\n", 1) < 0) return;
}

void on_signal(int number) {
  save_running_input();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void watch_for_crashes(std::string_view program, std::uint64_t seed) {
  std::snprintf(crash_file.data(), crash_file.size(), "crash-%.*s-%llu.bin",
                static_cast<int>(program.size()), program.data(),
                static_cast<unsigned long long>(seed));
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(save_running_input);
  }
  std::signal(SIGABRT, on_signal);
  std::signal(SIGALRM, on_signal);
}

/// Runs the entry once; gives how many new places it reached.
std::size_t run(const Input& input) {
  // A copy of exactly the input's size, so that the sanitizer sees a read past its end.
  const std::vector<std::uint8_t> exact(input);
  running_data = exact.data();
  running_size = exact.size();
  start_coverage();
  ::alarm(kSecondsPerInput);
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
  ::alarm(0);
  running_data = nullptr;
  return take_new_coverage();
}

void add_file(const std::filesystem::path& path, std::vector<Input>& corpus) {
  std::ifstream file(path, std::ios::binary);
  Input bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.size() > kMaxCorpusFile) bytes.resize(kMaxCorpusFile);
  corpus.push_back(std::move(bytes));
}

/// Every file below the given paths in byte order of their names; an empty input is always there.
std::vector<Input> load(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::filesystem::path> files;
  for (const auto& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<Input> corpus(1);
  for (const auto& file : files) add_file(file, corpus);
  return corpus;
}

std::optional<Options> parse(const std::vector<std::string>& arguments) {
  Options options;
  options.seed =
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (!word.starts_with("--")) {
      options.corpus.emplace_back(word);
      continue;
    }
    if (++i == arguments.size()) return std::nullopt;
    char* end = nullptr;
    const char* value = arguments[i].c_str();
    if (word == "--seconds") {
      options.seconds = std::strtod(value, &end);
    } else if (word == "--runs") {
      options.runs = std::strtoull(value, &end, 10);
    } else if (word == "--seed") {
      options.seed = std::strtoull(value, &end, 10);
    } else if (word == "--max-length") {
      options.max_length = std::strtoull(value, &end, 10);
    }
    if (end == nullptr || end == value || *end != '\0') return std::nullopt;
  }
  return options;
}

int fuzz(std::string_view program, const Options& options) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto elapsed = [start] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  watch_for_crashes(program, options.seed);

  std::vector<Input> corpus = load(options.corpus);
  const std::size_t files = corpus.size();
  std::size_t places = 0;
  for (const Input& input : corpus) places += run(input);

  Random random(options.seed);
  std::uint64_t runs = 0;
  for (; runs < options.runs && elapsed() < options.seconds; ++runs) {
    Input input = mutate(corpus, options.max_length, random);
    const std::size_t fresh = run(input);
    places += fresh;
    if (fresh > 0) corpus.push_back(std::move(input));
  }
  std::printf(
      "%.*s: %zu corpus inputs, %llu changed copies, %zu kept, %zu places, %.1f s, seed %llu\n",
      static_cast<int>(program.size()), program.data(), files,
      static_cast<unsigned long long>(runs), corpus.size() - files, places, elapsed(),
      static_cast<unsigned long long>(options.seed));
  return 0;
}

}  // namespace
}  // namespace icefield::fuzz

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto options = icefield::fuzz::parse(arguments);
  if (!options) {
    std::fprintf(
        stderr, "usage: %s [--seconds N] [--runs N] [--seed N] [--max-length N] [FILE|FOLDER...]\n",
        argv[0]);
    return 2;
  }
  const std::string program = std::filesystem::path(argv[0]).filename();
  std::printf("%s: seed %llu\n", program.c_str(), static_cast<unsigned long long>(options->seed));
  std::fflush(stdout);
  return icefield::fuzz::fuzz(program, *options);
}
