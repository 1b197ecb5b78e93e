#include "runtime/shared_object.hpp"

#include <map>
#include <string>
#include <utility>

#include "runtime/execution.hpp"
#include "weft/shared.hpp"

namespace weft {
namespace {

struct KeptState {
  void* state;
  void (*destroy)(void*);
};

// An address may hold one object after another in one run (a stack): a generation tells them apart.
std::map<const volatile void*, std::uint32_t> generations;

// By location and number. A number names the step that made the state: its thread and how many events that thread had before.
std::map<std::pair<std::uint64_t, detail::StateNumber>, KeptState> kept_states;

LocationKey location_of(const volatile void* object, std::uint32_t generation) {
  LocationKey key = LocationKey::of_memory(reinterpret_cast<std::uint64_t>(object), generation);
  key.bits |= static_cast<std::uint64_t>(LocationKey::Space::object) << 56;
  return key;
}

struct Question {
  LocationKey object;
  const void* first_state;
  detail::StateAccepted accepted;
  const void* context;
};

const void* state_of(const Question& question, detail::StateNumber number) {
  if (number == 0) return question.first_state;
  const auto kept = kept_states.find({question.object.bits, number});
  return kept == kept_states.end() ? nullptr : kept->second.state;
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

}  // namespace

namespace detail {

void before_shared_step() {}
bool in_execution() { return Execution::current() != nullptr; }

std::uint32_t count_shared_object(const volatile void* object) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return 0;
  const Execution::Outside outside;
  const std::uint32_t generation = generations[object]++;
  if (generation <= LocationKey::kMaxGeneration) return generation;
  execution->report({.kind = FindingKind::limit,
                     .message = "more than " + std::to_string(LocationKey::kMaxGeneration) +
                                " weft::shared objects live at one address one after the other: make one outside of the loop",
                     .sites = {{.thread = execution->running().id, .events_before = execution->running().position,
                                .place = __builtin_return_address(0), .what = "makes one more"}}});
  execution->drop_run();
}

SharedStep take_shared_step(const volatile void* object, std::uint32_t generation, StateAccepted accepted, const void* context, const void* first_state) {
  Execution& execution = *Execution::current();
  const Execution::Thread& t = execution.running();
  Question question{location_of(object, generation), first_state, accepted, context};
  const StateNumber next = (static_cast<StateNumber>(index(t.id)) + 1) << 32 | t.position;
  const Step step = execution.perform({.kind = OperationKind::rmw,
                                       .order = Order::acq_rel,
                                       .seen_by_fences = false,
                                       .location = question.object,
                                       .operand = next,
                                       .decide = decide_step,
                                       .context = &question,
                                       .place = __builtin_return_address(0)});
  return {state_of(question, step.value), next};
}

void keep_state(const volatile void* object, std::uint32_t generation, StateNumber number, void* state, void (*destroy)(void*)) {
  kept_states[{location_of(object, generation).bits, number}] = {state, destroy};
}

OutsideScope::OutsideScope() : saved_(Execution::suspend_current()) {}
OutsideScope::~OutsideScope() { Execution::resume_current(static_cast<Execution*>(saved_)); }

}  // namespace detail

void shared_objects::forget_states() {
  for (const auto& [name, kept] : kept_states) kept.destroy(kept.state);
  kept_states.clear();
  generations.clear();
}

}  // namespace weft
