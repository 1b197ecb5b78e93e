#include "runtime/stack_frame.hpp"

#include <link.h>
#include <unwind.h>

#include <cstring>

#include "runtime/arena.hpp"
#include "runtime/execution.hpp"

namespace weft {
namespace {

constexpr int kFramePointer = 6;  // DWARF's number of rbp on x86-64

struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t size = 0;
};

CodeRange find_executable() {
  CodeRange range;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        auto& found = *static_cast<CodeRange*>(result);
        found.begin = info->dlpi_addr;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& header = info->dlpi_phdr[i];
          if (header.p_type == PT_LOAD && found.size < header.p_vaddr + header.p_memsz)
            found.size = header.p_vaddr + header.p_memsz;
        }
        return 1;  // the first object is the executable
      },
      &range);
  return range;
}

std::uintptr_t call_site(std::uintptr_t return_address) {
  static constinit CodeRange executable;
  if (executable.size == 0) executable = find_executable();
  return return_address - executable.begin < executable.size ? return_address : 0;
}

struct Search {
  std::uintptr_t address;
  std::uintptr_t callee;        // frame pointer of the frame visited last
  std::uintptr_t callee_place;  // where that one is
  StackFrame found;
  std::uintptr_t found_place;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* frame, void* data) {
  auto& search = *static_cast<Search*>(data);
  // What the unwinder calls the CFA of this context is the stack pointer that the function will have when its callee
  // has returned: where the callee's frame ends.
  if (_Unwind_GetCFA(frame) > search.address) {
    search.found = {search.callee, call_site(_Unwind_GetIP(frame))};
    search.found_place = search.callee_place;
    return _URC_END_OF_STACK;  // any code but NO_REASON ends the walk
  }
  search.callee = _Unwind_GetGR(frame, kFramePointer);
  search.callee_place = _Unwind_GetIP(frame);
  return _URC_NO_REASON;
}

void walk_stack(void* search) { _Unwind_Backtrace(visit_frame, search); }

Search search_for(Execution& execution, std::uintptr_t address) {
  Search search{.address = address, .callee = 0, .callee_place = 0, .found = {}, .found_place = 0};
  if (!arena::contains(address)) return search;
  const ThreadId owner = arena::owner(address);
  if (address < arena::stack_top(owner) - arena::kStackSize || address >= arena::stack_top(owner)) return search;
  if (!execution.call_on_stack_of(owner, walk_stack, &search)) search.found = {};
  return search;
}

}  // namespace

StackFrame stack_frame_of(Execution& execution, std::uintptr_t address) { return search_for(execution, address).found; }

std::optional<ActiveCall> active_call_of(Execution& execution, std::uintptr_t address) {
  const Search search = search_for(execution, address);
  if (!search.found || search.found_place == 0) return std::nullopt;
  return ActiveCall{search.found.frame_pointer, reinterpret_cast<const void*>(search.found_place)};
}

StackFrame stack_frame_at(std::uintptr_t frame_pointer) {
  std::uintptr_t return_address = 0;
  std::memcpy(&return_address, reinterpret_cast<const void*>(frame_pointer + sizeof(void*)), sizeof return_address);
  return {frame_pointer, call_site(return_address)};
}

}  // namespace weft
