#include "models/timers.hpp"

#include <algorithm>
#include <utility>

#include "models/event_loop.hpp"

namespace js {
namespace {

// Readings that each world has.
constexpr Readings::Slot kZero = 0;      // when the virtual clock began
constexpr Readings::Slot kLast = 1;      // the latest one
constexpr Readings::Slot kPhase = 2;     // at the begin of the running timers phase
constexpr Readings::Slot kPhaseEnd = 3;  // the last one of the timers phase before
constexpr std::size_t kFixedSlots = 4;

}  // namespace

Timers::Timers(Time time, const Milliseconds& now) : time_(time), now_(now) {
  World first{.readings = Readings(kFixedSlots)};
  first.readings.set(kLast, kZero);
  first.readings.set(kPhaseEnd, kZero, -1);  // there was none yet
  if (time == Time::free) first.readings.forget(kZero);
  worlds_.push_back(std::move(first));
}

void Timeout::refresh() {
  if (!timer_->cleared) EventLoop::current().arm(*timer_);
}

// --- lists ---

Timers::List* Timers::World::find(Milliseconds delay) {
  const auto found = std::find_if(lists.begin(), lists.end(), [=](const List& list) { return list.delay == delay; });
  return found == lists.end() ? nullptr : &*found;
}

void Timers::World::erase(Milliseconds delay) {
  const List* const list = find(delay);
  if (list == nullptr) return;
  readings.forget(list->expiry);
  lists.erase(lists.begin() + (list - lists.data()));
  if (current == delay) current.reset();
}

Timer* Timers::first_of(Milliseconds delay) const {
  const auto found = std::find_if(armed_.begin(), armed_.end(), [=](const Timer* t) { return t->delay == delay; });
  return found == armed_.end() ? nullptr : *found;
}

Readings::Slot Timers::take_slot() {
  if (!free_slots_.empty()) {
    const Readings::Slot slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }
  Readings::Slot slot = 0;
  for (World& world : worlds_) slot = world.readings.add();
  return slot;
}

void Timers::free_slot(Readings::Slot slot) {
  for (World& world : worlds_) world.readings.forget(slot);
  free_slots_.push_back(slot);
}

Readings::Slot Timers::expiry_slot(Milliseconds delay) {
  for (const List& known : expiry_slots_) {
    if (known.delay == delay) return known.expiry;
  }
  expiry_slots_.push_back({delay, take_slot()});
  return expiry_slots_.back().expiry;
}

void Timers::read_clock(World& world) const {
  world.readings.advance(kLast);
  if (time_ == Time::exact) world.readings.set(kLast, kZero, now_);
}

void Timers::arm(Timer& timer) {
  if (timer.armed) {
    std::erase(armed_, &timer);
  } else {
    timer.began = take_slot();
  }
  for (World& world : worlds_) {
    read_clock(world);
    world.readings.set(timer.began, kLast);
  }
  timer.due = now_ + timer.delay;
  add_to_list(timer);
}

void Timers::ran(Timer& timer) {
  timer.running = false;
  if (!timer.repeats) return;
  if (timer.cleared) {
    free_slot(run_began_);
    return;
  }
  if (timer.armed) drop_from_list(timer);  // it has refreshed itself, which does not count
  timer.began = run_began_;
  timer.due = run_due_;
  add_to_list(timer);
}

void Timers::add_to_list(Timer& timer) {
  const Readings::Slot expiry = expiry_slot(timer.delay);
  for (World& world : worlds_) {
    if (world.find(timer.delay) != nullptr) continue;
    world.lists.push_back({timer.delay, expiry});
    world.readings.set(expiry, timer.began, timer.delay);
  }
  timer.armed = true;
  armed_.push_back(&timer);
}

void Timers::drop_from_list(Timer& timer) {
  std::erase(armed_, &timer);
  timer.armed = false;
  free_slot(timer.began);
}

void Timers::clear(Timer& timer) {
  timer.cleared = true;
  if (!timer.armed && !timer.running) return;
  if (timer.armed) drop_from_list(timer);
  // An empty list stays, with the time at which it was to expire, if its last timer had no reference.
  if (!timer.has_ref || first_of(timer.delay) != nullptr) return;
  for (World& world : worlds_) world.erase(timer.delay);
}

bool Timers::any_with_ref() const {
  return std::any_of(armed_.begin(), armed_.end(), [](const Timer* timer) { return timer->has_ref; });
}

std::optional<Milliseconds> Timers::next_moment() const {
  if (armed_.empty() || time_ == Time::free) return std::nullopt;
  const Readings& readings = worlds_.front().readings;
  std::optional<Milliseconds> first;
  for (const List& list : worlds_.front().lists) {
    const Milliseconds expiry = readings.most(list.expiry, kZero);
    first = std::min(first.value_or(expiry), expiry);
  }
  // The system's timer is set anew after each phase, for at least a millisecond.
  return std::max(*first, readings.most(kPhaseEnd, kZero) + 1);
}

// --- phases ---

void Timers::add(World world, std::vector<World>& worlds) {
  const auto covers = [](const World& a, const World& b) {
    return a.in_phase == b.in_phase && a.current == b.current && a.readings.covers(b.readings) &&
           std::equal(a.lists.begin(), a.lists.end(), b.lists.begin(), b.lists.end(),
                      [](const List& x, const List& y) { return x.delay == y.delay; });
  };
  for (const World& known : worlds) {
    if (covers(known, world)) return;
  }
  std::erase_if(worlds, [&](const World& known) { return covers(world, known); });
  worlds.push_back(std::move(world));
}

// Begins a phase; false if it is too early for one.
bool Timers::enter(World& world) const {
  read_clock(world);
  if (!world.readings.require(kPhaseEnd, kLast, -1)) return false;
  world.readings.set(kPhase, kLast);
  world.in_phase = true;
  return true;
}

// All that can come next in a running phase.
void Timers::go_on(World world, std::vector<Step>& steps) const {
  if (world.current) {
    List* const list = world.find(*world.current);
    Timer* const timer = first_of(*world.current);
    if (timer == nullptr) {
      world.erase(*world.current);
      go_on(std::move(world), steps);
      return;
    }
    const Milliseconds delay = timer->delay;
    if (world.readings.allows(timer->began, kPhase, -delay)) {
      steps.push_back({timer, world});
      steps.back().world.readings.require(timer->began, kPhase, -delay);
    }
    if (!world.readings.require(kPhase, timer->began, delay - 1)) return;
    world.readings.set(list->expiry, timer->began, delay);
    const auto at = world.lists.begin() + (list - world.lists.data());
    std::rotate(at, at + 1, world.lists.end());
    world.current.reset();
    go_on(std::move(world), steps);
    return;
  }
  for (std::size_t i = 0; i < world.lists.size(); ++i) {
    const List& list = world.lists[i];
    if (!world.readings.allows(list.expiry, kPhase, 0)) continue;
    World first = world;
    bool possible = first.readings.require(list.expiry, kPhase, 0);
    for (std::size_t j = 0; j < world.lists.size() && possible; ++j) {
      if (j != i) possible = first.readings.require(list.expiry, world.lists[j].expiry, i < j ? 0 : -1);
    }
    if (!possible) continue;
    first.current = list.delay;
    go_on(std::move(first), steps);
  }
  bool possible = true;
  for (const List& list : world.lists) possible = possible && world.readings.require(kPhase, list.expiry, -1);
  if (possible) steps.push_back({nullptr, std::move(world)});
}

void Timers::leave(World world, std::vector<World>& worlds) const {
  std::vector<Step> steps;
  if (!world.in_phase) {
    if (world.lists.empty()) {
      add(std::move(world), worlds);
      return;
    }
    // It does not begin: nothing has expired, or not a millisecond has passed since the last one.
    World too_early = world;
    read_clock(too_early);
    World just_now = too_early;
    bool possible = true;
    for (const List& list : world.lists) possible = possible && too_early.readings.require(kLast, list.expiry, -1);
    if (possible) add(std::move(too_early), worlds);
    if (just_now.readings.require(kLast, kPhaseEnd, 0)) add(std::move(just_now), worlds);
    if (!enter(world)) return;
  }
  go_on(std::move(world), steps);
  for (Step& step : steps) {
    if (step.next != nullptr) continue;
    World& ended = step.world;
    ended.readings.set(kPhaseEnd, kLast);
    ended.readings.forget(kPhase);
    ended.in_phase = false;
    add(std::move(ended), worlds);
  }
}

std::vector<Timers::World> Timers::after_leaving() const {
  std::vector<World> result;
  for (const World& world : worlds_) leave(world, result);
  return result;
}

bool Timers::can_leave() const { return !after_leaving().empty(); }

void Timers::leave() { worlds_ = after_leaving(); }

const std::vector<Timer*>& Timers::candidates(bool begin, bool later_phases) {
  steps_.clear();
  candidates_.clear();
  if (armed_.empty()) return candidates_;
  std::vector<World> outside;
  for (const World& world : worlds_) {
    if (world.in_phase) {
      go_on(world, steps_);
      if (later_phases) leave(world, outside);
    } else if (begin || later_phases) {
      outside.push_back(world);
    }
  }
  for (World& world : outside) {
    if (enter(world)) go_on(std::move(world), steps_);
  }
  for (Timer* const timer : armed_) {
    if (std::any_of(steps_.begin(), steps_.end(), [=](const Step& step) { return step.next == timer; })) {
      candidates_.push_back(timer);
    }
  }
  return candidates_;
}

void Timers::fire(Timer& timer) {
  worlds_.clear();
  for (Step& step : steps_) {
    if (step.next != &timer) continue;
    step.world.readings.forget(timer.began);
    add(std::move(step.world), worlds_);
  }
  steps_.clear();
  drop_from_list(timer);
  timer.running = true;
  if (!timer.repeats) return;
  run_began_ = take_slot();
  run_due_ = now_ + timer.delay;
  for (World& world : worlds_) {
    read_clock(world);
    world.readings.set(run_began_, kLast);
  }
}

}  // namespace js
