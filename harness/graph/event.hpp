// Events: what the threads of one execution did that others can see.
//
// An execution is a set of events with program order (sb), reads-from (rf) and coherence order (co). A
// read-modify-write is two events, a read and the write that follows it in its thread. Locks and message
// sends are read-modify-writes on a chain of their own; see execution_graph.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/weft.hpp"

namespace weft {

/// What an atomic object of up to eight bytes holds, zero-extended.
using Value = std::uint64_t;


/// std::memory_order; consume is acquire.
enum class Order : std::uint8_t { relaxed, acquire, release, acq_rel, seq_cst };

constexpr bool is_acquire(Order o) { return o == Order::acquire || o == Order::acq_rel || o == Order::seq_cst; }
constexpr bool is_release(Order o) { return o == Order::release || o == Order::acq_rel || o == Order::seq_cst; }

/// Position of an event in the order in which events were added to its graph (its stamp). The initial write of a
/// location is no event of any thread; it is named by `initial_write(location)`.
enum class EventId : std::uint32_t {};
/// Threads are numbered from 0 (the scenario body) in the order in which the exploration first met them.
enum class ThreadId : std::uint16_t {};
/// Locations are numbered in the order in which the exploration first met them.
enum class LocationId : std::uint32_t {};

constexpr std::size_t index(EventId e) { return static_cast<std::size_t>(e); }
constexpr std::size_t index(ThreadId t) { return static_cast<std::size_t>(t); }
constexpr std::size_t index(LocationId l) { return static_cast<std::size_t>(l); }

inline constexpr EventId kNoEvent{0xffff'ffff};
inline constexpr LocationId kNoLocation{0xffff'ffff};
inline constexpr std::uint32_t kInitialWriteBit = 0x8000'0000;

constexpr bool is_initial_write(EventId e) { return e != kNoEvent && (static_cast<std::uint32_t>(e) & kInitialWriteBit) != 0; }
constexpr EventId initial_write(LocationId l) { return EventId{static_cast<std::uint32_t>(l) | kInitialWriteBit}; }
constexpr LocationId initial_write_location(EventId e) {
  return LocationId{static_cast<std::uint32_t>(e) & ~kInitialWriteBit};
}

enum class EventKind : std::uint8_t {
  read,     ///< of an atomic object, or the read part of a read-modify-write, lock or send
  write,    ///< to an atomic object, or the write part of a read-modify-write, lock or send
  fence,
  choose,   ///< a nondeterministic choice of the program; `value` is what was chosen
  gate,     ///< the lock just before it in its thread has been granted; `source` is the unlock that granted it
  unlock,
  receive,  ///< the k-th receive of a channel takes its k-th send; `source` is that send
  create,   ///< starts thread `value`
  end,      ///< last event of a thread other than the first
  join,     ///< `source` is the end of the joined thread
};

/// What a write is part of.
enum class WriteRole : std::uint8_t { plain, rmw, lock, send };

struct Event {
  Value value = 0;
  EventId source = kNoEvent;  ///< read: its rf; gate, receive, join: the event it waited for
  LocationId location = kNoLocation;
  std::uint32_t index = 0;  ///< in its thread
  ThreadId thread{};
  EventKind kind = EventKind::fence;
  Order order = Order::relaxed;
  Order keep_order = order;   ///< read: its order if no write part follows (a failed compare-exchange)
  Order write_order = order;  ///< read: its order if a write part follows
  WriteRole role = WriteRole::plain;  ///< of a write
  bool carries_message = false;       ///< of a write: an acquire read of it synchronizes with someone
  bool plain_access = false;          ///< not atomic in the source: a racing access promoted to a relaxed one
  bool synchronizes = true;           ///< receive: the send happens before it (it is always in its porf prefix);
                                      ///< fence: its order is more than a place in psc
  bool seen_by_fences = true;         ///< read, write: fences synchronize through it, as through a C++ atomic object

  /// True for the write part of a read-modify-write, lock or send: its read part is just before it in its thread.
  bool is_write_part() const { return kind == EventKind::write && role != WriteRole::plain; }
};

}  // namespace weft
