// Why an exploration that found nothing proves nothing, in words.
#pragma once

#include <string>
#include <string_view>

namespace weft {

inline constexpr const char* kNoExecution = "no execution came to its end: weft::assume, or a wait, dropped them all";
inline constexpr const char* kNotConcurrent = "the body never ran two threads, or two tasks of an event loop";
inline std::string never_held_reason(std::string_view condition) { return "`" + std::string(condition) + "` never held"; }

}  // namespace weft
