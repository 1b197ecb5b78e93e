// WHY: how an execution came to its failure, in sentences, read off its trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "detect/finding.hpp"
#include "report/trace.hpp"

namespace weft {

struct Explanation {
  std::vector<std::string> sentences;  ///< none if the trace shows no pattern that is known
  std::vector<std::uint32_t> cited;    ///< numbers of the rows that they name
};

/// Looks for: an update that overwrites another (read, write by someone else, write of what was made of the old value),
/// a read of an overwritten value (weak memory), something that was replaced twice, a task that nothing resumed, one
/// that had all the turns, waits in a circle, accesses that nothing orders.
Explanation explain(const Trace& trace, const Finding& finding);

}  // namespace weft
