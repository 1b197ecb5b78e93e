#include "runtime/shared_object.hpp"

#include <map>
#include <string>
#include <utility>

#include "detect/failures.hpp"
#include "runtime/execution.hpp"
#include "runtime/kept_values.hpp"
#include "runtime/waiting.hpp"
#include "weft/shared.hpp"

namespace weft {
namespace {

// An address may hold one object after another in one run (a stack): a generation tells them apart.
std::map<const volatile void*, std::uint32_t> generations;

LocationKey location_of(const volatile void* object, std::uint32_t generation) {
  return user_object(LocationKey::Space::object, object, generation);
}

struct Question {
  LocationKey object;
  const void* first_state;
  detail::StateAccepted accepted;
  const void* context;
};

const void* state_of(const Question& question, detail::StateNumber number) {
  if (number == 0) return question.first_state;
  return kept_values::find(question.object, number);
}

Decision decide_step(const Operation& operation, Value old, Value& result) {
  const auto& question = *static_cast<const Question*>(operation.context);
  if (question.accepted != nullptr) {
    const void* const state = state_of(question, old);
    if (state == nullptr || !question.accepted(question.context, state)) return Decision::wait;
  }
  result = operation.operand;
  return Decision::write;
}

/// The change of this number left no state. Where a finding, or weft::assume, has ended its thread, there is nothing to
/// tell of those who come after it.
[[noreturn]] void step_after_unfinished_change(Execution& execution, detail::StateNumber number, const void* place) {
  const ThreadId changer = thread_of_step(number);
  if (execution.thread(changer).state == Execution::ThreadState::halted) execution.halt_thread();
  fail(FindingKind::unsupported,
       "a step on a weft::shared object after a change that never ended: stop_running() must not be called in a change",
       place);
}

}  // namespace

namespace detail {

void before_shared_step() {}
bool in_execution() { return Execution::current() != nullptr; }

std::uint32_t count_shared_object(const volatile void* object) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return 0;
  const Execution::Outside outside;
  const std::uint32_t generation = generations[object]++;
  if (generation <= kMaxUserGeneration) return generation;
  execution->report({.kind = FindingKind::limit,
                     .message = "more than " + std::to_string(kMaxUserGeneration) +
                                " weft::shared or weft::channel objects live at one address one after the other: make "
                                "one outside of the loop",
                     .sites = {{.thread = execution->running().id,
                                .events_before = execution->running().position,
                                .place = __builtin_return_address(0),
                                .what = "makes one more"}}});
  execution->drop_run();
}

SharedStep take_shared_step(const volatile void* object, std::uint32_t generation, StateAccepted accepted,
                            const void* context, const void* first_state) {
  Execution& execution = *Execution::current();
  Question question{location_of(object, generation), first_state, accepted, context};
  const StateNumber next = next_step_of_running(execution);
  const WaitScope waiting(execution, accepted == nullptr ? WaitKind::nothing : WaitKind::state,
                          reinterpret_cast<std::uintptr_t>(object), __builtin_return_address(0));
  const Step step = execution.perform({.kind = OperationKind::rmw,
                                       .order = Order::acq_rel,
                                       .seen_by_fences = false,
                                       .location = question.object,
                                       .operand = next,
                                       .decide = decide_step,
                                       .context = &question,
                                       .place = __builtin_return_address(0)});
  const void* const found = state_of(question, step.value);
  if (found == nullptr) step_after_unfinished_change(execution, step.value, __builtin_return_address(0));
  return {found, next};
}

void keep_state(const volatile void* object, std::uint32_t generation, StateNumber number, void* state,
                void (*destroy)(void*)) {
  kept_values::keep(location_of(object, generation), number, state, destroy);
}

OutsideScope::OutsideScope() : saved_(Execution::suspend_current()) {}
OutsideScope::~OutsideScope() { Execution::resume_current(static_cast<Execution*>(saved_)); }

}  // namespace detail

void shared_objects::forget_states() {
  kept_values::forget_all();
  generations.clear();
}

}  // namespace weft
