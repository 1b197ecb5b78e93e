#include "fuzz/held_signals.hpp"

#include <csignal>
#include <cstddef>
#include <iterator>

namespace weft::fuzz {
namespace {

constexpr int kSignals[] = {SIGALRM, SIGINT, SIGTERM, SIGUSR1, SIGUSR2};

struct sigaction handlers[std::size(kSignals)];  // the engine's
volatile std::sig_atomic_t came[std::size(kSignals)];
volatile std::sig_atomic_t any_came = 0;
volatile std::sig_atomic_t held = 0;

void on_signal(int signal, siginfo_t* info, void* context) {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    if (kSignals[i] != signal) continue;
    if (held != 0) {
      came[i] = 1;
      any_came = 1;
    } else if ((handlers[i].sa_flags & SA_SIGINFO) != 0) {
      handlers[i].sa_sigaction(signal, info, context);
    } else {
      handlers[i].sa_handler(signal);
    }
  }
}

bool take_over() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &handlers[i]);
    const bool is_handled = (handlers[i].sa_flags & SA_SIGINFO) != 0 ||
                            (handlers[i].sa_handler != SIG_DFL && handlers[i].sa_handler != SIG_IGN);
    if (!is_handled) continue;
    struct sigaction ours = handlers[i];
    ours.sa_flags |= SA_SIGINFO;
    ours.sa_sigaction = &on_signal;
    sigaction(kSignals[i], &ours, nullptr);
  }
  return true;
}

}  // namespace

HeldSignals::HeldSignals() {
  static const bool taken_over = take_over();
  held = taken_over ? 1 : 0;
}

HeldSignals::~HeldSignals() {
  held = 0;
  if (any_came == 0) return;
  any_came = 0;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    if (came[i] == 0) continue;
    came[i] = 0;
    std::raise(kSignals[i]);
  }
}

}  // namespace weft::fuzz
