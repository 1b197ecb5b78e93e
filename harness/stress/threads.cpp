#include "stress/threads.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <chrono>
#include <memory>
#include <thread>

namespace weft::stress {
namespace {

constexpr std::uint64_t kFirstThread = 1;
constexpr std::uint64_t kUnknownThread = 2;
constexpr std::uint32_t kMostSlowness = 3;

bool iterating = false;
std::uint64_t iteration_seed = 0;
thread_local ThreadContext context;
// A handler of stack overflows needs another stack.
thread_local char signal_stack[32 * 1024];

void begin_thread(std::uint64_t path) {
  stack_t stack{};
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  sigaltstack(&stack, nullptr);
  Board& shared = board();
  context.path = path;
  context.choices = Random(mixed(iteration_seed ^ path));
  context.delays = Random(mixed(~iteration_seed ^ path));
  context.slowness = context.delays.below(kMostSlowness + 1);
  context.index = shared.threads_begun.fetch_add(1, std::memory_order_relaxed);
  if (context.index >= kMostThreads) return;
  ThreadRecord& record = shared.threads[context.index];
  record.id = static_cast<pid_t>(syscall(SYS_gettid));
  record.name.set("");
  record.entries = 0;
  record.tasks = 0;
  context.record = &record;
}

std::uint64_t path_of_next_thread() {
  ThreadContext& self = this_thread();
  return mixed(self.path + 0x9e37'79b9'7f4a'7c15u * ++self.threads_started);
}

}  // namespace

void begin_iteration(std::uint64_t seed) {
  iterating = true;
  iteration_seed = mixed(seed);
  begin_thread(kFirstThread);
}

bool in_iteration() { return iterating; }

ThreadContext& this_thread() {
  if (context.path == 0) begin_thread(kUnknownThread);  // started by a library
  return context;
}

void log(std::string_view text, const void* place) {
  ThreadContext& self = this_thread();
  if (self.record == nullptr) return;
  LogEntry& entry = self.record->log[self.record->entries % ThreadRecord::kMostEntries];
  entry.time = __rdtsc();
  entry.task = self.task;
  entry.place = place;
  entry.text.set(text);
  ++self.record->entries;
}

namespace {

// Not through libc: the ThreadSanitizer would take part.
void sleep_for(std::chrono::microseconds time) {
  const timespec spec{0, 1000 * static_cast<long>(time.count())};
  syscall(SYS_nanosleep, &spec, nullptr);
}

/// Until other threads have made `steps` steps, or none of them seems to make one. However long a machine takes to start
/// a thread, another one is still where it was: a delay of some microseconds would be over before.
void let_others_make(std::uint64_t steps) {
  constexpr int kLooks = 40;
  constexpr std::chrono::microseconds kBetweenLooks{50};
  const std::atomic<std::uint64_t>& made = board().steps;
  const std::uint64_t enough = made.load(std::memory_order_relaxed) + steps;
  for (int i = 0; i < kLooks && made.load(std::memory_order_relaxed) < enough; ++i) sleep_for(kBetweenLooks);
}

}  // namespace

void delay() {
  constexpr std::uint64_t kFirstOperations = 16;
  ThreadContext& self = this_thread();
  Board& shared = board();
  shared.steps.fetch_add(1, std::memory_order_relaxed);
  if (shared.threads_begun.load(std::memory_order_relaxed) < 2) return;  // nobody is there to get in between
  // A scenario of 100,000 steps must not wait before each of them.
  if (++self.operations > kFirstOperations && self.delays.next() % self.operations >= kFirstOperations) return;
  switch (self.delays.below(8)) {
    case 0:
      sched_yield();
      return;
    case 1:
      let_others_make(1 + self.delays.below(3));
      return;
    case 2:
    case 3:
      // As often a short as a long one: of 1 microsecond to about one millisecond, in each order of magnitude alike.
      sleep_for(std::chrono::microseconds(1 << (self.delays.below(8) + self.slowness)));
      return;
    default:
      return;
  }
}

namespace {

struct PosixStart {
  void* (*function)(void*);
  void* argument;
  std::uint64_t path;
};

void* run_posix_start(void* argument) {
  const std::unique_ptr<PosixStart> start(static_cast<PosixStart*>(argument));
  begin_thread(start->path);
  delay();
  return start->function(start->argument);
}

using State = std::thread::_State;

struct StandardStart : State {
  StandardStart(std::unique_ptr<State> started_state, std::uint64_t path_of_thread)
      : state(std::move(started_state)), path(path_of_thread) {}
  void _M_run() override {
    begin_thread(path);
    delay();
    state->_M_run();
  }
  std::unique_ptr<State> state;
  std::uint64_t path;
};

}  // namespace
}  // namespace weft::stress

// The linker (--wrap) sends the scenario's calls of the functions that start threads here. std::thread's is called from
// headers, and calls pthread_create from inside libstdc++, out of the linker's reach.
extern "C" {

int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                          void* argument);

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                          void* argument) {
  using weft::stress::PosixStart;
  if (!weft::stress::in_iteration()) return __real_pthread_create(thread, attributes, function, argument);
  auto start = std::make_unique<PosixStart>(PosixStart{function, argument, weft::stress::path_of_next_thread()});
  const int error = __real_pthread_create(thread, attributes, weft::stress::run_posix_start, start.get());
  if (error == 0) (void)start.release();  // the thread's now
  return error;
}

}  // extern "C"

// std::thread::_M_start_thread(std::unique_ptr<std::thread::_State>, void (*)())
void real_start_thread(std::thread* thread, std::unique_ptr<std::thread::_State> state, void (*depends)()) asm(
    "__real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
void start_thread(std::thread* thread, std::unique_ptr<std::thread::_State> state, void (*depends)()) asm(
    "__wrap__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");

void start_thread(std::thread* thread, std::unique_ptr<std::thread::_State> state, void (*depends)()) {
  if (!weft::stress::in_iteration()) return real_start_thread(thread, std::move(state), depends);
  real_start_thread(
      thread, std::make_unique<weft::stress::StandardStart>(std::move(state), weft::stress::path_of_next_thread()),
      depends);
}
