// Brute force: every choice of thread, of reads-from and of coherence position, with graphs met before left out. The
// oracle for ExhaustiveExplorer.
//
// Knows nothing of the optimal algorithm or of incremental consistency: it tries everything and keeps what
// satisfies_axioms() lets pass. One run per graph, and every prefix of every execution is a graph: for small programs
// only.
#pragma once

#include <unordered_set>
#include <vector>

#include "explore/explorer.hpp"
#include "graph/canonical_key.hpp"

namespace weft {

/// Every distinct complete execution and every distinct deadlock ends exactly one run; the runs that end as
/// inconsistent are those of proper prefixes.
class BruteForceExplorer final : public Explorer {
 public:
  BruteForceExplorer(Model model, std::size_t clock_width);

  bool next_execution() override;
  const ExecutionGraph& graph() const override { return current_; }
  bool lowest_thread_first() const override { return false; }
  std::optional<ThreadId> choose_thread(std::span<const ReadyThread> ready) override;
  Step extend(ThreadId t, LocationId l, const Operation& operation) override;
  Step finish(ThreadId t, const Operation& operation, Value result) override;
  void execution_ended(Ending) override {}

  /// How many graphs were found so far, prefixes included.
  std::size_t graphs() const { return seen_.size(); }

 private:
  bool is_held(LocationId mutex) const;
  void add_successors(const ReadyThread& thread);
  void add_reads(const ReadyThread& thread, std::size_t lowest_position);
  void offer(ExecutionGraph&& graph);

  Model model_;
  ExecutionGraph current_;
  std::vector<ExecutionGraph> pending_;
  std::unordered_set<CanonicalKey> seen_;
};

}  // namespace weft
