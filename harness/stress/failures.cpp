#include "stress/failures.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <typeinfo>

#include "stress/threads.hpp"

namespace weft::stress {
namespace {

// Without the ThreadSanitizer's own ending: it would wait for, and complain about, threads that are still running.
[[noreturn]] void leave(Phase phase) {
  board().phase = phase;
  syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

void write_down_watched_values() {
  Board& shared = board();
  for (std::size_t i = 0; i < shared.watched.count(); ++i) {
    if (!shared.watched.written[i]) continue;
    WatchedRecord& watched = shared.watched.records[i];
    std::uint64_t bits = 0;
    // The system reads it: the object may be gone, and its memory, too.
    const iovec to{&bits, std::min(watched.size, sizeof bits)};
    const iovec from{const_cast<void*>(watched.address), to.iov_len};
    watched.readable = process_vm_readv(getpid(), &to, 1, &from, 1, 0) == static_cast<ssize_t>(to.iov_len);
    const std::size_t unused = 64 - 8 * to.iov_len;
    watched.value_at_failure =
        watched.is_signed ? static_cast<std::int64_t>(bits << unused) >> unused : static_cast<std::int64_t>(bits);
  }
}

std::string describe_current_exception() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "std::terminate was called without an exception";
  int status = 0;
  char* const readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  const std::string name = status == 0 ? readable : type->name();
  std::free(readable);
  try {
    throw;
  } catch (const std::exception& exception) {
    return fmt::format("{}: {}", name, exception.what());
  } catch (...) {
    return name;
  }
}

[[noreturn]] void terminated() {
  const bool thrown = abi::__cxa_current_exception_type() != nullptr;
  fail(thrown ? "uncaught exception" : "abort", describe_current_exception(), nullptr);
}

const char* signal_text(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV (invalid memory access)";
    case SIGBUS:
      return "SIGBUS (invalid memory access)";
    case SIGFPE:
      return "SIGFPE (arithmetic, such as a division by zero)";
    case SIGILL:
      return "SIGILL (invalid instruction)";
    default:
      return "SIGTRAP (a trap in the program)";
  }
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  // Places are return addresses everywhere else: one byte behind what they are about.
  const auto place = reinterpret_cast<const void*>(registers[REG_RIP] + 1);
  if (signal == SIGABRT) fail("abort", "abort() was called", nullptr);
  if (signal != SIGSEGV && signal != SIGBUS) fail("signal", signal_text(signal), place);
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const std::uintptr_t distance = address - static_cast<std::uintptr_t>(registers[REG_RSP]) + 64 * 1024;
  if (distance < 128 * 1024) fail("signal", "stack overflow", place);
  char message[200];
  char* const end =
      address < 4096
          ? fmt::format_to_n(message, sizeof message, "{}: a null pointer was followed", signal_text(signal)).out
          : fmt::format_to_n(message, sizeof message, "{} at address {:#x}", signal_text(signal), address).out;
  fail("signal", {message, static_cast<std::size_t>(end - message)}, place);
}

}  // namespace

void fail(std::string_view kind, std::string_view message, const void* place) {
  Board& shared = board();
  if (shared.failing.exchange(true)) {
    for (;;) pause();  // another thread is ending the process
  }
  const ThreadContext& self = this_thread();
  shared.failure.kind.set(kind);
  shared.failure.message.set(message);
  shared.failure.thread = self.index;
  shared.failure.task = self.task;
  shared.failure.place = place;
  write_down_watched_values();
  leave(Phase::failed);
}

void drop() { leave(Phase::dropped); }
void complete() { leave(Phase::completed); }

void catch_faults() {
  std::set_terminate(&terminated);
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = &on_fault;
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigaction(fault, &action, nullptr);
}

}  // namespace weft::stress

// Defined in the executable, it wins over libc's.
extern "C" [[gnu::noreturn]] void __assert_fail(const char* assertion, const char* file, unsigned int line,
                                                const char* function) noexcept {
  const std::string message = fmt::format("assertion `{}' failed in {} ({}:{})", assertion, function, file, line);
  if (weft::stress::in_iteration()) weft::stress::fail("invariant", message, __builtin_return_address(0));
  std::fprintf(stderr, "weft: internal fault: %s\n", message.c_str());
  std::abort();
}
