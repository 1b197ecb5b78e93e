// Racing plain accesses, performed as relaxed atomic operations: what a data race does, and what JavaScript does to a
// SharedArrayBuffer.
//
// A hook comes before the access. For a read the value is chosen and put in memory, where the compiled load then finds
// it. For a write the value is not known yet: it is taken from memory at the thread's next visible operation, which is
// before any other thread can run.
//
// g++ announces `a = b` of structures as a write of `a`, then a read of `b`, and only then copies; and where it calls
// memcpy or memset for that, these announce the write once more. Such a write comes after that read, and is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "detect/shadow.hpp"
#include "runtime/stack_frame.hpp"

namespace weft {

class Execution;
struct ExplorationMemory;

/// Memory whose plain accesses count as relaxed atomic ones in all runs of an exploration, because they raced.
class PromotedMemory {
 public:
  struct Range {
    std::uintptr_t begin = 0;
    std::size_t size = 0;
    StackFrame frame = {};  ///< on a stack: counts only while this call lasts
  };
  void add(const Range& range) { ranges_.push_back(range); }
  const std::vector<Range>& ranges() const { return ranges_; }

 private:
  std::vector<Range> ranges_;
};

/// Promotes the memory of a data race (address, size and frame of the finding). The exploration must then start again,
/// see Execution::request_restart(). False if it was promoted before.
bool promote(ExplorationMemory& memory, const PromotedMemory::Range& range);

namespace racy_memory {

/// Marks what the exploration has promoted. At the begin of a run, after shadow::begin_run().
void begin_run(Execution& execution);
/// Plain accesses of these bytes are relaxed operations for the rest of the run.
void mark(std::uintptr_t address, std::size_t size);

/// They are plain again, and the objects there have ended.
void unmark(std::uintptr_t address, std::size_t size);

/// The running thread is about to access `bytes` (a mask, of racy bytes only) of a cell.
void access(Execution& execution, AccessKind kind, std::uintptr_t cell_address, std::uint8_t bytes, const void* place);

/// True if a write is waiting to be taken from memory.
extern bool has_pending_writes;
/// Settles the pending writes before a plain access of the running thread: adds their events, or drops them if that access
/// is they, announced once more. True if it is a read that comes before them: then they wait for announce_again(), which
/// must follow the read.
bool comes_before_pending_writes(Execution& execution, AccessKind kind, std::uintptr_t address, std::size_t size,
                                 const void* place);
void announce_again(Execution& execution);

/// Adds the events of the pending writes. Must come before the running thread does anything visible or stops.
void add_pending_writes(Execution& execution);

}  // namespace racy_memory
}  // namespace weft
