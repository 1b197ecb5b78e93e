#include "runtime/unsupported.hpp"

#include <string>
#include <utility>

#include "runtime/execution.hpp"

namespace weft {

void refuse(std::string message, const void* place) {
  if (Execution* const execution = Execution::current()) refuse(*execution, std::move(message), place);
}

void refuse(Execution& execution, std::string message, const void* place) {
  {
    const Execution::Outside outside;
    const Execution::Thread& t = execution.running();
    execution.report(
        {.kind = FindingKind::unsupported,
         .message = std::move(message),  // nothing that outlives this block: a stopped thread is never unwound
         .sites = {{.thread = t.id, .events_before = t.position, .place = place, .what = "this operation"}}});
  }
  execution.halt_thread();
}

void refuse_wide_atomic(std::size_t size, const void* place) {
  if (Execution::current() == nullptr) return;
  std::string message;
  {
    const Execution::Outside outside;
    message = size <= 8 ? "atomic operation on an object of " + std::to_string(size) +
                              " bytes that is misaligned, or has a size that is no power of two: align it, or guard it "
                              "with a mutex"
                        : "atomic operation of " + std::to_string(size) +
                              " bytes: Weft explores atomic objects of up to 8 bytes; guard the object with a mutex, "
                              "or pack it into 8 bytes";
  }
  refuse(std::move(message), place);
}

}  // namespace weft
