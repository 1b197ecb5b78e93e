// An execution graph under construction: events, rf, co, and two vector clocks per event.
//
// Clocks count events: clock[u] is how many events of thread u are in the set. The *porf* clock of an event is its
// (sb u rf)+ prefix, the event included; the *hb* clock is what happens before it, itself included. A write
// also has a *message* clock: what an acquire read of it learns, the release sequence (RMW chain) included. All
// are computed once, when the event is added, and only for events whose past is complete; so cutting the graph back is cheap.
#pragma once

#include <span>
#include <vector>

#include "graph/event.hpp"

namespace weft {

/// One entry per thread; see the head of this file.
using ClockTick = std::int32_t;
using ClockView = std::span<const ClockTick>;

constexpr bool covers(ClockView clock, const Event& e) {
  return clock[index(e.thread)] > static_cast<ClockTick>(e.index);
}

/// Not thread-safe; one graph belongs to one explorer.
class ExecutionGraph {
 public:
  /// Per-location part: coherence order and readers.
  struct Location {
    Value initial = 0;
    bool in_use = false;
    std::vector<EventId> writes;  ///< coherence order, without the initial write
    std::vector<EventId> reads;   ///< in the order in which they were added
  };

  /// `clock_width`: one more than the highest thread number that may appear.
  explicit ExecutionGraph(std::size_t clock_width);

  std::size_t clock_width() const { return clock_width_; }
  std::size_t size() const { return events_.size(); }
  const Event& operator[](EventId e) const { return events_[index(e)]; }
  std::span<const Event> events() const { return events_; }
  /// The events of a thread in program order.
  std::span<const EventId> thread(ThreadId t) const {
    return index(t) < threads_.size() ? std::span<const EventId>(threads_[index(t)].events) : std::span<const EventId>();
  }
  std::size_t thread_count() const { return threads_.size(); }
  /// The create event that started `t`; kNoEvent for the first thread and for one that is not in the graph.
  EventId created_by(ThreadId t) const { return index(t) < threads_.size() ? threads_[index(t)].created_by : kNoEvent; }

  const Location& location(LocationId l) const { return locations_[index(l)]; }
  bool has_location(LocationId l) const { return index(l) < locations_.size() && locations_[index(l)].in_use; }
  std::span<const LocationId> locations_in_use() const { return used_; }
  std::size_t seq_cst_events() const { return seq_cst_events_; }

  ClockView porf(EventId e) const { return clock(e, 0); }
  ClockView happens_before(EventId e) const { return clock(e, 1); }
  ClockView message(EventId write) const { return clock(write, 2); }
  /// Clocks of what precedes the next event of `t` in program order (its last event, or its create event).
  ClockView porf_of_thread(ThreadId t) const;
  ClockView happens_before_of_thread(ThreadId t) const;
  /// The same for the event before `e` in its thread.
  ClockView happens_before_predecessor(EventId e) const;

  /// Value written by `w`, which may be an initial write.
  Value value_of_write(EventId w) const {
    return is_initial_write(w) ? locations_[index(initial_write_location(w))].initial : events_[index(w)].value;
  }
  /// Position in coherence order: 0 for the initial write.
  std::size_t coherence_position(LocationId l, EventId write) const;
  /// The write at a position: 0 is the initial write.
  EventId write_at(LocationId l, std::size_t position) const {
    return position == 0 ? initial_write(l) : locations_[index(l)].writes[position - 1];
  }
  std::size_t last_position(LocationId l) const { return locations_[index(l)].writes.size(); }
  /// True if the write at `position + 1` is the write part of an RMW that read the write at `position`.
  bool next_is_its_rmw(LocationId l, std::size_t position) const;
  EventId read_part(EventId write_part) const { return predecessor(write_part); }
  /// The event before `e` in its thread; kNoEvent for a first event.
  EventId predecessor(EventId e) const;
  /// True if read `r` is the read part of an RMW whose write part is in the graph.
  bool has_write_part(EventId r) const;

  /// The unlock that ends the section that lock write `lock` began; kNoEvent while it is open.
  EventId unlock_of(EventId lock) const;
  /// What grants the lock whose write part is `lock`: the unlock of the section before it; `granted` is false while that is
  /// open. The first section of a chain is granted by nobody (kNoEvent).
  struct Grant { bool granted; EventId unlock; };
  Grant grant_of(EventId lock) const;
  /// The send that the next receive of `t` on channel `l` takes; kNoEvent while there is none.
  EventId next_message(ThreadId t, LocationId l) const;
  /// The end event of `t`, kNoEvent while it runs.
  EventId end_of(ThreadId t) const;

  // --- building ---
  void clear();
  /// Makes `l` known, with the value found in memory; no effect if it is in use.
  void use_location(LocationId l, Value initial);
  /// Adds an event at the end of its thread and computes its clocks. `e.index` is set here. A write is placed in
  /// coherence order at `position` (ignored for others).
  EventId add(Event e, std::size_t position = 0);
  /// Removes all events from stamp `first` on.
  void cut(std::size_t first);
  /// Makes a read that is the last event of its thread read from `write`; its order becomes `keep_order`.
  void set_source(EventId read, EventId write);
  /// Gives such a read its `write_order`: a write part is about to follow.
  void expect_write_part(EventId read);
  void set_choice(EventId choose, Value value) { events_[index(choose)].value = value; }
  /// Moves a write to another place in coherence order.
  void move_write(EventId write, std::size_t position);
  void remove_from_coherence(EventId write);
  void insert_in_coherence(EventId write, std::size_t position);
  /// Replaces this graph by the events of `from` with a stamp up to `read`, plus the porf prefix of `write`, plus `write`,
  /// stamps kept in order, `write` out of coherence order. Returns their new names.
  struct Revisited { EventId read; EventId write; };
  Revisited assign_revisit(const ExecutionGraph& from, EventId read, EventId write);
  /// Replaces this graph by the first `lengths[t]` events of each thread t of `from`, a part that is closed under porf.
  void assign_part(const ExecutionGraph& from, std::span<const std::uint32_t> lengths);

 private:
  struct Thread {
    std::vector<EventId> events;
    EventId created_by = kNoEvent;
  };

  ClockView clock(EventId e, std::size_t which) const {
    return {clocks_.data() + (index(e) * 3 + which) * clock_width_, clock_width_};
  }
  ClockTick* clock_data(EventId e, std::size_t which) { return clocks_.data() + (index(e) * 3 + which) * clock_width_; }
  void compute_clocks(EventId e);
  /// Replaces this graph by the events of `from` that `keep(event, stamp)` says, stamps kept in order; fills renamed_.
  template <class Keep>
  void assign_kept(const ExecutionGraph& from, Keep keep);
  void set_order(EventId read, Order order);
  Thread& thread_record(ThreadId t);
  Location& location_record(LocationId l);

  std::size_t clock_width_;
  std::vector<Event> events_;
  std::vector<ClockTick> clocks_;  // porf, hb, message of each event
  std::vector<Thread> threads_;
  std::vector<Location> locations_;
  std::vector<LocationId> used_;
  std::vector<ClockTick> zero_clock_;
  std::size_t seq_cst_events_ = 0;
  std::size_t release_fences_ = 0;
  std::vector<EventId> renamed_;  // scratch of assign_kept: new names by old stamps
};

}  // namespace weft
