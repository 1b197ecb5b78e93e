// Lists of sleeping threads as 64-bit values: what a condition variable, a futex or a barrier holds is the number of such a list.
//
// A list lives in an object location, whose value must be the same in every run that replays an event. So equal lists get equal
// numbers, once and for the whole exploration (hash consing). The empty list is 0, the value that a location has at first.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "graph/event.hpp"

namespace weft {

/// One sleep of one thread: the thread, and how many sleeps it had before. Its channel carries one message at most.
struct Ticket {
  std::uint64_t bits = 0;

  static constexpr Ticket of(ThreadId t, std::uint32_t nth_sleep) {
    return {static_cast<std::uint64_t>(index(t)) << 32 | nth_sleep};
  }
  constexpr ThreadId thread() const { return ThreadId{static_cast<std::uint16_t>(bits >> 32)}; }
  friend constexpr auto operator<=>(Ticket, Ticket) = default;
};

/// Belongs to one exploration. Not thread-safe. Allocates: call it where the scenario's allocator is not in the way, which includes every
/// `decide` callback.
class WaiterLists {
 public:
  using Tickets = std::vector<Ticket>;

  WaiterLists() { number(Tickets{}); }

  const Tickets& tickets(Value list) const { return *lists_[list]; }
  std::size_t size(Value list) const { return lists_[list]->size(); }
  bool contains(Value list, Ticket ticket) const;
  Value with(Value list, Ticket ticket);
  Value without(Value list, Ticket ticket);
  Value number(Tickets tickets);

 private:
  std::map<Tickets, Value> numbers_;
  std::vector<const Tickets*> lists_;  // keys of numbers_, by value
};

}  // namespace weft
