#include "runtime/waiting.hpp"

#include "runtime/mutex.hpp"
#include "runtime/object_words.hpp"
#include "runtime/rwlock.hpp"

namespace weft {

WaitDescription describe_wait(Execution& execution, ThreadId t) {
  const Waiting& waiting = thread_record(execution, t).waiting;
  WaitDescription description;
  description.place = waiting.place;
  const auto object = [&](const char* kind) { return describe_object(execution.memory(), kind, waiting.object); };
  switch (waiting.kind) {
    case WaitKind::nothing:
      break;
    case WaitKind::mutex:
      description.what = "lock " + object("mutex");
      if (const MutexHolder* const holder = mutex_holder(execution, waiting.object);
          holder != nullptr && holder->depth != 0) {
        description.held_by = holder->owner;
        description.held_place = holder->place;
        description.held_since = holder->since;
      }
      break;
    case WaitKind::read_lock:
    case WaitKind::write_lock:
      description.what =
          "lock " + object("rwlock") + (waiting.kind == WaitKind::read_lock ? " for reading" : " for writing");
      description.held_by = rwlock_writer(execution, waiting.object);
      break;
    case WaitKind::spin_lock:
      description.what = "lock " + object("spin lock");
      break;
    case WaitKind::condition:
      description.what = "be notified of " + object("condition variable");
      break;
    case WaitKind::semaphore:
      description.what = "take from " + object("semaphore");
      break;
    case WaitKind::barrier:
      description.what = "pass " + object("barrier");
      break;
    case WaitKind::once:
      description.what = "see " + object("a call_once") + " done";
      break;
    case WaitKind::futex:
      description.what = "be notified of " + object("atomic");
      break;
    case WaitKind::message: {
      const std::string name = execution.memory().objects.find(waiting.object);
      const bool of_model = execution.memory().objects.hides_steps(waiting.object);
      description.what = (of_model ? "be woken by " : "get a message from ") + (name.empty() ? "a channel" : name);
      break;
    }
    case WaitKind::state:
      description.what = "find what it waits for in " + object("a shared object");
      break;
    case WaitKind::join:
      description.held_by = ThreadId{static_cast<std::uint16_t>(waiting.object)};
      description.what = "join thread " + std::to_string(waiting.object);
      break;
  }
  return description;
}

}  // namespace weft
