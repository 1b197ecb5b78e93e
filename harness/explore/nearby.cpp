#include "explore/nearby.hpp"

#include <algorithm>
#include <tuple>

namespace weft {

NearbyExplorer::NearbyExplorer(const Schedule& schedule, const ScheduleChange& change, Model model,
                               std::size_t clock_width)
    : schedule_(schedule), change_(change), inner_(model, clock_width) {
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const std::size_t t = index(schedule.steps[i].thread);
    if (steps_of_.size() <= t) steps_of_.resize(t + 1);
    steps_of_[t].push_back(i);
  }
  done_.resize(steps_of_.size());
  inner_.follow(*this);
}

std::size_t NearbyExplorer::next_of(ThreadId t) const {
  if (index(t) >= steps_of_.size() || done_[index(t)] >= steps_of_[index(t)].size()) return kNone;
  return steps_of_[index(t)][done_[index(t)]];
}

std::optional<ThreadId> NearbyExplorer::choose_thread(std::span<const ReadyThread> ready) {
  const auto rank = [this](const ReadyThread& thread) {
    const std::size_t step = next_of(thread.thread);
    // One that could only begin to wait is worse than one that should wait: then the change cannot be made.
    return std::tuple(!inner_.can_go_on(thread), is_held(step), step, thread.thread != last_, index(thread.thread));
  };
  const auto best = std::min_element(ready.begin(), ready.end(),
                                     [&](const ReadyThread& a, const ReadyThread& b) { return rank(a) < rank(b); });
  return last_ = best->thread;
}

std::uint32_t NearbyExplorer::decide(DecisionKind kind, std::uint32_t options) {
  if (now_ == kNone) return 0;
  if (now_ == change_.step && change_.kind == ScheduleChange::Kind::source) return 0;
  if (now_ == change_.step && change_.kind == ScheduleChange::Kind::choice) return std::min(change_.value, options - 1);
  const std::uint32_t before = schedule_.steps[now_].choice;
  return kind == DecisionKind::choice && before >= options ? 0 : std::min(before, options - 1);
}

Step NearbyExplorer::extend(ThreadId t, LocationId l, const Operation& operation) {
  now_ = next_of(t);
  if (now_ != kNone) {
    const OperationKind before = schedule_.steps[now_].kind;
    const bool same =
        before == operation.kind || (before == OperationKind::read && operation.kind == OperationKind::rmw);
    if (same) {
      ++done_[index(t)];
    } else {
      done_[index(t)] = steps_of_[index(t)].size();
      now_ = kNone;
    }
  }
  if (now_ == change_.step) has_changed_ = change_.kind != ScheduleChange::Kind::order || other_done_;
  if (now_ == change_.other) other_done_ = true;
  return inner_.extend(t, l, operation);
}

}  // namespace weft
