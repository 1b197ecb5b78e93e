// What a real thread has of its own and fibers on one OS thread must take turns with: the executable's thread_local
// variables, errno, the C++ runtime's exception state, and libstdc++'s std::call_once hand-over.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace weft {

class ThreadContext {
 public:
  /// Makes it the context of a thread that has just started.
  void reset();
  /// Saves what is in place into this.
  void save();
  /// Puts this in place.
  void load() const;
  /// The executable's thread_local variables as saved last; empty if there are none.
  std::span<const std::byte> thread_locals() const;

 private:
  std::unique_ptr<std::byte[]> thread_locals_;
  std::array<std::size_t, 2> exceptions_{};
  std::array<std::size_t, 2> call_once_{};
  int errno_ = 0;
};

}  // namespace weft
