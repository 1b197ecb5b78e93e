#include "cli/debugger_line.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string_view>

#include "api/debugger_stop.hpp"
#include "cli/shell_words.hpp"

namespace weft::cli {

std::string debugger_line(const std::string& program, const std::string& arguments, const std::string& step) {
  return fmt::format("gdb -q {} --args {} {} --break-at {}", kDebuggerOptions, shell_quoted(program), arguments, step);
}

std::string debugger_line(const std::string& program, const FindingReport& finding) {
  constexpr std::string_view kCommand = "weft replay ";
  if (!finding.replay.starts_with(kCommand) || finding.schedule.empty()) return {};
  std::istringstream words(finding.replay.substr(std::string_view("weft ").size()));
  std::string arguments;
  for (std::string word; words >> word;) arguments += (arguments.empty() ? "" : " ") + shell_quoted(word);
  return debugger_line(program, arguments);
}

std::string own_program() {
  std::ifstream arguments("/proc/self/cmdline", std::ios::binary);
  std::string program;
  std::getline(arguments, program, '\0');
  return program;
}

}  // namespace weft::cli
