#include "cli/progress_display.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include "core/log.h"
#include "core/text.h"

namespace icefield::cli {
namespace {

constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::chrono::seconds kSayAgain{10};
constexpr std::size_t kWidth = 30;

}  // namespace

ProgressBar::~ProgressBar() {
  finish();
}

void ProgressBar::begin(std::string_view stage, std::uint64_t total) {
  const std::scoped_lock lock(mutex_);
  finish();
  stage_ = stage;
  total_ = total;
  done_ = 0;
  drawn_ = std::chrono::steady_clock::now();
  draw();
}

void ProgressBar::advance(std::uint64_t steps) {
  const std::scoped_lock lock(mutex_);
  done_ += steps;
  const auto now = std::chrono::steady_clock::now();
  if (now - drawn_ < kRedraw && done_ < total_) return;
  drawn_ = now;
  draw();
}

void ProgressBar::draw() const {
  const std::size_t filled =
      total_ == 0 ? 0 : static_cast<std::size_t>(std::min(done_, total_) * kWidth / total_);
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  const auto line = core::text("\r", stage_, " [", bar, "] ", done_, "/", total_);
  std::fputs(line.c_str(), stderr);
}

void ProgressBar::finish() {
  if (!stage_.empty()) std::fputc('\n', stderr);
  stage_.clear();
}

void ProgressLog::begin(std::string_view stage, std::uint64_t total) {
  const std::scoped_lock lock(mutex_);
  stage_ = stage;
  total_ = total;
  done_ = 0;
  said_ = std::chrono::steady_clock::now();
  core::log_info(core::text(stage_, ": ", total_));
}

void ProgressLog::advance(std::uint64_t steps) {
  const std::scoped_lock lock(mutex_);
  done_ += steps;
  const auto now = std::chrono::steady_clock::now();
  if (now - said_ < kSayAgain) return;
  said_ = now;
  core::log_info(core::text(stage_, ": ", done_, "/", total_));
}

std::unique_ptr<core::Progress> make_progress() {
  if (::isatty(STDERR_FILENO) == 1) return std::make_unique<ProgressBar>();
  return std::make_unique<ProgressLog>();
}

}  // namespace icefield::cli
