// An exploration: runs a body under an explorer until nothing is left, starting again when the exploration's memory grew.
#pragma once

#include <functional>

#include "explore/explorer.hpp"
#include "runtime/execution.hpp"
#include "weft/weft.hpp"

namespace weft {

/// What an exploration counted.
struct ExplorationCounts {
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  std::uint64_t deadlocks = 0;
  std::uint64_t failed = 0;
  std::uint64_t runs = 0;  ///< of the body, those included that came to nothing or count elsewhere
  bool last_run_counts = true;  ///< false if the run that has ended counts elsewhere (Explorer::run_counts)
  bool nothing_left = false;    ///< the explorer came to its end
};

/// Told about every run. Return false from run_ended() to stop the exploration.
class ExplorationObserver {
 public:
  virtual ~ExplorationObserver() = default;
  /// The exploration starts from nothing (again); counts are zero.
  virtual void started() {}
  virtual bool run_ended(const Execution& execution, Ending ending, const ExplorationCounts& counts) = 0;
};

/// Makes a fresh explorer for a clock width; called once per start.
using MakeExplorer = std::function<std::unique_ptr<Explorer>(std::size_t clock_width)>;

/// Runs `body` under explorers from `make` until one says that nothing is left, or `observer` stops it. Thread-safety: as weft::explore.
ExplorationCounts run_exploration(const std::function<void()>& body, const MakeExplorer& make, Execution& execution,
                                  ExplorationObserver& observer);

}  // namespace weft
