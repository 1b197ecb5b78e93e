// weft::channel<T> in an execution; see weft/channel.hpp.
#include "runtime/execution.hpp"
#include "runtime/kept_values.hpp"
#include "runtime/waiting.hpp"
#include "weft/channel.hpp"

namespace weft::detail {
namespace {

LocationKey location_of(const volatile void* channel, std::uint32_t generation) {
  return user_object(LocationKey::Space::channel, channel, generation);
}

ThreadId thread_of(StepName step) { return ThreadId{static_cast<std::uint16_t>((step >> 32) - 1)}; }
std::uint32_t position_of(StepName step) { return static_cast<std::uint32_t>(step); }

}  // namespace

StepName next_step() { return next_step_of_running(*Execution::current()); }

void keep_value(const volatile void* channel, std::uint32_t generation, StepName step, void* value, void (*destroy)(void*)) {
  kept_values::keep(location_of(channel, generation), step, value, destroy);
}

const void* kept_value(const volatile void* channel, std::uint32_t generation, StepName step) {
  return kept_values::find(location_of(channel, generation), step);
}

void send_step(const volatile void* channel, std::uint32_t generation) {
  Execution& execution = *Execution::current();
  execution.perform({.kind = OperationKind::send,
                     .seen_by_fences = false,
                     .location = location_of(channel, generation),
                     .operand = next_step_of_running(execution),
                     .place = __builtin_return_address(0)});
}

StepName receive_step(const volatile void* channel, std::uint32_t generation, bool may_give_up) {
  Execution& execution = *Execution::current();
  const MayTimeOut giving_up(execution, may_give_up);
  const WaitScope waiting(execution, WaitKind::message, reinterpret_cast<std::uintptr_t>(channel), __builtin_return_address(0));
  return execution
      .perform({.kind = OperationKind::receive,
                .location = location_of(channel, generation),
                .place = __builtin_return_address(0)})
      .value;
}

bool certainly_sent(const volatile void* channel, std::uint32_t generation) {
  Execution& execution = *Execution::current();
  const ExecutionGraph& graph = execution.graph();
  const auto location = execution.memory().locations.find(location_of(channel, generation));
  if (!location || !graph.has_location(*location)) return false;
  const Execution::Thread& self = execution.running();
  std::size_t received = 0;
  for (std::uint32_t i = 0; i < self.position; ++i) {
    const Event& event = graph[graph.thread(self.id)[i]];
    received += event.kind == EventKind::receive && event.location == *location;
  }
  const ClockView now = execution.clock();
  for (std::size_t k = received + 1; k <= graph.last_position(*location); ++k) {
    const Event& send = graph[graph.write_at(*location, k)];
    if (now[index(send.thread)] > static_cast<ClockTick>(send.index)) return true;
  }
  return false;
}

bool happens_before(StepName first, StepName second) {
  const Execution* const execution = Execution::current();
  if (execution == nullptr || first == 0 || second == 0) return false;
  const ExecutionGraph& graph = execution->graph();
  const EventId later = graph.thread(thread_of(second))[position_of(second)];
  return graph.happens_before(later)[index(thread_of(first))] > static_cast<ClockTick>(position_of(first)) && first != second;
}

void notice(std::uint32_t number) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return;
  const Execution::Outside outside;
  if (execution->memory().noticed.insert({execution->running().id, number}).second) execution->restart_exploration();
}

bool is_noticed(std::uint32_t number) {
  const Execution* const execution = Execution::current();
  if (execution == nullptr) return false;
  return const_cast<Execution*>(execution)->memory().noticed.contains({const_cast<Execution*>(execution)->running().id, number});
}

void random_delay() {}
std::chrono::microseconds random_patience() { return std::chrono::milliseconds(1); }

}  // namespace weft::detail
