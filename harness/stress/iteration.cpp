#include "stress/iteration.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

#include "cli/child_signal.hpp"
#include "stress/failures.hpp"
#include "stress/threads.hpp"

namespace weft::stress {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{200};
/// A process in which nothing moves for so many looks, and nobody waits for a time, will not move again.
constexpr int kLooksUntilBlocked = 5;
constexpr std::size_t kMostMessages = 1 << 20;

/// A file without a name that takes what the iteration prints.
class Messages {
 public:
  Messages() : file_(memfd_create("weft-messages", MFD_CLOEXEC)) {
    if (file_ < 0)
      throw std::runtime_error(std::string("cannot keep what an iteration prints: ") + std::strerror(errno));
  }
  ~Messages() { close(file_); }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  int file() const { return file_; }
  std::string text() const {
    const off_t written = lseek(file_, 0, SEEK_END);
    std::string text(std::min(kMostMessages, static_cast<std::size_t>(std::max<off_t>(written, 0))), '\0');
    const ssize_t size = pread(file_, text.data(), text.size(), 0);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }

 private:
  int file_;
};

[[noreturn]] void become_iteration(const std::function<void()>& body, std::uint64_t seed, int messages,
                                   const cli::ChildSignal& child_signal) {
  prctl(PR_SET_NAME, "main");
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  child_signal.put_back();
  dup2(messages, STDERR_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
  begin_iteration(seed);
  catch_faults();
  body();
  complete();
}

/// Watches the process until it has ended or must be ended. Fills in how it went, apart from the messages.
void watch(pid_t process, double most_seconds, const cli::ChildSignal& child_signal, IterationEnd& end) {
  const Clock::time_point begin = Clock::now();
  std::vector<ThreadState> before;
  int same = 0;
  int status = 0;
  while (waitpid(process, &status, WNOHANG) == 0) {
    if (child_signal.wait(std::chrono::nanoseconds(kLook).count())) continue;
    std::vector<ThreadState> now = thread_states(process);
    same = now == before && all_wait(now) ? same + 1 : 0;
    const bool overdue = std::chrono::duration<double>(Clock::now() - begin).count() >= most_seconds;
    before = std::move(now);
    if (same < kLooksUntilBlocked && !overdue) continue;
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
    end.how = same >= kLooksUntilBlocked ? IterationEnd::How::blocked : IterationEnd::How::overdue;
    end.threads = std::move(before);
    return;
  }
  if (WIFSIGNALED(status)) {
    end.how = IterationEnd::How::signalled;
    end.status = WTERMSIG(status);
  } else if (board().phase == Phase::running) {
    end.how = IterationEnd::How::exited;
    end.status = WEXITSTATUS(status);
  }
}

}  // namespace

IterationEnd run_iteration(const std::function<void()>& body, std::uint64_t seed, double most_seconds) {
  board().clear();
  const Messages messages;
  const cli::ChildSignal child_signal;
  const pid_t process = fork();
  if (process == 0) become_iteration(body, seed, messages.file(), child_signal);
  if (process < 0)
    throw std::runtime_error(std::string("cannot start a process for an iteration: ") + std::strerror(errno));
  IterationEnd end;
  watch(process, most_seconds, child_signal, end);
  end.messages = messages.text();
  return end;
}

}  // namespace weft::stress
