// Replay: runs the one execution that a schedule describes, and says where the program no longer fits it.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "explore/explorer.hpp"
#include "explore/schedule.hpp"

namespace weft {

/// Where a replay left its schedule.
struct Divergence {
  enum class Why : std::uint8_t {
    other_operation,  ///< the thread does something else
    not_ready,        ///< the thread waits, has ended, or does not exist
    impossible,       ///< the model does not allow what the step asks for
    goes_on,          ///< the schedule has ended, a thread has not
  };
  Why why{};
  std::size_t step = 0;  ///< in the schedule, from 0
  ThreadId thread{};
  std::size_t operation = 0;                ///< of that thread, from 1
  std::optional<OperationKind> expected{};  ///< nothing: the schedule has ended
  std::optional<OperationKind> got{};       ///< nothing: the thread is not ready
  LocationKey location{};                   ///< of what it got
};

class ReplayExplorer final : public Explorer {
 public:
  /// `schedule` must outlive this.
  ReplayExplorer(const Schedule& schedule, Model model, std::size_t clock_width)
      : schedule_(schedule), model_(model), graph_(clock_width) {}

  bool next_execution() override { return !std::exchange(started_, true); }
  const ExecutionGraph& graph() const override { return graph_; }
  bool lowest_thread_first() const override { return false; }
  std::optional<ThreadId> choose_thread(std::span<const ReadyThread> ready) override;
  bool resumes_spin(ThreadId t) override {
    return next_ < schedule_.steps.size() && schedule_.steps[next_].thread == t;
  }
  Step extend(ThreadId t, LocationId l, const Operation& operation) override;
  Step finish(ThreadId t, const Operation& operation, Value result) override;
  void execution_ended(Ending ending) override;

  const std::optional<Divergence>& divergence() const { return divergence_; }

 private:
  Step add_read(ThreadId t, LocationId l, const Operation& operation, std::uint32_t choice);
  Step add_write(ThreadId t, LocationId l, const Operation& operation, std::uint32_t choice);
  std::size_t floor_for(ThreadId t, LocationId l);
  bool seq_cst_consistent() const;
  Step impossible(const Operation& operation);
  void diverge(Divergence::Why why, ThreadId t, std::optional<OperationKind> got, LocationKey location);

  const Schedule& schedule_;
  Model model_;
  ExecutionGraph graph_;
  bool started_ = false;
  std::size_t next_ = 0;
  std::vector<ClockTick> past_;
  std::optional<Divergence> divergence_;
};

}  // namespace weft
