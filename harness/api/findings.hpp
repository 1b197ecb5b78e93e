// Gathers what the runs of an exploration found, each different finding once.
#pragma once

#include <string>
#include <vector>

#include "runtime/execution.hpp"
#include "weft/weft.hpp"

namespace weft {

class FindingCollector {
 public:
  explicit FindingCollector(Execution& execution) : execution_(execution) {}

  /// Adds to the findings of the run that has just ended: who waits for what.
  void add_deadlock();
  /// Adds a warning for each thread that was neither joined nor detached.
  void add_unjoined_threads();
  /// Takes over the findings of the run that has just ended; true if there was a bug among them that is new.
  bool collect(std::uint64_t run);

  bool has_bug() const;
  std::vector<FindingReport> take() { return std::move(reports_); }

 private:
  std::string describe_wait(const Execution::Thread& thread) const;

  Execution& execution_;
  std::vector<FindingReport> reports_;
};

}  // namespace weft
