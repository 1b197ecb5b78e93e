#include "cli/interruption.hpp"

namespace weft::cli {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler sets it

extern "C" void interrupt(int) { interrupted = true; }

}  // namespace

Interruption::Interruption() {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // the second one has its usual effect
  sigaction(SIGINT, &action, &before_interrupt_);
  sigaction(SIGTERM, &action, &before_terminate_);
}

Interruption::~Interruption() {
  sigaction(SIGINT, &before_interrupt_, nullptr);
  sigaction(SIGTERM, &before_terminate_, nullptr);
}

const std::atomic<bool>& Interruption::flag() { return interrupted; }

}  // namespace weft::cli
