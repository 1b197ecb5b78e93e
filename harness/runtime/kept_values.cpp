#include "runtime/kept_values.hpp"

#include <map>
#include <utility>

#include "runtime/execution.hpp"

namespace weft {
namespace {

struct Kept {
  void* value;
  void (*destroy)(void*);
};

std::map<std::pair<std::uint64_t, StepName>, Kept> all;

}  // namespace

StepName next_step_of_running(const Execution& execution) {
  const Execution::Thread& t = const_cast<Execution&>(execution).running();
  return (static_cast<StepName>(index(t.id)) + 1) << 32 | t.position;
}

ThreadId thread_of_step(StepName step) { return ThreadId{static_cast<std::uint16_t>((step >> 32) - 1)}; }

void kept_values::keep(LocationKey location, StepName step, void* value, void (*destroy)(void*)) {
  Kept& kept = all[{location.bits, step}];
  if (kept.value != nullptr) kept.destroy(kept.value);
  kept = {value, destroy};
}

const void* kept_values::find(LocationKey location, StepName step) {
  const auto kept = all.find({location.bits, step});
  return kept == all.end() ? nullptr : kept->second.value;
}

void kept_values::forget_all() {
  for (const auto& [name, kept] : all) kept.destroy(kept.value);
  all.clear();
}

LocationKey user_object(LocationKey::Space space, const volatile void* object, std::uint32_t generation) {
  LocationKey key = LocationKey::of_memory(reinterpret_cast<std::uint64_t>(object), generation);
  key.bits |= static_cast<std::uint64_t>(space) << 56;
  return key;
}

}  // namespace weft
