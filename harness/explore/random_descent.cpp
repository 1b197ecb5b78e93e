#include "explore/random_descent.hpp"

namespace weft {

RandomDescent::RandomDescent(Model model, std::size_t clock_width, std::uint64_t seed)
    : model_(model), clock_width_(clock_width), random_(seed) {}

RandomDescent::~RandomDescent() = default;

void RandomDescent::begin() {
  tree_.emplace(model_, clock_width_);
  at_ = At::root;
  weight_ = 1;
}

bool RandomDescent::next_execution() {
  if (at_ == At::root) {
    at_ = At::run;
    return tree_->next_execution();
  }
  while (at_ == At::turn) {
    at_ = At::run;
    if (tree_->take_only(turn_)) {
      if (goes_on()) return true;
    } else if (const std::size_t ways = tree_->alternatives(); ways != 0) {
      weight_ *= static_cast<double>(ways);
      turn_ = random_() % ways;
      at_ = At::turn;
    } else {
      weight_ = 0;
    }
  }
  return false;
}

bool RandomDescent::goes_on() {
  const std::size_t others = tree_->alternatives();
  if (others == 0) return true;
  weight_ *= static_cast<double>(others + 1);
  turn_ = random_() % (others + 1);
  if (turn_ == others) {
    tree_->forget_alternatives();
    return true;
  }
  at_ = At::turn;
  return false;
}

Step RandomDescent::extend(ThreadId t, LocationId l, const Operation& operation) {
  Step step = tree_->extend(t, l, operation);
  if (!goes_on()) step.status = Step::Status::inconsistent;
  return step;
}

Step RandomDescent::finish(ThreadId t, const Operation& operation, Value result) {
  Step step = tree_->finish(t, operation, result);
  if (!goes_on()) step.status = Step::Status::inconsistent;
  return step;
}

}  // namespace weft
