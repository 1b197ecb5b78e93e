// Ctrl-C: the first asks the running exploration to end and to say what it knows, the second ends the program.
#pragma once

#include <atomic>
#include <csignal>

namespace weft::cli {

/// While one of these lives, SIGINT and SIGTERM set a flag. One at a time in a process.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// For Options::interrupted.
  static const std::atomic<bool>& flag();

 private:
  struct sigaction before_interrupt_ {};
  struct sigaction before_terminate_ {};
};

}  // namespace weft::cli
