#include "report/column_names.hpp"

namespace weft {

std::string with_names_of_threads(std::string_view text, const Trace& trace) {
  std::string_view rest = text;
  static constexpr std::string_view kWord = "thread ";
  std::string named;
  for (std::size_t at = 0; (at = rest.find(kWord)) != std::string_view::npos;) {
    std::size_t end = at + kWord.size();
    std::size_t number = 0;
    while (end < rest.size() && rest[end] >= '0' && rest[end] <= '9' && number < kMaxThreads)
      number = number * 10 + static_cast<std::size_t>(rest[end++] - '0');
    const bool is_thread = end != at + kWord.size() && number < trace.threads;
    named += rest.substr(0, is_thread ? at : end);
    if (is_thread) named += trace.columns[number];
    rest.remove_prefix(end);
  }
  return named.append(rest);
}

}  // namespace weft
