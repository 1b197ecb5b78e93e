// Values of user types that are part of an execution: the states of weft::shared objects, the messages of weft::channel objects. The graph
// knows them by the step that made them.
#pragma once

#include <cstdint>

#include "explore/operation.hpp"

namespace weft {

class Execution;

/// Names a step: its thread, and how many events that thread had before; 0 names none.
using StepName = std::uint64_t;
StepName next_step_of_running(const Execution& execution);
ThreadId thread_of_step(StepName step);

namespace kept_values {

/// `value` lives until `destroy(value)` is called, between runs, or when another one is kept under its name.
void keep(LocationKey location, StepName step, void* value, void (*destroy)(void*));
/// Null if there is none.
const void* find(LocationKey location, StepName step);
/// Destroys what the last run kept. Called between runs.
void forget_all();

}  // namespace kept_values

/// An object of a user type at this address; an address may hold one after another in one run.
LocationKey user_object(LocationKey::Space space, const volatile void* object, std::uint32_t generation);
/// The most that may live at one address in a run.
inline constexpr std::uint32_t kMaxUserGeneration = 127;

}  // namespace weft
