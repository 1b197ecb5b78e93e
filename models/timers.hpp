// Timers as Node keeps them (lib/internal/timers.js): a list for each duration, and lists by the time at which they
// expire, then by age. A timers phase reads the clock once. While the first list has expired by then, all of its timers
// that are due by then fire, in the order in which they were set, before the next list is looked at; a list whose first
// timer is not due yet goes back among the others, as the youngest of its time. So timers need not fire in the order in
// which they are due: set for 10 at 0, for 8 at 3 and for 10 at 5, and looked at late, they fire 10, 10, 8. A timer
// that is set or refreshed in a phase waits for a later one. An interval counts from the begin of its run.
//
// The clock is a number of milliseconds, read whenever a timer is set and when a phase begins. Time::exact: it is
// known. Time::free: each reading is any time after the one before; what fires next, or that the phase ends before
// anything does, is then what *some* such clock would show, given all that was shown before. All of these are offered,
// and no other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/heap.hpp"
#include "models/readings.hpp"

namespace js {

using Callback = std::function<void()>;

enum class Time : std::uint8_t { free, exact };

/// std::source_location, which clang 14 does not have. As a default argument, SourceLocation::current() is the
/// caller's.
struct SourceLocation {
  const char* file = "";
  int line = 0;

  static constexpr SourceLocation current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// One that setTimeout or setInterval has made.
struct Timer final : HeapObject {
  Callback callback;
  Milliseconds delay = 1;
  bool repeats = false;
  std::uint32_t task = 0;
  SourceLocation where{};  // it was set
  bool has_ref = true;
  bool cleared = false;
  bool armed = false;
  bool running = false;
  Milliseconds due = 0;        // by the loop's virtual clock
  std::uint32_t chain = 0;     // how many timers in a row have led to it, each set by the one before
  std::uint64_t progress = 0;  // of the loop when it was armed
  Readings::Slot began = 0;    // when its delay began
};

class Timers {
 public:
  /// `now`: the loop's virtual clock, which Time::exact looks at.
  Timers(Time time, const Milliseconds& now);

  /// The delay begins now. One that is armed already begins anew, behind the others of its duration.
  void arm(Timer& timer);
  void clear(Timer& timer);

  /// In the order of arming.
  const std::vector<Timer*>& armed() const { return armed_; }
  bool any_with_ref() const;
  /// Time::exact: when the next timers phase can have something to do.
  std::optional<Milliseconds> next_moment() const;

  /// Which timers may fire next in the running phase, or in one that begins; with `later_phases`, in one that begins
  /// when the running one has ended without more.
  const std::vector<Timer*>& candidates(bool begin, bool later_phases);
  /// Begins the run of one of the candidates.
  void fire(Timer& timer);
  /// Ends it. Arms an interval again, unless it was cleared: its delay began when it began to run.
  void ran(Timer& timer);
  /// Whether the phase can end, or not begin yet, without anything more that fires.
  bool can_leave() const;
  /// That is what happens.
  void leave();

 private:
  struct List {
    Milliseconds delay = 0;
    Readings::Slot expiry = 0;
  };
  // One way in which things can be, given what was seen: a set of clocks, and the lists that these have led to.
  struct World {
    Readings readings;
    std::vector<List> lists{};              // from the oldest to the youngest
    std::optional<Milliseconds> current{};  // duration of the list that is being worked off
    bool in_phase = false;

    List* find(Milliseconds delay);
    void erase(Milliseconds delay);
  };
  struct Step {
    Timer* next;  // null: the phase ends
    World world;
  };

  void read_clock(World& world) const;
  Timer* first_of(Milliseconds delay) const;
  bool enter(World& world) const;
  void go_on(World world, std::vector<Step>& steps) const;
  void leave(World world, std::vector<World>& worlds) const;
  std::vector<World> after_leaving() const;
  void add_to_list(Timer& timer);
  void drop_from_list(Timer& timer);
  Readings::Slot take_slot();
  void free_slot(Readings::Slot slot);
  Readings::Slot expiry_slot(Milliseconds delay);
  static void add(World world, std::vector<World>& worlds);

  Time time_;
  const Milliseconds& now_;
  std::vector<Timer*> armed_;
  std::vector<World> worlds_;
  std::vector<Readings::Slot> free_slots_;
  std::vector<List> expiry_slots_;  // of each duration that there ever was
  std::vector<Step> steps_;
  std::vector<Timer*> candidates_;
  Readings::Slot run_began_ = 0;  // of the interval that runs
  Milliseconds run_due_ = 0;
};

/// What setTimeout and setInterval return. Valid as long as its loop.
class Timeout {
 public:
  Timeout() = default;
  void ref() { timer_->has_ref = true; }
  void unref() { timer_->has_ref = false; }
  bool hasRef() const { return timer_->has_ref; }
  /// Starts the delay anew; also of one that runs or has run, but not of one that was cleared.
  void refresh();

 private:
  friend class EventLoop;
  explicit Timeout(Timer& timer) : timer_(&timer) {}
  Timer* timer_ = nullptr;
};

}  // namespace js
