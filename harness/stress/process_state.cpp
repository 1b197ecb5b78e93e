#include "stress/process_state.hpp"

#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace weft::stress {
namespace {

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

ThreadState state_of(const std::string& folder) {
  ThreadState state;
  char letter = '?';
  std::ifstream status(folder + "/status");
  for (std::string line; std::getline(status, line);) {
    std::istringstream in(line);
    std::string field;
    std::uint64_t count = 0;
    in >> field;
    if (field == "State:") in >> letter;
    if (field.ends_with("ctxt_switches:") && in >> count) state.switches += count;
  }
  state.runs = letter == 'R' || letter == 'D';
  // "202 0x7f.. 0x80 0x0 0x0 ...": the system call and its arguments. Empty where the system does not tell.
  std::istringstream call(first_line(folder + "/syscall"));
  long number = -1;
  std::uintptr_t word = 0;
  std::uintptr_t operation = 0;
  std::uintptr_t value = 0;
  std::uintptr_t timeout = 0;
  if (call >> number >> std::hex >> word >> operation >> value >> timeout && number == SYS_futex) {
    state.waits_for = word;
    state.waits = letter == 'S' && timeout == 0;
  }
  return state;
}

}  // namespace

std::vector<ThreadState> thread_states(pid_t process) {
  std::vector<ThreadState> threads;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process), gone)) {
    const std::string folder = entry.path().string();
    const std::string id = entry.path().filename().string();
    if (first_line(folder + "/comm") == kRuntimeThreadName) continue;
    threads.push_back(state_of(folder));
    std::from_chars(id.data(), id.data() + id.size(), threads.back().id);
  }
  return threads;
}

bool all_wait(const std::vector<ThreadState>& threads) {
  return !threads.empty() && std::all_of(threads.begin(), threads.end(), [](const ThreadState& t) { return t.waits; });
}

}  // namespace weft::stress
