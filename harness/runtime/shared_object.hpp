// The states of weft::shared<T> objects in one run; see weft/shared.hpp.
#pragma once

namespace weft::shared_objects {

/// Destroys the states that the last run kept. Called between runs.
void forget_states();

}  // namespace weft::shared_objects
