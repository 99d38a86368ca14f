#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "core/progress.h"

namespace icefield::cli {

/// A bar on standard error when that is a terminal.
class ProgressBar final : public core::Progress {
 public:
  ~ProgressBar() override;
  void begin(std::string_view stage, std::uint64_t total) override;
  void advance(std::uint64_t steps) override;

 private:
  void draw() const;
  void finish();

  std::mutex mutex_;  // guards all below
  std::string stage_;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
  std::chrono::steady_clock::time_point drawn_;
};

/// A log line when a stage begins, at most one every ten seconds while it lasts.
class ProgressLog final : public core::Progress {
 public:
  void begin(std::string_view stage, std::uint64_t total) override;
  void advance(std::uint64_t steps) override;

 private:
  std::mutex mutex_;  // guards all below
  std::string stage_;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
  std::chrono::steady_clock::time_point said_;
};

/// The bar on a terminal, log lines otherwise.
std::unique_ptr<core::Progress> make_progress();

}  // namespace icefield::cli
