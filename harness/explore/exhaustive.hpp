// Exhaustive exploration: every consistent execution graph exactly once.
//
// The algorithm is TruSt ("Truly stateless, optimal dynamic partial order reduction", Kokologiannakis, Marmanis, Gladstein,
// Vafeiadis, POPL 2022). A run always adds events in the maximal way (reads take the newest write, writes go last in coherence
// order) and leaves the other ways on a stack. A new write is also offered to earlier reads of its location (a backward
// revisit); that opens a smaller copy of the graph with a stack of its own, if every event that the revisit would delete
// was itself added maximally, which is what makes each graph reachable in one way only.
#pragma once

#include <memory>
#include <vector>

#include "explore/explorer.hpp"

namespace weft {

class ExhaustiveExplorer final : public Explorer {
 public:
  ExhaustiveExplorer(Model model, std::size_t clock_width);

  bool next_execution() override;
  const ExecutionGraph& graph() const override { return subtrees_.back()->graph; }
  Step extend(ThreadId t, LocationId l, const Operation& operation) override;
  Step finish(ThreadId t, const Operation& operation, Value result) override;
  void execution_ended(Ending ending) override;

  /// A lower bound on the part of the search that is done, 0 to 1: the mass of finished subtrees, each run's mass being
  /// shared evenly with the alternatives that it leaves. It never falls.
  double fraction_done() const { return done_; }

 private:
  /// Another way to go on from a graph cut back to stamp `at`.
  struct Alternative {
    enum class Kind : std::uint8_t {
      source,    ///< read `at` reads from `event`
      position,  ///< write `at` goes to coherence position `value`
      choice,    ///< choose `at` takes `value`
      revisit,   ///< the earlier read `event` reads from write `at`
      overtake,  ///< RMW read `at` reads from `event`, which another RMW has read: only a revisit of that one can follow
    };
    Kind kind;
    EventId at = kNoEvent;
    EventId event = kNoEvent;
    Value value = 0;                    ///< overtake: what the RMW writes
    WriteRole role = WriteRole::plain;  ///< overtake: of the write part
    double mass = 0;  ///< set when the run that left it ends
  };
  struct Subtree {
    explicit Subtree(std::size_t clock_width) : graph(clock_width) {}
    ExecutionGraph graph;
    std::vector<Alternative> alternatives;
  };

  ExecutionGraph& current() { return subtrees_.back()->graph; }
  void leave(Alternative alternative) { subtrees_.back()->alternatives.push_back(alternative); }
  bool take(const Alternative& alternative);
  bool take_revisit(EventId write, EventId read);
  void leave_revisits(EventId write);
  bool added_maximally(const ExecutionGraph& graph, EventId e, EventId write, ClockView prefix) const;
  Step add_read(ThreadId t, LocationId l, const Operation& operation);
  Step add_write_part(EventId read, WriteRole role, Value result);
  void add_write(ThreadId t, LocationId l, const Operation& operation);
  /// Lowest coherence position that the model leaves to the next access of `t` at `l`, past what happens-before alone leaves.
  std::size_t floor_for(ThreadId t, LocationId l);
  bool seq_cst_consistent();
  ExecutionGraph& open_subtree();
  void close_subtree();

  Model model_;
  std::size_t clock_width_;
  bool started_ = false;
  std::vector<std::unique_ptr<Subtree>> subtrees_;
  std::vector<std::unique_ptr<Subtree>> spare_;
  std::vector<ClockTick> past_;
  std::size_t run_began_with_ = 0;  // alternatives of the current subtree that the current run did not leave
  double mass_ = 1;                 // of the current run
  double done_ = 0;
};

}  // namespace weft
