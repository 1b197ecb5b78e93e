// What the calls of a scenario do on real threads: check, assume, choose, sometimes, note, and names.
#include <fmt/format.h>
#include <pthread.h>

#include <cstdio>
#include <cstdlib>

#include "api/calls.hpp"
#include "api/stoppable_scope.hpp"
#include "stress/failures.hpp"
#include "stress/threads.hpp"
#include "weft/channel.hpp"
#include "weft/shared.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

using stress::board;
using stress::this_thread;
using stress::view;

[[noreturn]] void not_here(const char* what) {
  std::fprintf(
      stderr, "weft: %s: this program runs on real threads, under the ThreadSanitizer; link weft::explore to explore\n",
      what);
  std::abort();
}

}  // namespace

namespace detail {

void check_at(bool holds, const char* sentence, const void* place) {
  stress::delay();
  if (!holds) stress::fail("invariant", view(sentence), place);
}

void check_equal_at(std::int64_t actual, std::int64_t expected, const char* sentence, const void* place) {
  if (actual != expected) {
    char text[60];
    char* const end = fmt::format_to_n(text, sizeof text, "is {}, should be {}", actual, expected).out;
    stress::log({text, static_cast<std::size_t>(end - text)}, place);
  }
  check_at(actual == expected, sentence, place);
}

std::uint32_t choose_at(std::uint32_t n, const void* place) {
  stress::delay();
  if (n == 0) stress::fail("unsupported", "weft::choose(0): there is nothing to choose from", place);
  const std::uint32_t chosen = this_thread().choices.below(n);
  char text[40];
  char* const end = fmt::format_to_n(text, sizeof text, "choose({}) -> {}", n, chosen).out;
  stress::log({text, static_cast<std::size_t>(end - text)}, place);
  return chosen;
}

void note_at(const Note& note, const void* place) {
  stress::delay();
  stress::log(view(note.text), place);
}

}  // namespace detail

void assume(bool holds) {
  if (!holds) stress::drop();
}

void sometimes(bool holds, const char* name) {
  stress::Board& shared = board();
  bool known = false;
  for (std::size_t i = 0; i < shared.conditions.count(); ++i) {
    stress::ConditionRecord& record = shared.conditions.records[i];
    if (!shared.conditions.written[i] || view(record.name.c_str()) != view(name)) continue;
    if (holds) record.held = true;
    known = true;
  }
  if (known) return;
  shared.conditions.add([&](stress::ConditionRecord& record) {
    record.name.set(view(name));
    record.held = holds;
  });
}

void name_thread(const char* name) {
  if (this_thread().record != nullptr) this_thread().record->name.set(view(name));
  // For debuggers, as much of it as the system takes.
  stress::Text<16> short_name;
  short_name.set(view(name));
  pthread_setname_np(pthread_self(), short_name.c_str());
}

Result explore(const std::function<void()>&, const Options&) { not_here("weft::explore"); }
Replay replay(const std::function<void()>&, const std::string&, const Options&) { not_here("weft::replay"); }

namespace detail {

bool under_stress() { return true; }
bool is_traced() { return stress::in_iteration(); }
void set_exploration_hook(void (*)(bool)) {}

void name_object(const volatile void* address, std::size_t size, const char* name) {
  board().objects.add([&](stress::ObjectRecord& record) {
    record.address = reinterpret_cast<std::uintptr_t>(address);
    record.size = size;
    record.name.set(view(name));
  });
}

void watch_object(const char* name, const volatile void* address, std::size_t size, bool is_signed) {
  board().watched.add([&](stress::WatchedRecord& record) {
    record.name.set(view(name));
    record.address = address;
    record.size = size;
    record.is_signed = is_signed;
  });
}

void mark_racy(const volatile void* address, std::size_t size) {
  board().racy.add([&](stress::MemoryRange& range) {
    range.address = reinterpret_cast<std::uintptr_t>(address);
    range.size = size;
  });
}

std::uint32_t new_task(const char* name) {
  stress::ThreadRecord* const record = this_thread().record;
  if (record == nullptr) return 0;
  const std::uint32_t task = ++record->tasks;
  if (task <= stress::ThreadRecord::kMostTasks) record->task_names[task - 1].set(view(name));
  return task;
}

// The log has no steps, and no places of models.
void hide_steps(const volatile void*) {}
void show_steps(bool) {}
void runs_callbacks(bool) {}

void enter_task(std::uint32_t task) { this_thread().task = task; }

void run_stoppable(const std::function<void()>& body) {
  std::jmp_buf exit;
  const ExceptionsInFlight exceptions;
  const StoppableScope scope(this_thread().exit, exit);
  if (_setjmp(exit) == 0) {
    body();
  } else {
    exceptions.restore();
  }
}

void stop_running() {
  if (this_thread().exit == nullptr)
    stress::fail("unsupported", "stop_running() outside of run_stoppable()", __builtin_return_address(0));
  std::longjmp(*this_thread().exit, 1);
}

std::chrono::microseconds random_patience() { return std::chrono::microseconds(1 << this_thread().delays.below(12)); }

// weft::shared is a mutex and a condition variable here.
bool in_execution() { return false; }
void before_shared_step() { stress::delay(); }
std::uint32_t count_shared_object(const volatile void*) { return 0; }
SharedStep take_shared_step(const volatile void*, std::uint32_t, StateAccepted, const void*, const void*) {
  not_here("a step of an execution");
}
void keep_state(const volatile void*, std::uint32_t, StateNumber, void*, void (*)(void*)) {
  not_here("a step of an execution");
}
StepName next_step() { return 0; }
void send_step(const volatile void*, std::uint32_t) { not_here("a step of an execution"); }
StepName receive_step(const volatile void*, std::uint32_t, Alternatives) { not_here("a step of an execution"); }
void keep_value(const volatile void*, std::uint32_t, StepName, void*, void (*)(void*)) {
  not_here("a step of an execution");
}
const void* kept_value(const volatile void*, std::uint32_t, StepName) { not_here("a step of an execution"); }
std::size_t count_certainly_sent(const volatile void*, std::uint32_t) { not_here("a step of an execution"); }
void leave_out(const char*) { assume(false); }
OutsideScope::OutsideScope() : saved_(nullptr) { static_cast<void>(saved_); }
OutsideScope::~OutsideScope() = default;

}  // namespace detail
}  // namespace weft
