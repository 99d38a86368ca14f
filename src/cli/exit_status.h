#pragma once

namespace icefield::cli {

// Exit status of every command. A signal ends the process with 128 + its number.
inline constexpr int kDone = 0;         // done, nothing skipped
inline constexpr int kFailed = 1;       // failed; the message says why and what to do
inline constexpr int kWrongUse = 2;     // the command line was wrong; nothing was touched
inline constexpr int kDoneSkipped = 3;  // done, but some sources were skipped and reported

}  // namespace icefield::cli
