// Counts executions that an exploration meets twice: a check of the explorer on itself.
#pragma once

#include <cstdint>
#include <set>

#include "graph/canonical_key.hpp"
#include "runtime/execution.hpp"

namespace weft {

class DuplicateCounter {
 public:
  /// Remembers a complete execution; of others, the graph may leave out what only a longer run would tell apart.
  void add(const Execution& execution) {
    if (!seen_.insert(digest(execution.graph())).second) ++count_;
  }
  std::uint64_t count() const { return count_; }
  void clear() {
    seen_.clear();
    count_ = 0;
  }

 private:
  std::set<GraphDigest> seen_;
  std::uint64_t count_ = 0;
};

}  // namespace weft
