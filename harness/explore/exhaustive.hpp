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

/// One part of the search tree. Runs of more than a certain weight are made for all parts, and count for one; of the
/// subtrees below them, each belongs to one part. Which one depends on the tree alone.
struct SearchPart {
  std::uint32_t number = 1;  ///< from 1
  std::uint32_t of = 1;
};

class ExhaustiveExplorer final : public Explorer {
 public:
  ExhaustiveExplorer(Model model, std::size_t clock_width, SearchPart part = {});

  bool next_execution() override;
  /// False if the run is made for other parts of the search, and counts for one of these.
  bool run_counts() const override { return run_counts_; }
  const ExecutionGraph& graph() const override { return subtrees_.back()->graph; }
  Step extend(ThreadId t, LocationId l, const Operation& operation) override;
  Step finish(ThreadId t, const Operation& operation, Value result) override;
  void execution_ended(Ending ending) override;

  /// A lower bound on the part of the search that is done, 0 to 1: the mass of finished subtrees, each run's mass being
  /// shared evenly with the alternatives that it leaves. It never falls.
  double fraction_done() const { return done_; }

  // --- for one way down the tree, in place of all of it; see random_descent.hpp ---
  /// How many other ways than the one that was taken the current subtree has left.
  std::size_t alternatives() const { return subtrees_.back()->alternatives.size(); }
  void forget_alternatives() { subtrees_.back()->alternatives.clear(); }
  /// Takes the i-th of them and forgets the others. False if no run can follow, only what it leaves in turn.
  bool take_only(std::size_t i);

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
    WriteRole role = WriteRole::plain;  ///< overtake: of the write part
    bool is_ours = false;               ///< set when the run that left it ends: in a subtree that this part has
    EventId at = kNoEvent;
    EventId event = kNoEvent;
    Value value = 0;  ///< overtake: what the RMW writes
    double mass = 0;  ///< set when the run that left it ends
  };
  struct Subtree {
    explicit Subtree(std::size_t clock_width) : graph(clock_width) {}
    ExecutionGraph graph;
    std::vector<Alternative> alternatives;
  };

  ExecutionGraph& current() { return subtrees_.back()->graph; }
  void leave(Alternative alternative) { subtrees_.back()->alternatives.push_back(alternative); }
  /// Whether this part of the search has anything to do with it. Must be called once for each, when its turn comes.
  bool concerns_us(const Alternative& alternative);
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
  SearchPart part_;
  double shared_mass_;  // runs of more than that are made for all parts
  bool is_ours_;        // the current run, and all that it leaves
  bool run_counts_ = true;
  std::uint64_t shared_runs_ = 0;
  std::uint64_t dealt_ = 0;  // subtrees
};

}  // namespace weft
