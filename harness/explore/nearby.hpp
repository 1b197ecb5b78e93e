// One execution that differs from a given one in one thing: what would have happened if that had gone another way?
//
// Threads take their steps in the order in which the schedule has them, as far as they still do the same. What a change
// makes of a thread after that is up to the program: such steps come last, and read what is newest.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "explore/directed.hpp"
#include "explore/schedule.hpp"

namespace weft {

/// What is to go another way. Steps are those of the schedule, counted from 0.
struct ScheduleChange {
  enum class Kind : std::uint8_t {
    order,   ///< `step` comes after `other`, which is a later one of another thread
    source,  ///< `step`, a read, takes the newest write
    choice,  ///< `step`, a choose, takes `value`
  };
  Kind kind{};
  std::size_t step = 0;
  std::size_t other = 0;
  std::uint32_t value = 0;
};

class NearbyExplorer final : public Explorer, private Decisions {
 public:
  /// `schedule` must outlive this.
  NearbyExplorer(const Schedule& schedule, const ScheduleChange& change, Model model, std::size_t clock_width);

  bool next_execution() override { return !std::exchange(started_, true) && inner_.next_execution(); }
  const ExecutionGraph& graph() const override { return inner_.graph(); }
  bool lowest_thread_first() const override { return false; }
  std::optional<ThreadId> choose_thread(std::span<const ReadyThread> ready) override;
  bool resumes_spin(ThreadId) override { return true; }
  Step extend(ThreadId t, LocationId l, const Operation& operation) override;
  Step finish(ThreadId t, const Operation& operation, Value result) override {
    return inner_.finish(t, operation, result);
  }
  void execution_ended(Ending) override {}

  /// The run has done both steps of the change, as it was asked to.
  bool has_changed() const { return has_changed_; }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void begin() override {}
  std::uint32_t decide(DecisionKind kind, std::uint32_t options) override;
  /// The step of the schedule that the thread does next; kNone if it does something else by now.
  std::size_t next_of(ThreadId t) const;
  /// True if the thread stands before the step that has to wait.
  bool is_held(std::size_t step) const {
    return change_.kind == ScheduleChange::Kind::order && step == change_.step && !other_done_;
  }

  const Schedule& schedule_;
  ScheduleChange change_;
  DirectedExplorer inner_;
  std::vector<std::vector<std::size_t>> steps_of_;  // by thread
  std::vector<std::size_t> done_;                   // by thread: how many of them
  std::size_t now_ = kNone;                         // the step that is being done
  ThreadId last_{};
  bool started_ = false;
  bool other_done_ = false;
  bool has_changed_ = false;
};

}  // namespace weft
