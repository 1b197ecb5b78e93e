// How a thread sleeps until another one wakes it: it receives from a channel of its own, to which the other one sends.
//
// Who sleeps on an object is a list (waiter_list.hpp) in an object location at the object's address. Since a receive waits for its send and
// for nothing else, sleeping explores no blocked execution. Each sleep has its own ticket and channel, so that a thread
// that gave up waiting cannot be confused by a late wake-up.
#pragma once

#include "runtime/waiting.hpp"

namespace weft {

/// Set in the location of a channel that a thread sleeps on. The scenario's own are named by addresses, which leave this bit free.
inline constexpr std::uint64_t kTicketBit = std::uint64_t{1} << 54;

/// A ticket for the next sleep of the running thread.
Ticket next_ticket(Execution& execution);

/// Puts the running thread on the list at `object`; returns the list before that.
Value enrol(Execution& execution, std::uintptr_t object, Ticket ticket, Order order, const void* place);
/// Takes it off again; waits, for ever if need be, for a list that has it.
void withdraw(Execution& execution, std::uintptr_t object, Ticket ticket, const void* place);
/// Takes a waiter off the list, any one of them; nothing if there is none.
std::optional<Ticket> take_one(Execution& execution, std::uintptr_t object, Order order, const void* place);
/// Takes all off the list; returns the list before that.
Value take_all(Execution& execution, std::uintptr_t object, Order order, const void* place);
/// The list as it is now.
Value waiters(Execution& execution, std::uintptr_t object, const void* place);

/// Waits until the ticket is woken. `synchronizes`: what the waker did before happens before what follows.
void sleep_until_woken(Execution& execution, Ticket ticket, bool synchronizes, const void* place);
void wake(Execution& execution, Ticket ticket, const void* place);
void wake_all(Execution& execution, Value list, const void* place);

}  // namespace weft
