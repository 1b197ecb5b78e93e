// Mutexes, condition variables, semaphores and the like are memory, too: to use one that has been freed, or while
// another thread makes or ends it, is the same error as for any other object.
//
// A use counts as a read of the object's first byte: it conflicts with construction, destruction and free, and never
// with another use. It is announced before the operation, so whoever learns of the operation (who locks after this
// unlock, say) has it before himself, and may end the object at once: POSIX allows to destroy a mutex as soon as it is
// unlocked.
#pragma once

#include "runtime/memory_access.hpp"

namespace weft {

/// The running thread is about to use the object; does not come back if that is a finding.
inline void use_object(Execution& execution, const volatile void* object, const void* place) {
  plain_access(execution, AccessKind::read, object, 1, place);
}

/// It is about to end the object's life, or to begin it.
template <class Object>
void write_object(Execution& execution, const volatile Object* object, const void* place) {
  plain_access(execution, AccessKind::write, object, sizeof *object, place);
}

}  // namespace weft
