#include "detect/signals.hpp"

#include <fmt/format.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unwind.h>

#include <cstring>

#include "detect/failures.hpp"
#include "runtime/arena.hpp"

// Set by the linker: the executable's code, and in it the engine's, which LinkEngine.cmake has put in a section of its
// own.
extern "C" {
extern const char __executable_start[];
extern const char etext[];
extern const char __start_weft_text[] __attribute__((weak));
extern const char __stop_weft_text[] __attribute__((weak));
}

namespace weft {
namespace {

constexpr int kTicksPerSecond = 10;
constexpr int kOverdueTicksPerSecond = 1000;
constexpr int kMostFrames = 64;  // looked at for the scenario's own

Execution* guarded = nullptr;

struct Progress {
  std::uint32_t run = 0;
  ThreadId thread{};
  std::uint32_t position = 0;
  friend bool operator==(const Progress&, const Progress&) = default;
};
Progress last_progress;
std::uint32_t ticks_without_progress = 0;
std::string message;  // built here: the failing thread is never unwound

std::uintptr_t program_counter(const void* context) {
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
}

bool on_fiber(const void* context) {
  return arena::contains(
      static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]));
}

/// True in the scenario's own code: not in the engine, whose data may be half changed, and not in a library, which may
/// hold a lock.
bool in_scenario_code(std::uintptr_t pc) {
  const auto within = [pc](const char* begin, const char* end) {
    return pc >= reinterpret_cast<std::uintptr_t>(begin) && pc < reinterpret_cast<std::uintptr_t>(end);
  };
  return within(__executable_start, etext) && !within(__start_weft_text, __stop_weft_text);
}

struct SearchForCaller {
  std::uintptr_t fault;
  bool passed_fault = false;
  int frames = 0;
  std::uintptr_t caller = 0;
};

/// The code address to report for a fault at `pc`: engine code faults on behalf of its caller. Reports take it for a return address.
const void* place_of_fault(std::uintptr_t pc) {
  SearchForCaller search{.fault = pc};
  if (in_scenario_code(pc)) return reinterpret_cast<const void*>(pc + 1);
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& s = *static_cast<SearchForCaller*>(data);
        const std::uintptr_t ip = _Unwind_GetIP(context);
        s.passed_fault = s.passed_fault || ip == s.fault;
        if (s.passed_fault && ip != s.fault && in_scenario_code(ip)) s.caller = ip;
        return s.caller != 0 || ++s.frames == kMostFrames ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &search);
  return reinterpret_cast<const void*>(search.caller != 0 ? search.caller : pc + 1);
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
    case SIGTRAP:
      return "SIGTRAP (a trap in the program)";
    case SIGABRT:
      return "SIGABRT (the C library or the program gave up)";
    default:
      return "signal";
  }
}

std::string describe_fault(int signal, std::uintptr_t address, const Execution::Thread& thread) {
  if (signal != SIGSEGV && signal != SIGBUS) return signal_text(signal);
  constexpr std::uintptr_t kReach = std::uintptr_t{1}
                                    << 20;  // a frame may be large and touch memory well below the guard
  const std::uintptr_t bottom = arena::stack_top(thread.id) - arena::kStackSize;
  if (address < bottom && address >= bottom - kReach) {
    return fmt::format("stack overflow: a thread has {} KiB of stack in an exploration", arena::kStackSize / 1024);
  }
  if (address < 4096) return fmt::format("{}: a null pointer was followed", signal_text(signal));
  return fmt::format("{} at address {:#x}", signal_text(signal), address);
}

void set_timer(int ticks_per_second) {
  itimerval timer{};
  if (ticks_per_second != 0) timer.it_interval.tv_usec = timer.it_value.tv_usec = 1'000'000 / ticks_per_second;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  // Of Weft's own, or of the code around the exploration. The engine's accesses on behalf of the scenario are the scenario's.
  const bool is_ours = guarded == nullptr || !on_fiber(context) || (signal == SIGABRT && Execution::current() != guarded);
  if (is_ours) {
    std::signal(signal, SIG_DFL);
    if (info->si_code <= 0) raise(signal);  // it was sent; where an instruction faulted, it will fault again
    return;
  }
  const Execution::Outside outside;
  message = describe_fault(signal, reinterpret_cast<std::uintptr_t>(info->si_addr), guarded->running());
  fail(*guarded, FindingKind::signal, message, place_of_fault(program_counter(context)));
}

void on_tick(int, siginfo_t*, void* context) {
  if (guarded == nullptr || Execution::current() != guarded) return;
  const Execution::Thread& thread = guarded->running();
  const Progress now{guarded->run_number(), thread.id, thread.position};
  if (now != last_progress) {
    last_progress = now;
    if (ticks_without_progress >= kEndlessLoopSeconds * kTicksPerSecond) set_timer(kTicksPerSecond);
    ticks_without_progress = 0;
    return;
  }
  if (++ticks_without_progress < kEndlessLoopSeconds * kTicksPerSecond) return;
  if (!in_scenario_code(program_counter(context)) || !on_fiber(context)) {
    // Most of the loop's time may be spent in hooks or in a library: look more often, to find it in its own code.
    if (ticks_without_progress == kEndlessLoopSeconds * kTicksPerSecond) set_timer(kOverdueTicksPerSecond);
    return;
  }
  ticks_without_progress = 0;
  set_timer(kTicksPerSecond);
  fail(*guarded, FindingKind::endless_loop, "the thread runs on without any visible operation",
       reinterpret_cast<const void*>(program_counter(context) + 1));
}

}  // namespace

SignalGuard::SignalGuard(Execution& execution) : outer_(guarded), stack_(std::make_unique<std::byte[]>(kStackSize)) {
  guarded = &execution;
  stack_t stack{};
  stack.ss_sp = stack_.get();
  stack.ss_size = kStackSize;
  sigaltstack(&stack, &stack_before_);
  struct sigaction action {};
  // The handler does not return, so nothing would unblock the signal again.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  action.sa_sigaction = &on_fault;
  std::size_t i = 0;
  for (const int fault : kFaults) sigaction(fault, &action, &before_[i++]);
  action.sa_sigaction = &on_tick;
  sigaction(SIGPROF, &action, &before_[i]);
  set_timer(kTicksPerSecond);
}

SignalGuard::~SignalGuard() {
  if (outer_ == nullptr) set_timer(0);
  std::size_t i = 0;
  for (const int fault : kFaults) sigaction(fault, &before_[i++], nullptr);
  sigaction(SIGPROF, &before_[i], nullptr);
  if ((stack_before_.ss_flags & SS_DISABLE) != 0) stack_before_.ss_size = kStackSize;  // sigaltstack insists on a size
  sigaltstack(&stack_before_, nullptr);
  guarded = outer_;
}

}  // namespace weft
