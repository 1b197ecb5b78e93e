#include "runtime/retries.hpp"

#include <algorithm>

#include "runtime/waiting.hpp"

namespace weft {
namespace {

std::uint32_t& retries_at(Execution& execution, const void* place) {
  const Execution::Outside outside;  // the record outlives the run
  auto& retries = running_record(execution).retries;
  const auto found =
      std::find_if(retries.begin(), retries.end(), [&](const auto& entry) { return entry.first == place; });
  if (found != retries.end()) return found->second;
  return retries.emplace_back(place, 0u).second;
}

}  // namespace

bool may_retry(Execution& execution, const void* place) {
  static_assert(kMostRetries == 4, "say so below, too");
  if (retries_at(execution, place) < kMostRetries) return true;
  execution.memory().bound =
      "executions in which a thread times out or fails to try more than 4 times at one place were left out";
  return false;
}

void count_retry(Execution& execution, const void* place) { ++retries_at(execution, place); }

bool choose_time_out(Execution& execution, const void* place) {
  if (!may_retry(execution, place)) return false;
  if (execution.perform({.kind = OperationKind::choose, .operand = 2, .place = place}).value == 0) return false;
  count_retry(execution, place);
  return true;
}

bool try_once(Execution& execution, Operation operation, Decide wait_instead) {
  const bool may_fail = may_retry(execution, operation.place);
  if (!may_fail) operation.decide = wait_instead;
  const MayTimeOut no_deadlock(execution, !may_fail);
  if (execution.perform(operation).wrote) return true;
  count_retry(execution, operation.place);
  return false;
}

}  // namespace weft
