// What the calls of a scenario do while it is explored: check, assume, choose, sometimes, note, and names.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "api/calls.hpp"
#include "detect/failures.hpp"
#include "runtime/execution.hpp"
#include "runtime/thread_records.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace detail {

void check_at(bool holds, const char* sentence, const void* place) {
  if (holds) return;
  if (Execution::current() == nullptr) {
    std::fprintf(stderr, "weft::check failed: %s\n", sentence);
    std::abort();
  }
  fail(FindingKind::invariant, sentence, place);
}

void check_equal_at(std::int64_t actual, std::int64_t expected, const char* sentence, const void* place) {
  if (actual == expected) return;
  if (Execution::current() == nullptr) check_at(false, sentence, place);
  char values[60];
  const char* const end = fmt::format_to_n(values, sizeof values, "is {}, should be {}", actual, expected).out;
  fail(FindingKind::invariant, sentence, place, {values, static_cast<std::size_t>(end - values)});
}

std::uint32_t choose_at(std::uint32_t n, const void* place) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return 0;
  if (n == 0) fail(FindingKind::unsupported, "weft::choose(0): there is nothing to choose from", place);
  return static_cast<std::uint32_t>(
      execution->perform({.kind = OperationKind::choose, .operand = n, .place = place}).value);
}

void note_at(const Note& note, const void* place) {
  Execution* const execution = Execution::current();
  if (execution == nullptr || execution->listener() == nullptr) return;
  const Execution::Outside outside;
  execution->listener()->note(execution->running().id, note, place);
}

}  // namespace detail

void assume(bool holds) {
  if (holds) return;
  Execution* const execution = Execution::current();
  if (execution == nullptr) {
    std::fputs("weft::assume: the assumption does not hold, outside of an exploration there is nothing else to try\n",
               stderr);
    std::abort();
  }
  execution->halt_thread();
}

void sometimes(bool holds, const char* name) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return;
  const Execution::Outside outside;
  execution->memory().conditions.met(name, holds);
}

void name_thread(const char* name) {
  Execution* const execution = Execution::current();
  if (execution == nullptr || execution->listener() == nullptr) return;
  const Execution::Outside outside;
  execution->listener()->name_thread(execution->running().id, name);
}

namespace detail {

void leave_out(const char* reason) {
  if (Execution* const execution = Execution::current()) execution->memory().bound = reason;
  assume(false);
}

std::uint32_t new_task(const char* name) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return 0;
  const Execution::Outside outside;
  const std::uint32_t task = ++running_record(*execution).tasks;
  execution->memory().most_tasks = std::max(execution->memory().most_tasks, task);
  if (execution->listener() != nullptr) execution->listener()->name_task(execution->running().id, task, name);
  return task;
}

void enter_task(std::uint32_t task) {
  Execution* const execution = Execution::current();
  if (execution == nullptr || execution->listener() == nullptr) return;
  const Execution::Outside outside;
  execution->listener()->enter_task(execution->running().id, task);
}

bool is_traced() {
  const Execution* const execution = Execution::current();
  return execution != nullptr && execution->listener() != nullptr;
}

bool under_stress() { return false; }

void name_object(const volatile void* address, std::size_t size, const char* name) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return;
  const Execution::Outside outside;
  execution->memory().objects.name(reinterpret_cast<std::uintptr_t>(address), size, name);
}

void hide_steps(const volatile void* address) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return;
  const Execution::Outside outside;
  execution->memory().objects.hide_steps(reinterpret_cast<std::uintptr_t>(address));
}

void show_steps(bool show) {
  Execution* const execution = Execution::current();
  if (execution == nullptr || execution->listener() == nullptr) return;
  const Execution::Outside outside;
  execution->listener()->show_steps(execution->running().id, show);
}

void runs_callbacks(bool runs) {
  Execution* const execution = Execution::current();
  if (execution == nullptr || execution->listener() == nullptr) return;
  const Execution::Outside outside;
  execution->listener()->runs_callbacks(execution->running().id, runs);
}

void watch_object(const char* name, const volatile void* address, std::size_t size, bool is_signed) {
  Execution* const execution = Execution::current();
  if (execution == nullptr || execution->listener() == nullptr) return;
  const Execution::Outside outside;
  execution->listener()->watch(name, address, size, is_signed);
}

}  // namespace detail
}  // namespace weft
