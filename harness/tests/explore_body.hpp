// Explores a callable for tests of the runtime and the detectors: no reports, just counts and findings as they were
// made.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "explore/exhaustive.hpp"
#include "runtime/exploration.hpp"
#include "runtime/racy_memory.hpp"

namespace weft::testing {

struct Explored {
  ExplorationCounts counts;
  std::vector<Finding> findings;  ///< different ones, by kind and message

  bool found(FindingKind kind, const std::string& text = "") const {
    for (const Finding& finding : findings) {
      if (finding.kind == kind && finding.message.find(text) != std::string::npos) return true;
    }
    return false;
  }
};

struct ExploreOptions {
  Model model = Model::rc11;
  bool promote_races = false;
  bool detect_leaks = true;
};

/// What the body wants to keep beyond its execution, such as the values that it saw.
template <class T>
void record(std::multiset<T>& into, const T& value) {
  const Execution::Outside outside;
  into.insert(value);
}

class FindingsObserver final : public ExplorationObserver {
 public:
  FindingsObserver(Execution& execution, const ExploreOptions& options) : execution_(execution), options_(options) {}

  bool run_ended(const Execution&, Ending, const ExplorationCounts&) override {
    for (const Finding& finding : execution_.findings()) {
      if (options_.promote_races && finding.kind == FindingKind::data_race &&
          promote(execution_.memory(), finding.address, finding.size)) {
        execution_.request_restart();
      }
      Explored all{{}, found_};
      if (!all.found(finding.kind, finding.message)) found_.push_back(finding);
    }
    return true;
  }
  std::vector<Finding> take() { return std::move(found_); }

 private:
  Execution& execution_;
  const ExploreOptions& options_;
  std::vector<Finding> found_;
};

/// `started` is called at each start of the exploration; what the body recorded before is void then.
inline Explored explore_body(const std::function<void()>& body, const ExploreOptions& options = {},
                             const std::function<void()>& started = {}) {
  ExplorationMemory memory;
  Execution execution(memory);
  execution.set_detect_leaks(options.detect_leaks);
  FindingsObserver observer(execution, options);
  const MakeExplorer make = [&](std::size_t width) {
    if (started) started();
    return std::make_unique<ExhaustiveExplorer>(options.model, width);
  };
  Explored result;
  result.counts = run_exploration(body, make, execution, observer);
  result.findings = observer.take();
  return result;
}

}  // namespace weft::testing
