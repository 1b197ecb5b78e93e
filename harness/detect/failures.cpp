#include "detect/failures.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <string>
#include <typeinfo>

#include "runtime/execution.hpp"

namespace weft {
namespace {

std::terminate_handler handler_before = nullptr;

// Messages are built here and not on the stack: a thread that fails is never unwound, so it would leak them.
std::string message;

std::string readable_name(const std::type_info& type) {
  int status = 0;
  char* const name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string result = status == 0 ? name : type.name();
  std::free(name);
  return result;
}

/// What the exception says of itself; runs the exception's own what(), which is the scenario's code.
std::string describe_current_exception() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "std::terminate was called without an exception";
  const std::string name = readable_name(*type);
  try {
    throw;
  } catch (const std::exception& exception) {
    return fmt::format("{}: {}", name, exception.what());
  } catch (...) {
    return name;
  }
}

[[noreturn]] void terminated() {
  if (Execution::current() == nullptr) {
    if (handler_before != nullptr) handler_before();
    std::abort();
  }
  const bool thrown = abi::__cxa_current_exception_type() != nullptr;
  {
    const Execution::Outside outside;
    message = describe_current_exception();
  }
  fail(thrown ? FindingKind::uncaught_exception : FindingKind::abort, message, nullptr);
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

[[noreturn]] void leave_process(const char* name, int status, const void* place) {
  Execution& execution = *Execution::current();
  // Leaving with success from the body is one way to return from main; anything else takes other threads with it, or is
  // a failure.
  if (status == 0 && index(execution.running().id) == 0) execution.end_thread(nullptr);
  {
    const Execution::Outside outside;
    message = fmt::format("{}({}) was called", name, status);
  }
  fail(status == 0 ? FindingKind::unsupported : FindingKind::abort, message, place);
}

}  // namespace

void fail(FindingKind kind, std::string_view what, const void* place, std::string_view values) {
  fail(*Execution::current(), kind, what, place, values);
}

void fail(Execution& execution, FindingKind kind, std::string_view what, const void* place, std::string_view values) {
  {
    const Execution::Outside outside;
    const Execution::Thread& thread = execution.running();
    execution.report({.kind = kind,
                      .message = std::string(what),
                      .sites = {{.thread = thread.id,
                                 .events_before = thread.position,
                                 .place = place,
                                 .what = values.empty() ? kFailedHere : fmt::format("{}: {}", kFailedHere, values)}}});
  }
  execution.halt_thread();
}

TerminateGuard::TerminateGuard() { handler_before = std::set_terminate(&terminated); }
TerminateGuard::~TerminateGuard() { std::set_terminate(handler_before); }

}  // namespace weft

// Defined in the executable, these win over libc's for libstdc++ and the scenario alike; outside of an execution they
// are libc's.
// gnu::noreturn, as their declarations in libc's headers have it: clang takes [[noreturn]] for another attribute.
extern "C" {

[[gnu::noreturn]] void __assert_fail(const char* assertion, const char* file, unsigned int line,
                                     const char* function) noexcept {
  if (weft::Execution::current() == nullptr) {
    weft::real<void(const char*, const char*, unsigned int, const char*)>("__assert_fail")(assertion, file, line,
                                                                                           function);
    __builtin_unreachable();
  }
  {
    const weft::Execution::Outside outside;
    weft::message = fmt::format("assertion `{}' failed in {} ({}:{})", assertion, function, file, line);
  }
  weft::fail(weft::FindingKind::invariant, weft::message, __builtin_return_address(0));
}

[[gnu::noreturn]] void abort() noexcept {
  if (weft::Execution::current() == nullptr) {
    weft::real<void()>("abort")();
    __builtin_unreachable();
  }
  weft::fail(weft::FindingKind::abort, "abort() was called", __builtin_return_address(0));
}

[[gnu::noreturn]] void exit(int status) noexcept {
  if (weft::Execution::current() == nullptr) {
    weft::real<void(int)>("exit")(status);
    __builtin_unreachable();
  }
  weft::leave_process("exit", status, __builtin_return_address(0));
}

[[gnu::noreturn]] void _exit(int status) {
  if (weft::Execution::current() == nullptr) {
    weft::real<void(int)>("_exit")(status);
    __builtin_unreachable();
  }
  weft::leave_process("_exit", status, __builtin_return_address(0));
}

[[gnu::noreturn]] void quick_exit(int status) noexcept {
  if (weft::Execution::current() == nullptr) {
    weft::real<void(int)>("quick_exit")(status);
    __builtin_unreachable();
  }
  weft::leave_process("quick_exit", status, __builtin_return_address(0));
}

}  // extern "C"
