// What weft::detail::run_stoppable needs, explored and on real threads: where the thread leaves to, and what its C++
// runtime knew of exceptions when it came.
#pragma once

#include <cxxabi.h>

#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstring>

namespace weft::detail {

/// While it lives, the thread has `exit` to leave to, and afterwards again what it had before.
class StoppableScope {
 public:
  StoppableScope(std::jmp_buf*& of_thread, std::jmp_buf& exit) : of_thread_(of_thread), outer_(of_thread) {
    of_thread_ = &exit;
  }
  ~StoppableScope() { of_thread_ = outer_; }
  StoppableScope(const StoppableScope&) = delete;
  StoppableScope& operator=(const StoppableScope&) = delete;

 private:
  std::jmp_buf*& of_thread_;
  std::jmp_buf* const outer_;
};

/// The exceptions that the calling thread is handling, and how many are on their way (__cxa_eh_globals of the Itanium
/// C++ ABI). Handlers that are left without being ended would keep theirs current.
class ExceptionsInFlight {
 public:
  ExceptionsInFlight() { std::memcpy(saved_.data(), abi::__cxa_get_globals(), sizeof saved_); }
  void restore() const { std::memcpy(abi::__cxa_get_globals(), saved_.data(), sizeof saved_); }

 private:
  std::array<std::size_t, 2> saved_;
};

}  // namespace weft::detail
