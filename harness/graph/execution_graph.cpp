#include "graph/execution_graph.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace weft {
namespace {

void join_clock(ClockTick* into, const ClockTick* from, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) into[i] = into[i] < from[i] ? from[i] : into[i];
}

bool is_release_fence(const Event& e) { return e.kind == EventKind::fence && is_release(e.order) && e.synchronizes; }

}  // namespace

ExecutionGraph::ExecutionGraph(std::size_t clock_width) : clock_width_(clock_width), zero_clock_(clock_width, 0) {}

ClockView ExecutionGraph::porf_of_thread(ThreadId t) const {
  if (index(t) >= threads_.size()) return zero_clock_;
  const Thread& thread = threads_[index(t)];
  const EventId last = thread.events.empty() ? thread.created_by : thread.events.back();
  return last == kNoEvent ? ClockView(zero_clock_) : porf(last);
}

ClockView ExecutionGraph::happens_before_of_thread(ThreadId t) const {
  if (index(t) >= threads_.size()) return zero_clock_;
  const Thread& thread = threads_[index(t)];
  const EventId last = thread.events.empty() ? thread.created_by : thread.events.back();
  return last == kNoEvent ? ClockView(zero_clock_) : happens_before(last);
}

EventId ExecutionGraph::predecessor(EventId e) const {
  const Event& event = events_[index(e)];
  return event.index == 0 ? kNoEvent : threads_[index(event.thread)].events[event.index - 1];
}

ClockView ExecutionGraph::happens_before_predecessor(EventId e) const {
  EventId before = predecessor(e);
  if (before == kNoEvent) before = threads_[index(events_[index(e)].thread)].created_by;
  return before == kNoEvent ? ClockView(zero_clock_) : happens_before(before);
}

std::size_t ExecutionGraph::coherence_position(LocationId l, EventId write) const {
  if (is_initial_write(write)) return 0;
  const std::vector<EventId>& writes = locations_[index(l)].writes;
  for (std::size_t i = writes.size(); i-- > 0;) {
    if (writes[i] == write) return i + 1;
  }
  assert(false && "write is not in coherence order");
  return 0;
}

bool ExecutionGraph::next_is_its_rmw(LocationId l, std::size_t position) const {
  const std::vector<EventId>& writes = locations_[index(l)].writes;
  if (position >= writes.size()) return false;
  const EventId next = writes[position];
  return events_[index(next)].is_write_part() && events_[index(read_part(next))].source == write_at(l, position);
}

bool ExecutionGraph::has_write_part(EventId r) const {
  const Event& event = events_[index(r)];
  const std::vector<EventId>& line = threads_[index(event.thread)].events;
  return event.index + 1 < line.size() && events_[index(line[event.index + 1])].is_write_part();
}

EventId ExecutionGraph::unlock_of(EventId lock) const {
  const Event& event = events_[index(lock)];
  const std::vector<EventId>& line = threads_[index(event.thread)].events;
  for (std::size_t i = event.index + 1; i < line.size(); ++i) {
    const Event& next = events_[index(line[i])];
    if (next.kind == EventKind::unlock && next.location == event.location) return line[i];
  }
  return kNoEvent;
}

ExecutionGraph::Grant ExecutionGraph::grant_of(EventId lock) const {
  const EventId previous = events_[index(read_part(lock))].source;
  if (is_initial_write(previous)) return {true, kNoEvent};
  const EventId unlock = unlock_of(previous);
  return {unlock != kNoEvent, unlock};
}

EventId ExecutionGraph::next_message(ThreadId t, LocationId l) const {
  if (!has_location(l)) return kNoEvent;
  std::size_t received = 0;
  for (EventId e : thread(t)) {
    const Event& event = events_[index(e)];
    received += event.kind == EventKind::receive && event.location == l;
  }
  const std::vector<EventId>& sends = locations_[index(l)].writes;
  return received < sends.size() ? sends[received] : kNoEvent;
}

EventId ExecutionGraph::end_of(ThreadId t) const {
  const std::span<const EventId> line = thread(t);
  return !line.empty() && events_[index(line.back())].kind == EventKind::end ? line.back() : kNoEvent;
}

void ExecutionGraph::clear() {
  cut(0);
  threads_.clear();
}

ExecutionGraph::Thread& ExecutionGraph::thread_record(ThreadId t) {
  if (index(t) >= threads_.size()) threads_.resize(index(t) + 1);
  return threads_[index(t)];
}

ExecutionGraph::Location& ExecutionGraph::location_record(LocationId l) {
  if (index(l) >= locations_.size()) locations_.resize(index(l) + 1);
  return locations_[index(l)];
}

void ExecutionGraph::use_location(LocationId l, Value initial) {
  Location& location = location_record(l);
  if (location.in_use) return;
  location.in_use = true;
  location.initial = initial;
  used_.push_back(l);
}

EventId ExecutionGraph::add(Event e, std::size_t position) {
  const EventId id{static_cast<std::uint32_t>(events_.size())};
  Thread& thread = thread_record(e.thread);
  e.index = static_cast<std::uint32_t>(thread.events.size());
  thread.events.push_back(id);
  if (e.kind == EventKind::create) thread_record(ThreadId{static_cast<std::uint16_t>(e.value)}).created_by = id;
  if (e.kind == EventKind::read) locations_[index(e.location)].reads.push_back(id);
  if (e.order == Order::seq_cst) ++seq_cst_events_;
  if (is_release_fence(e)) ++release_fences_;
  events_.push_back(e);
  if (clocks_.size() < events_.size() * 3 * clock_width_) clocks_.resize(events_.size() * 2 * 3 * clock_width_);
  compute_clocks(id);
  if (e.kind == EventKind::write) insert_in_coherence(id, position);
  return id;
}

void ExecutionGraph::compute_clocks(EventId id) {
  Event& e = events_[index(id)];
  const std::size_t width = clock_width_;
  ClockTick* porf = clock_data(id, 0);
  ClockTick* hb = clock_data(id, 1);
  EventId before = predecessor(id);
  if (before == kNoEvent) before = threads_[index(e.thread)].created_by;
  if (before == kNoEvent) {
    std::fill(porf, porf + 2 * width, 0);
  } else {
    std::memcpy(porf, clock_data(before, 0), 2 * width * sizeof(ClockTick));
  }
  porf[index(e.thread)] = hb[index(e.thread)] = static_cast<ClockTick>(e.index) + 1;

  switch (e.kind) {
    case EventKind::read:
      if (!is_initial_write(e.source)) {
        join_clock(porf, clock_data(e.source, 0), width);
        if (is_acquire(e.order) && events_[index(e.source)].carries_message)
          join_clock(hb, clock_data(e.source, 2), width);
      }
      break;
    case EventKind::gate:
    case EventKind::receive:
    case EventKind::join:
      if (e.source != kNoEvent) {
        join_clock(porf, clock_data(e.source, 0), width);
        if (e.synchronizes) join_clock(hb, clock_data(e.source, 1), width);
      }
      break;
    case EventKind::fence:
      if (is_acquire(e.order) && e.synchronizes) {  // through every earlier read of its thread ([atomics.fences])
        for (EventId r : threads_[index(e.thread)].events) {
          const Event& read = events_[index(r)];
          if (read.kind != EventKind::read || !read.seen_by_fences || is_initial_write(read.source)) continue;
          if (events_[index(read.source)].carries_message) join_clock(hb, clock_data(read.source, 2), width);
        }
      }
      break;
    case EventKind::write: {
      ClockTick* message = clock_data(id, 2);
      e.carries_message = false;
      const auto learn = [&](const ClockTick* from) {
        if (e.carries_message) {
          join_clock(message, from, width);
        } else {
          std::memcpy(message, from, width * sizeof(ClockTick));
        }
        e.carries_message = true;
      };
      if (is_release(e.order)) {
        learn(hb);
      } else if (release_fences_ != 0 && e.seen_by_fences) {
        // The latest release fence before it in its thread covers the earlier ones.
        const std::vector<EventId>& line = threads_[index(e.thread)].events;
        for (std::size_t i = e.index; i-- > 0;) {
          const Event& fence = events_[index(line[i])];
          if (is_release_fence(fence)) {
            learn(clock_data(line[i], 1));
            break;
          }
        }
      }
      if (e.is_write_part()) {  // an RMW continues the release sequence of the write that it read
        const EventId source = events_[index(read_part(id))].source;
        if (!is_initial_write(source) && events_[index(source)].carries_message) learn(clock_data(source, 2));
      }
      break;
    }
    case EventKind::choose:
    case EventKind::unlock:
    case EventKind::create:
    case EventKind::end:
      break;
  }
}

void ExecutionGraph::cut(std::size_t first) {
  while (events_.size() > first) {
    const EventId id{static_cast<std::uint32_t>(events_.size() - 1)};
    const Event& e = events_.back();
    threads_[index(e.thread)].events.pop_back();
    if (e.order == Order::seq_cst) --seq_cst_events_;
    if (is_release_fence(e)) --release_fences_;
    if (e.kind == EventKind::create) threads_[static_cast<std::size_t>(e.value)].created_by = kNoEvent;
    if (e.kind == EventKind::read || e.kind == EventKind::write) {
      Location& location = locations_[index(e.location)];
      if (e.kind == EventKind::read) {
        location.reads.pop_back();
      } else {
        remove_from_coherence(id);
      }
      if (location.reads.empty() && location.writes.empty()) {
        location.in_use = false;
        used_.pop_back();  // locations go out of use in the reverse of the order in which they came into it
      }
    }
    events_.pop_back();
  }
}

void ExecutionGraph::set_source(EventId read, EventId write) {
  events_[index(read)].source = write;
  set_order(read, events_[index(read)].keep_order);
}

void ExecutionGraph::expect_write_part(EventId read) {
  const Order order = events_[index(read)].write_order;
  if (order != events_[index(read)].order) set_order(read, order);
}

void ExecutionGraph::set_order(EventId read, Order order) {
  seq_cst_events_ -= events_[index(read)].order == Order::seq_cst;
  seq_cst_events_ += order == Order::seq_cst;
  events_[index(read)].order = order;
  compute_clocks(read);
}

void ExecutionGraph::remove_from_coherence(EventId write) {
  std::vector<EventId>& writes = locations_[index(events_[index(write)].location)].writes;
  for (std::size_t i = writes.size(); i-- > 0;) {
    if (writes[i] == write) {
      writes.erase(writes.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }
}

void ExecutionGraph::insert_in_coherence(EventId write, std::size_t position) {
  std::vector<EventId>& writes = locations_[index(events_[index(write)].location)].writes;
  assert(position >= 1 && position <= writes.size() + 1);
  writes.insert(writes.begin() + static_cast<std::ptrdiff_t>(position - 1), write);
}

void ExecutionGraph::move_write(EventId write, std::size_t position) {
  remove_from_coherence(write);
  insert_in_coherence(write, position);
}

template <class Keep>
void ExecutionGraph::assign_kept(const ExecutionGraph& from, Keep keep) {
  cut(0);
  const std::size_t width = clock_width_;
  renamed_.assign(from.size(), kNoEvent);
  const auto rename = [&](EventId e) { return e == kNoEvent || is_initial_write(e) ? e : renamed_[index(e)]; };
  for (std::size_t i = 0; i < from.size(); ++i) {
    const EventId old{static_cast<std::uint32_t>(i)};
    const Event& original = from.events_[i];
    if (!keep(original, i)) continue;
    const EventId id{static_cast<std::uint32_t>(events_.size())};
    renamed_[i] = id;
    events_.push_back(original);
    Event& e = events_.back();
    Thread& thread = thread_record(e.thread);
    thread.events.push_back(id);
    if (e.kind == EventKind::create) thread_record(ThreadId{static_cast<std::uint16_t>(e.value)}).created_by = id;
    if (e.order == Order::seq_cst) ++seq_cst_events_;
    if (is_release_fence(e)) ++release_fences_;
    if (e.location != kNoLocation && (e.kind == EventKind::read || e.kind == EventKind::write)) {
      use_location(e.location, from.locations_[index(e.location)].initial);
      if (e.kind == EventKind::read) locations_[index(e.location)].reads.push_back(id);
    }
    if (clocks_.size() < events_.size() * 3 * width) clocks_.resize(events_.size() * 2 * 3 * width);
    std::memcpy(clock_data(id, 0), from.clock(old, 0).data(), 3 * width * sizeof(ClockTick));
  }
  // A source may have a later stamp than its reader (an earlier revisit), so names are replaced when all are known.
  for (Event& e : events_) e.source = rename(e.source);
  for (LocationId l : used_) {
    std::vector<EventId>& writes = locations_[index(l)].writes;
    for (EventId w : from.locations_[index(l)].writes) {
      if (renamed_[index(w)] != kNoEvent) writes.push_back(renamed_[index(w)]);
    }
  }
}

ExecutionGraph::Revisited ExecutionGraph::assign_revisit(const ExecutionGraph& from, EventId read, EventId write) {
  const ClockView prefix = from.porf(write);
  assign_kept(from, [&](const Event& e, std::size_t stamp) {
    return stamp <= index(read) || covers(prefix, e);  // the prefix holds `write` too
  });
  const Revisited names{renamed_[index(read)], renamed_[index(write)]};
  remove_from_coherence(names.write);
  set_source(names.read, names.write);
  return names;
}

void ExecutionGraph::assign_part(const ExecutionGraph& from, std::span<const std::uint32_t> lengths) {
  assign_kept(from, [&](const Event& e, std::size_t) { return e.index < lengths[index(e.thread)]; });
}

}  // namespace weft
