#include "explore/minimise.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>
#include <utility>

#include "explore/linearize.hpp"

namespace weft {
namespace {

using DecisionList = std::vector<TakenDecision>;

constexpr std::size_t kMostStepsOfStates = 1'000'000;  // enough for the fewest switches of some hundred steps
constexpr std::size_t kSlides = 4;     // stretches of this length begin anywhere, longer ones behind each other
constexpr std::size_t kPartners = 16;  // of an unusual decision: later ones that become usual together with it

constexpr bool is_of_memory(DecisionKind kind) {
  return kind == DecisionKind::source || kind == DecisionKind::position;
}

/// Without the usual decisions at the end, which are taken anyway.
DecisionList trimmed(DecisionList decisions) {
  while (!decisions.empty() && decisions.back().taken == 0) decisions.pop_back();
  return decisions;
}

std::vector<std::uint32_t> values_of(const DecisionList& decisions) {
  std::vector<std::uint32_t> values;
  for (const TakenDecision& decision : decisions) values.push_back(decision.taken);
  return values;
}

class Minimiser {
 public:
  Minimiser(FailingRun start, const TryDecisions& attempt, std::uint64_t most_work)
      : attempt_(attempt), work_left_(most_work), best_(std::move(start)) {
    take_over();
  }

  MinimisedRun run() {
    bool any = true;
    while (any && work_left_ != 0) any = one_round();
    return {std::move(best_), work_left_ != 0};
  }

 private:
  /// How simple the decisions are, where executions are of one size.
  using Simplicity = std::tuple<std::size_t, std::size_t, std::vector<std::uint32_t>>;

  static std::size_t weak_ways(const DecisionList& decisions) {
    return static_cast<std::size_t>(
        std::ranges::count_if(decisions, [](const TakenDecision& d) { return is_of_memory(d.kind) && d.taken != 0; }));
  }
  static Simplicity simplicity(const DecisionList& decisions) {
    const auto unusual = std::ranges::count_if(decisions, [](const TakenDecision& d) { return d.taken != 0; });
    return {static_cast<std::size_t>(unusual), decisions.size(), values_of(decisions)};
  }

  void take_over() { current_ = trimmed(best_.taken); }

  bool is_smaller(const FailingRun& run) const {
    const DecisionList decisions = trimmed(run.taken);
    const std::size_t weak = weak_ways(decisions);
    const std::size_t weak_now = weak_ways(current_);
    if (run.steps > best_.steps || run.switches > best_.switches || weak > weak_now) return false;
    if (run.steps < best_.steps || run.switches < best_.switches || weak < weak_now) return true;
    return simplicity(decisions) < simplicity(current_);
  }

  /// True if the change was kept.
  bool keep_if_smaller(DecisionList changed) {
    changed = trimmed(std::move(changed));
    if (changed == current_ || work_left_ == 0 || !tried_.insert(bytes_of(changed)).second) return false;
    Attempt attempt = attempt_(changed);
    work_left_ -= std::min(work_left_, attempt.work);
    if (!attempt.shown || !is_smaller(*attempt.shown)) return false;
    best_ = std::move(*attempt.shown);
    take_over();
    return true;
  }

  bool one_round() {
    bool any = false;
    for (std::size_t length = std::bit_floor(current_.size()); length != 0; length /= 2) any = stretches(length) || any;
    any = single_decisions() || any;
    return pairs() || any;
  }

  bool stretches(std::size_t length) {
    bool any = false;
    for (std::size_t at = 0; at < current_.size();) {
      const bool kept = make_usual(at, length) || leave_out(at, length);
      any = any || kept;
      if (!kept) at += length <= kSlides ? 1 : length;  // else what is there now is something else
    }
    return any;
  }

  /// Away and back again: of two switches, one alone may be of no use to anybody.
  bool pairs() {
    const auto next_unusual = [&](std::size_t from) {
      while (from < current_.size() && current_[from].taken == 0) ++from;
      return from;
    };
    bool any = false;
    for (std::size_t one = next_unusual(0); one < current_.size(); one = next_unusual(one + 1)) {
      std::size_t other = next_unusual(one + 1);
      for (std::size_t tried = 0; other < current_.size() && tried < kPartners; ++tried) {
        if (stay(one, other) || come_back_at_once(one, other)) {
          any = true;
          if (current_.size() <= one || current_[one].taken == 0) break;
          other = one;
        }
        other = next_unusual(other + 1);
      }
    }
    return any;
  }

  bool stay(std::size_t one, std::size_t other) {
    DecisionList changed = current_;
    changed[one].taken = changed[other].taken = 0;
    return keep_if_smaller(std::move(changed));
  }

  /// What was decided while another thread went on is of no use when it does not.
  bool come_back_at_once(std::size_t one, std::size_t other) {
    DecisionList changed = current_;
    changed[other].taken = 0;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(one),
                  changed.begin() + static_cast<std::ptrdiff_t>(other));
    return keep_if_smaller(std::move(changed));
  }

  bool make_usual(std::size_t at, std::size_t length) {
    DecisionList changed = current_;
    for (std::size_t i = at; i < std::min(at + length, changed.size()); ++i) changed[i].taken = 0;
    return keep_if_smaller(std::move(changed));
  }

  bool leave_out(std::size_t at, std::size_t length) {
    DecisionList changed = current_;
    const auto from = changed.begin() + static_cast<std::ptrdiff_t>(at);
    changed.erase(from, from + static_cast<std::ptrdiff_t>(std::min(length, changed.size() - at)));
    return keep_if_smaller(std::move(changed));
  }

  bool single_decisions() {
    bool any = false;
    for (std::size_t at = 0; at < current_.size();) {
      const bool kept = take_less(at) || come_later(at);
      any = any || kept;
      if (!kept) ++at;
    }
    return any;
  }

  bool take_less(std::size_t at) {
    const std::uint32_t taken = current_[at].taken;
    for (const std::uint32_t less : {std::uint32_t{1}, taken / 2, taken - 1}) {
      if (taken == 0 || less == 0 || less >= taken) continue;
      DecisionList changed = current_;
      changed[at].taken = less;
      if (keep_if_smaller(std::move(changed))) return true;
    }
    return false;
  }

  /// A preemption, or what else is unusual, one decision later.
  bool come_later(std::size_t at) {
    if (current_[at].taken == 0) return false;
    DecisionList changed = current_;
    if (at + 1 == changed.size()) changed.push_back({changed[at].kind, changed[at].options, 0});
    if (changed[at + 1].taken != 0) return false;
    std::swap(changed[at], changed[at + 1]);
    return keep_if_smaller(std::move(changed));
  }

  const TryDecisions& attempt_;
  std::uint64_t work_left_;
  FailingRun best_;
  DecisionList current_;
  std::set<std::vector<std::uint8_t>> tried_;
};

}  // namespace

void measure(const ExecutionGraph& graph, FailingRun& run) {
  // What a report takes to find the fewest switches of a long execution is too much for each of many tries.
  const std::size_t most_states = std::clamp<std::size_t>(kMostStepsOfStates / (graph.size() + 1), 50, 20'000);
  const Linearization line = linearize(graph, most_states);
  run.steps = line.order.size();
  run.switches = line.switches;
}

MinimisedRun minimise(FailingRun start, const TryDecisions& attempt, std::uint64_t most_work) {
  return Minimiser(std::move(start), attempt, most_work).run();
}

}  // namespace weft
