#include "cli/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace weft::cli {

void prepare_standard_streams() {
  static char output_buffer[BUFSIZ];
  std::setvbuf(stdout, output_buffer, _IOFBF, sizeof output_buffer);
  std::setvbuf(stderr, nullptr, _IONBF, 0);
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
