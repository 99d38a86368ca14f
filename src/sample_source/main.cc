// `icefield sample-source`: the command line around generate().
#include <cstdio>
#include <mutex>
#include <string>
#include <variant>

#include <unistd.h>

#include "core/log.h"
#include "core/text.h"
#include "sample_source/generate.h"
#include "sample_source/options.h"
#include "sample_source/report_text.h"

namespace icefield::sample_source {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUse = 2;

/// Tells on standard error how far the work is, a hundred times in all: in place on a terminal,
/// every tenth time as a log line otherwise.
class Steps final : public core::Progress {
 public:
  void begin(std::string_view stage, std::uint64_t total) override {
    const std::scoped_lock lock(mutex_);
    stage_ = stage;
    total_ = total;
    done_ = 0;
  }

  void advance(std::uint64_t steps) override {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t parts = on_terminal_ ? 100 : 10;
    const std::uint64_t before = done_ * parts / total_;
    done_ += steps;
    if (done_ * parts / total_ == before) return;
    const std::string line = core::text(stage_, " ", done_, "/", total_);
    if (!on_terminal_) return core::log_info(line);
    std::fputs(core::text("\r", line, done_ == total_ ? "\n" : "").c_str(), stderr);
  }

 private:
  const bool on_terminal_ = ::isatty(STDERR_FILENO) == 1;
  std::mutex mutex_;  // guards all below
  std::string stage_;
  std::uint64_t total_ = 1;
  std::uint64_t done_ = 0;
};

int fail(const core::Error& error) {
  std::fputs(core::text("icefield sample-source: ", error.message(), "\n").c_str(), stderr);
  const bool misused = error.code() == core::ErrorCode::kInvalidArgument ||
                       error.code() == core::ErrorCode::kUnsupported;
  return misused ? kWrongUse : kFailed;
}

int run(int argc, const char* const* argv) {
  const auto parsed = parse_options(argc, argv);
  if (!parsed) return fail(parsed.error());
  if (const auto* help = std::get_if<HelpText>(&*parsed)) {
    std::fputs(help->text.c_str(), stdout);
    return kDone;
  }
  const auto& options = std::get<Options>(*parsed);
  Steps steps;
  const auto report = generate(options.request, steps);
  if (!report) return fail(report.error());
  const std::string text =
      options.json ? report_json(*report) + "\n" : report_text(*report, options.request.spec->id);
  std::fputs(text.c_str(), stdout);
  return std::fflush(stdout) == 0 ? kDone : kFailed;
}

}  // namespace
}  // namespace icefield::sample_source

int main(int argc, char** argv) {
  return icefield::sample_source::run(argc, argv);
}
