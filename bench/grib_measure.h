#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

namespace icefield::bench {

/// CPU seconds of this process so far, all threads.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Least CPU seconds of one call of `work` over `rounds` rounds, each of at least `seconds`.
template <typename Work>
double least_cpu(int rounds, double seconds, const Work& work) {
  double least = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const double begin = cpu_seconds();
    double spent = 0;
    double calls = 0;
    do {
      work();
      ++calls;
      spent = cpu_seconds() - begin;
    } while (spent < seconds);
    least = spent / calls < least ? spent / calls : least;
  }
  return least;
}

/// What `script` prints when the interpreter named by ICEFIELD_PEER_PYTHON runs it with
/// `arguments`; empty when the variable is not set or the run fails.
inline std::string run_peer(const std::string& script, const std::string& arguments) {
  const char* python = std::getenv("ICEFIELD_PEER_PYTHON");  // NOLINT: one thread
  if (python == nullptr) return {};
  const auto command = std::string(python) + " -c '" + script + "' " + arguments;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  if (!pipe) return {};
  std::string out;
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()) != nullptr) {
    out += buffer.data();
  }
  return out;
}

}  // namespace icefield::bench
