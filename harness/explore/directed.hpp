// One execution at a time, built as decisions from outside say: what a fuzzer's bytes and the sampling strategies are
// run by.
//
// Any decisions build a consistent execution of the model, and every execution is built by some. Steps that nothing
// else can get in between (unlock, receive, join, choose, ...) are taken at once and ask for no decision; a thread that
// could only wait (for a lock that is held, a value that is not there) is not chosen while another can go on, so that
// few runs end in a wait that the exploration has no use for.
#pragma once

#include <vector>

#include "explore/decisions.hpp"
#include "explore/explorer.hpp"

namespace weft {

class DirectedExplorer final : public Explorer {
 public:
  /// What becomes of a thread that was caught in a spin loop when what the loop reads has changed.
  enum class Spinning : std::uint8_t {
    goes_on,  ///< no other run will come along in which it came to the loop later
    stays,    ///< for the rest of the run, as in an exhaustive exploration: the executions are the same then
  };
  DirectedExplorer(Model model, std::size_t clock_width, Spinning spinning = Spinning::goes_on);
  ~DirectedExplorer() override;  // not inline: the engine keeps its vtables to itself
  /// Who decides from the next run on. Must be called before the first, and outlive the runs.
  void follow(Decisions& decisions) { decisions_ = &decisions; }

  /// Never ends: each call begins one more run, with the decisions from their begin.
  bool next_execution() override;
  const ExecutionGraph& graph() const override { return graph_; }
  bool lowest_thread_first() const override { return false; }
  std::optional<ThreadId> choose_thread(std::span<const ReadyThread> ready) override;
  bool resumes_spin(ThreadId) override { return spinning_ == Spinning::goes_on; }
  Step extend(ThreadId t, LocationId l, const Operation& operation) override;
  Step finish(ThreadId t, const Operation& operation, Value result) override;
  void execution_ended(Ending) override {}

  /// False if all that the thread could do now is to begin to wait.
  bool can_go_on(const ReadyThread& thread);
  /// The code address of each event of the run.
  std::span<const void* const> places() const { return places_; }
  /// True if the order of seq_cst operations forbade some way that was decided for in this run: it took another.
  bool overruled() const { return overruled_; }

 private:
  std::uint32_t decide_between(DecisionKind kind, std::size_t options);
  std::size_t lowest_source(ThreadId t, LocationId l) const;
  Step add_read(ThreadId t, LocationId l, const Operation& operation);
  void add_write(ThreadId t, LocationId l, const Operation& operation);
  bool seq_cst_consistent() const;

  Model model_;
  Spinning spinning_;
  ExecutionGraph graph_;
  bool overruled_ = false;
  Decisions* decisions_ = nullptr;
  ThreadId last_{};
  std::vector<ReadyThread> candidates_;
  std::vector<std::size_t> places_to_take_;  // coherence positions, scratch
  std::vector<const void*> places_;
};

}  // namespace weft
