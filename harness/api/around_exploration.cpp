#include "api/around_exploration.hpp"

#include "api/warm_up.hpp"
#include "runtime/execution.hpp"
#include "weft/weft.hpp"

namespace weft::detail {
namespace {

void (*exploration_hook)(bool begins) = nullptr;

}  // namespace

void set_exploration_hook(void (*hook)(bool begins)) { exploration_hook = hook; }

AroundExploration::AroundExploration() {
  warm_up_libraries();
  if (exploration_hook != nullptr) exploration_hook(true);
}
AroundExploration::~AroundExploration() {
  if (exploration_hook != nullptr) exploration_hook(false);
}

}  // namespace weft::detail
