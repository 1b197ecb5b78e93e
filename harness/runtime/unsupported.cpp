#include "runtime/unsupported.hpp"

#include "runtime/execution.hpp"

namespace weft {

void refuse(const std::string& message, const void* place) {
  if (Execution* const execution = Execution::current()) refuse(*execution, message, place);
}

void refuse(Execution& execution, const std::string& message, const void* place) {
  {
    const Execution::Outside outside;
    const Execution::Thread& t = execution.running();
    execution.report(
        {.kind = FindingKind::unsupported,
         .message = message,
         .sites = {{.thread = t.id, .events_before = t.position, .place = place, .what = "this operation"}}});
  }
  execution.halt_thread();
}

void refuse_wide_atomic(const volatile void*, const void* place) {
  if (Execution::current() == nullptr) return;
  refuse(
      "atomic operation of 16 bytes: Weft explores atomic objects of up to 8 bytes; guard the object with a mutex, or "
      "pack it into 8 bytes",
      place);
}

}  // namespace weft
