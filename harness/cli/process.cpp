#include "cli/process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "cli/child_signal.hpp"

namespace weft::cli {
namespace {

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const std::string message = "weft: cannot start " + command[0] + ": " + std::strerror(errno) + "\n";
  if (write(STDERR_FILENO, message.data(), message.size()) < 0) _exit(126);
  _exit(127);
}

int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 127;
  }
  return exit_code(status);
}

// Of the program that runs until it is interrupted; signal handlers write them.
volatile std::sig_atomic_t signals_seen = 0;
volatile std::sig_atomic_t signal_to_pass_on = 0;

// A terminal, or `timeout', has sent the same signal to the program, too, which the second one of a kind would kill: the
// other one says the same, and does no harm.
extern "C" void note_signal(int signal) {
  if (signals_seen == 0) signal_to_pass_on = signal == SIGINT ? SIGTERM : SIGINT;
  signals_seen = std::min<std::sig_atomic_t>(signals_seen + 1, 2);
}

/// Runs a program and returns what it writes to standard output, with its messages or without; `status` as run_program() returns it.
std::string read_from(const std::vector<std::string>& command, bool with_errors, int& status) {
  int ends[2];
  status = 127;
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    const int errors = with_errors ? ends[1] : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (errors >= 0) dup2(errors, STDERR_FILENO);
    become(command);
  }
  close(ends[1]);
  std::string output;
  std::array<char, 4096> buffer;
  for (ssize_t count = 0; child > 0 && (count = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    output.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  if (child > 0) status = wait_for(child);
  return output;
}

}  // namespace

int run_program(const std::vector<std::string>& command) {
  const pid_t child = fork();
  if (child < 0) return 127;
  if (child == 0) become(command);
  return wait_for(child);
}

int run_program_until_interrupted(const std::vector<std::string>& command, bool& ended_by_us) {
  ended_by_us = false;
  signals_seen = 0;
  signal_to_pass_on = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  struct sigaction before[2];
  sigaction(SIGINT, &action, &before[0]);
  sigaction(SIGTERM, &action, &before[1]);
  const ChildSignal child_signal;
  const pid_t child = fork();
  if (child == 0) {
    child_signal.put_back();
    become(command);
  }
  constexpr long kLook = 100'000'000;  // nanoseconds
  int status = 127 << 8;
  while (child > 0 && waitpid(child, &status, WNOHANG) == 0) {
    child_signal.wait(kLook);
    if (signal_to_pass_on != 0) {
      kill(child, signal_to_pass_on);
      signal_to_pass_on = 0;
    }
    if (signals_seen >= 2 && !ended_by_us) {
      ended_by_us = true;
      kill(child, SIGKILL);
    }
  }
  sigaction(SIGINT, &before[0], nullptr);
  sigaction(SIGTERM, &before[1], nullptr);
  return exit_code(status);
}

int run_program(const std::vector<std::string>& command, const std::string& output_file) {
  const int output = open(output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (output < 0) return 127;
  const pid_t child = fork();
  if (child == 0) {
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    become(command);
  }
  close(output);
  return child < 0 ? 127 : wait_for(child);
}

std::string output_of(const std::vector<std::string>& command) {
  int status = 0;
  std::string output = read_from(command, false, status);
  return status == 0 ? output : std::string();
}

std::string all_output_of(const std::vector<std::string>& command) {
  int status = 0;
  return read_from(command, true, status);
}

TemporaryFolder::TemporaryFolder() {
  std::string path = (std::filesystem::temp_directory_path() / "weft-check-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr)
    throw std::runtime_error(std::string("cannot make a temporary folder: ") + std::strerror(errno));
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace weft::cli
