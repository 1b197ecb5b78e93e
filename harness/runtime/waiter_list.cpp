#include "runtime/waiter_list.hpp"

#include <algorithm>

namespace weft {

bool WaiterLists::contains(Value list, Ticket ticket) const {
  const Tickets& all = tickets(list);
  return std::find(all.begin(), all.end(), ticket) != all.end();
}

Value WaiterLists::with(Value list, Ticket ticket) {
  Tickets longer = tickets(list);
  longer.push_back(ticket);
  return number(std::move(longer));
}

Value WaiterLists::without(Value list, Ticket ticket) {
  Tickets shorter = tickets(list);
  std::erase(shorter, ticket);
  return number(std::move(shorter));
}

Value WaiterLists::number(Tickets tickets) {
  const auto [at, is_new] = numbers_.try_emplace(std::move(tickets), lists_.size());
  if (is_new) lists_.push_back(&at->first);
  return at->second;
}

}  // namespace weft
