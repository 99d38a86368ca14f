#pragma once

#include <cstdint>
#include <string_view>

namespace icefield::core {

/// Hears how far a long piece of work is. Calls may come from many threads at once.
/// The one that does nothing is Progress itself.
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  /// A stage of `total` steps begins ("read indexes"); the one before it is over.
  virtual void begin(std::string_view /*stage*/, std::uint64_t /*total*/) {}

  /// `steps` more of the stage are done.
  virtual void advance(std::uint64_t /*steps*/) {}
};

}  // namespace icefield::core
