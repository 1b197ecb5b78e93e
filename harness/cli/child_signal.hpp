// The signal that a child process has ended, for who looks after a child and after something else, too.
#pragma once

#include <signal.h>
#include <time.h>

namespace weft::cli {

/// While one lives, SIGCHLD is blocked and can be waited for. To be made before the fork; not thread-safe.
class ChildSignal {
 public:
  ChildSignal() {
    sigset_t child_ended;
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ended, &before_);
  }
  ~ChildSignal() { put_back(); }
  ChildSignal(const ChildSignal&) = delete;
  ChildSignal& operator=(const ChildSignal&) = delete;

  /// Until a child has ended, or so many nanoseconds (below a second). True if one has.
  bool wait(long nanoseconds) const {
    sigset_t child_ended;
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    const timespec most{0, nanoseconds};
    return sigtimedwait(&child_ended, nullptr, &most) >= 0;
  }
  /// Blocks what was blocked before. For the child, which must not be left with more.
  void put_back() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace weft::cli
