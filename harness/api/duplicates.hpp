// Counts executions that an exploration meets twice: a check of the explorer on itself.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "runtime/execution.hpp"

namespace weft {

class DuplicateCounter {
 public:
  /// Remembers the execution's graph, by a 64-bit hash: two of n different graphs collide with probability n^2 / 2^65.
  void add(const Execution& execution) {
    if (!seen_.insert(hash(execution.graph())).second) ++count_;
  }
  std::uint64_t count() const { return count_; }
  void clear() {
    seen_.clear();
    count_ = 0;
  }

 private:
  static std::uint64_t hash(const ExecutionGraph& graph);

  std::unordered_set<std::uint64_t> seen_;
  std::uint64_t count_ = 0;
};

}  // namespace weft
