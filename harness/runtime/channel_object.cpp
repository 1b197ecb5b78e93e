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

}  // namespace

StepName next_step() { return next_step_of_running(*Execution::current()); }

void keep_value(const volatile void* channel, std::uint32_t generation, StepName step, void* value,
                void (*destroy)(void*)) {
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

StepName receive_step(const volatile void* channel, std::uint32_t generation, Alternatives alternatives) {
  Execution& execution = *Execution::current();
  Execution::Thread& self = execution.running();
  {
    const Execution::Outside outside;
    for (std::size_t i = 0; i < alternatives.count; ++i)
      self.alternatives.push_back(location_of(alternatives.channels[i].address, alternatives.channels[i].generation));
  }
  const MayTimeOut giving_up(execution, alternatives.and_more);
  const WaitScope waiting(execution, WaitKind::message, reinterpret_cast<std::uintptr_t>(channel),
                          __builtin_return_address(0));
  const Step step = execution.perform({.kind = OperationKind::receive,
                                       .location = location_of(channel, generation),
                                       .place = __builtin_return_address(0)});
  self.alternatives.clear();
  return step.value;
}

std::size_t count_certainly_sent(const volatile void* channel, std::uint32_t generation) {
  Execution& execution = *Execution::current();
  const ExecutionGraph& graph = execution.graph();
  const auto location = execution.memory().locations.find(location_of(channel, generation));
  if (!location || !graph.has_location(*location)) return 0;
  const Execution::Thread& self = execution.running();
  std::size_t received = 0;
  for (std::uint32_t i = 0; i < self.position; ++i) {
    const Event& event = graph[graph.thread(self.id)[i]];
    received += event.kind == EventKind::receive && event.location == *location;
  }
  const ClockView now = execution.clock();
  std::size_t certain = received;
  for (std::size_t k = received + 1; k <= graph.last_position(*location); ++k) {
    const Event& send = graph[graph.write_at(*location, k)];
    if (now[index(send.thread)] > static_cast<ClockTick>(send.index)) certain = k;  // and with it all before it
  }
  return certain - received;
}

std::chrono::microseconds random_patience() { return std::chrono::milliseconds(1); }

}  // namespace weft::detail
