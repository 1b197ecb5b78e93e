// Why an exploration ended before its end, or found nothing and proves nothing, in words.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "weft/weft.hpp"

namespace weft {

inline constexpr const char* kNoExecution = "no execution came to its end: weft::assume, or a wait, dropped them all";
inline constexpr const char* kNotConcurrent = "the body never ran two threads, or two tasks of an event loop";
inline std::string never_held_reason(std::string_view condition) { return "`" + std::string(condition) + "` never held"; }

/// Which of its limits a search has met that has gone on for so many seconds; empty: none.
inline std::string limit_met(const Options& options, double seconds) {
  if (options.interrupted != nullptr && *options.interrupted) return "interrupted";
  if (options.max_seconds > 0 && seconds >= options.max_seconds)
    return fmt::format("--max-time: {:g} seconds have passed", options.max_seconds);
  return {};
}

}  // namespace weft
