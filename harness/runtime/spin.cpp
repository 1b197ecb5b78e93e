#include "runtime/spin.hpp"

#include <unwind.h>

#include <cstring>
#include <utility>

namespace weft {
namespace {

// DWARF numbers of the registers that a callee must preserve on x86-64: rbx, rbp, r12 to r15.
constexpr std::array<int, 6> kPreservedRegisters{3, 6, 12, 13, 14, 15};

struct Search {
  std::uintptr_t place;
  std::uintptr_t stack_pointer = 0;
  std::array<std::uintptr_t, 6>* registers;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* frame, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (_Unwind_GetIP(frame) != search.place) return _URC_NO_REASON;
  search.stack_pointer = _Unwind_GetCFA(frame);
  for (std::size_t i = 0; i < kPreservedRegisters.size(); ++i) {
    (*search.registers)[i] = _Unwind_GetGR(frame, kPreservedRegisters[i]);
  }
  return _URC_END_OF_STACK;  // any code but NO_REASON ends the walk
}

}  // namespace

bool SpinHistory::repeats(const void* place, LocationKey location, EventId source) {
  for (std::size_t i = 0; i < recent_count_; ++i) {
    if (recent_[i].place == place && recent_[i].location == location) {
      return std::exchange(recent_[i].source, source) == source;
    }
  }
  if (recent_count_ < kReads) recent_[recent_count_++] = {place, location, source};
  return false;
}

bool SpinHistory::capture(const void* place, std::uintptr_t stack_top, Snapshot& into) {
  Search search{reinterpret_cast<std::uintptr_t>(place), 0, &into.registers};
  _Unwind_Backtrace(visit_frame, &search);
  if (search.stack_pointer == 0 || search.stack_pointer > stack_top) return false;
  const auto* const begin = reinterpret_cast<const std::byte*>(search.stack_pointer);
  into.stack.assign(begin, begin + (stack_top - search.stack_pointer));
  into.place = place;
  return true;
}

std::uint32_t SpinHistory::round_started_at(const void* place, std::uint32_t position, std::uintptr_t stack_top) {
  if (!capture(place, stack_top, scratch_)) return kNoRound;
  scratch_.position = position;
  for (std::size_t i = 0; i < round_count_; ++i) {
    if (rounds_[i].place != place) continue;
    if (rounds_[i].registers == scratch_.registers && rounds_[i].stack == scratch_.stack) return rounds_[i].position;
    std::swap(rounds_[i], scratch_);
    return kNoRound;
  }
  if (round_count_ == kReads) return kNoRound;
  if (round_count_ == rounds_.size()) rounds_.emplace_back();
  std::swap(rounds_[round_count_++], scratch_);
  return kNoRound;
}

}  // namespace weft
