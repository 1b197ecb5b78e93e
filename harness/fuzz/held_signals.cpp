#include "fuzz/held_signals.hpp"

#include <initializer_list>

namespace weft::fuzz {

HeldSignals::HeldSignals() {
  sigset_t held;
  sigemptyset(&held);
  for (const int signal : {SIGALRM, SIGINT, SIGTERM, SIGUSR1, SIGUSR2}) sigaddset(&held, signal);
  sigprocmask(SIG_BLOCK, &held, &before_);
}

HeldSignals::~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace weft::fuzz
