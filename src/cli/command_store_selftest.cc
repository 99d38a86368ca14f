// `icefield store selftest STORE`: whether a store keeps what transactions need.
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/exit_status.h"
#include "core/json.h"
#include "core/log.h"
#include "core/text.h"
#include "object_store/open.h"
#include "object_store/selftest.h"

namespace icefield::cli {
namespace {

constexpr std::chrono::milliseconds kLook{50};
constexpr std::chrono::seconds kGrace{4};  // for tidying up after the first signal
constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

/// While it lives, the first SIGINT, SIGTERM or SIGHUP asks `stop` to stop; a second one, or the
/// end of the grace, asks `give_up`. Made before other threads: they inherit that the signals are
/// blocked.
class SignalStop {
 public:
  SignalStop() {
    sigemptyset(&signals_);
    for (const int number : kSignals) sigaddset(&signals_, number);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
    watcher_ = std::jthread([this](const std::stop_token& over) { watch(over); });
  }
  SignalStop(const SignalStop&) = delete;
  SignalStop& operator=(const SignalStop&) = delete;
  ~SignalStop() {
    watcher_.request_stop();
    watcher_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  std::stop_token stop() const { return stop_.get_token(); }
  std::stop_token give_up() const { return give_up_.get_token(); }
  int signal() const { return signal_; }  // 0: none came

 private:
  void watch(const std::stop_token& over) {
    std::chrono::steady_clock::time_point end;
    while (!over.stop_requested()) {
      const timespec look{.tv_sec = 0, .tv_nsec = std::chrono::nanoseconds(kLook).count()};
      const int number = sigtimedwait(&signals_, nullptr, &look);
      if (number > 0 && signal_ == 0) {
        signal_ = number;
        end = std::chrono::steady_clock::now() + kGrace;
        core::log_warning(core::text("signal ", number, ": removing what the selftest wrote"));
        stop_.request_stop();
      } else if (number > 0 || (signal_ != 0 && std::chrono::steady_clock::now() > end)) {
        give_up_.request_stop();
      }
    }
  }

  sigset_t signals_{};
  sigset_t before_{};
  std::stop_source stop_;
  std::stop_source give_up_;
  std::atomic<int> signal_{0};
  std::jthread watcher_;  // last: starts when everything else exists
};

struct Arguments {
  std::string store;
  bool json = false;
};

core::Json to_json(const object_store::SelftestReport& report) {
  core::Json::Array lines;
  for (const auto& line : report.lines) {
    auto row = core::Json::object({{"name", line.name},
                                   {"holds", line.holds},
                                   {"required", line.required},
                                   {"detail", line.detail}});
    core::Json figures = core::Json::object({});
    for (const auto& figure : line.figures) figures.set(figure.name, figure.value);
    row.set("figures", std::move(figures));
    lines.push_back(std::move(row));
  }
  return core::Json::object({{"store", report.location},
                             {"fit", report.fit()},
                             {"interrupted", report.interrupted},
                             {"lines", std::move(lines)}});
}

/// Removes the folders on the way to a local store that did not exist when it was made.
class FoldersAsBefore {
 public:
  explicit FoldersAsBefore(std::string_view store) {
    if (store.starts_with("file://")) store.remove_prefix(std::string_view("file://").size());
    if (store.find("://") != std::string_view::npos) return;
    std::error_code failed;
    auto path = std::filesystem::absolute(store, failed);
    if (!path.has_filename()) path = path.parent_path();  // a '/' at the end
    for (; !failed && !path.empty() && !std::filesystem::exists(path, failed);
         path = path.parent_path()) {
      missing_.push_back(path);
    }
  }
  FoldersAsBefore(const FoldersAsBefore&) = delete;
  FoldersAsBefore& operator=(const FoldersAsBefore&) = delete;
  ~FoldersAsBefore() {
    for (const auto& path : missing_) ::rmdir(path.c_str());  // only empty ones
  }

 private:
  std::vector<std::filesystem::path> missing_;  // the deepest first
};

/// One of the two views of the place; nothing is contacted yet, so what fails is wrong use.
core::Result<std::unique_ptr<object_store::ObjectStore>> open(const Arguments& arguments,
                                                              std::stop_token stop) {
  object_store::OpenOptions options;
  options.stop = std::move(stop);
  auto store = object_store::open_store(arguments.store, options);
  if (store) return store;
  return core::Error(core::ErrorCode::kInvalidArgument, store.error().message());
}

int selftest(const Arguments& arguments) {
  const SignalStop signals;
  const FoldersAsBefore folders(arguments.store);
  const auto store = open(arguments, signals.stop());
  if (!store) return fail(store.error());
  const auto cleaner = open(arguments, signals.give_up());
  if (!cleaner) return fail(cleaner.error());
  const auto report = object_store::run_selftest(**store, **cleaner, signals.stop());
  const auto text = arguments.json ? to_json(report).dump() + "\n" : object_store::describe(report);
  std::fputs(text.c_str(), stdout);
  if (signals.signal() != 0) return 128 + signals.signal();
  return report.fit() ? kDone : kFailed;
}

constexpr const char* kFooter = R"(Examples:
  icefield store selftest s3://bucket/prefix
  icefield store selftest gs://bucket --json
  AWS_ENDPOINT_URL=http://127.0.0.1:9300 icefield store selftest s3://bucket
  icefield store selftest /mnt/shared/store

Tries conditional writes alone and by 32 writers at once, reading after writing, listings, ranges,
copies and the clock, and measures latency and throughput. Writes about 13 MB below a name of its
own beneath STORE and removes it, also when it is interrupted.
Exit status: 0 fit for transactions; 1 not fit; 2 wrong use; 128 + signal when interrupted.)";

}  // namespace

void add_store_selftest_command(CLI::App& store, Run& run) {
  auto* const command =
      store.add_subcommand("selftest", "Try whether a store keeps what transactions need");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("STORE", arguments->store, "Folder or URL of the place to try")->required();
  command->add_flag("--json", arguments->json, "One JSON object on standard output");
  command->footer(kFooter);
  command->callback([&run, arguments] { run = [arguments] { return selftest(*arguments); }; });
}

}  // namespace icefield::cli
