#include "cli/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "cli/exit_code.hpp"

namespace weft::cli {

void prepare_standard_streams() {
  static char output_buffer[BUFSIZ];
  std::setvbuf(stdout, output_buffer, _IOFBF, sizeof output_buffer);
  std::setvbuf(stderr, nullptr, _IONBF, 0);
}

int finish_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fprintf(stderr, "weft: the output could not be written: %s\n", std::strerror(errno));
  return static_cast<int>(ExitCode::output);
}

Silence::Silence() {
  std::cout.flush();
  std::fflush(stdout);
  saved_output_ = dup(STDOUT_FILENO);
  saved_error_ = dup(STDERR_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

Silence::~Silence() {
  std::cout.flush();
  std::fflush(stdout);
  dup2(saved_output_, STDOUT_FILENO);
  dup2(saved_error_, STDERR_FILENO);
  close(saved_output_);
  close(saved_error_);
}

}  // namespace weft::cli
