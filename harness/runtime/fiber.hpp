// Fibers: stacks that one OS thread switches between (Boost.Context's fcontext, a few nanoseconds a switch).
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

namespace weft {

class Fiber {
 public:
  using Entry = void (*)();

  /// Prepares a fresh fiber on `stack_top` (grows down); `entry` must never return.
  void prepare(void* stack_top, std::size_t stack_size, Entry entry) {
    entry_ = entry;
    context_ = boost::context::detail::make_fcontext(stack_top, stack_size, &Fiber::start);
  }

  /// Suspends `from` (the running fiber, or the OS thread's own stack) and goes on with `to`.
  static void switch_context(Fiber& from, Fiber& to) {
    Switch here{&from, &to};
    arrived(boost::context::detail::jump_fcontext(to.context_, &here));
  }

  /// Calls `errand(argument)` on the stack of the suspended fiber `to`, as if `to` had called it where it is suspended;
  /// then goes on here. `to` must have run already.
  static void call_on(Fiber& from, Fiber& to, void (*errand)(void*), void* argument) {
    Errand call{{&from, &to}, errand, argument};
    arrived(boost::context::detail::ontop_fcontext(to.context_, static_cast<Switch*>(&call), &Fiber::run_errand));
  }

 private:
  struct Switch {
    Fiber* from;
    Fiber* to;
  };
  struct Errand : Switch {
    void (*run)(void*);
    void* argument;
  };
  static boost::context::detail::transfer_t run_errand(boost::context::detail::transfer_t transfer) {
    arrived(transfer);
    Errand& call = *static_cast<Errand*>(static_cast<Switch*>(transfer.data));
    call.run(call.argument);
    Switch back{call.to, call.from};
    // The next real switch to this fiber comes back here, and is passed on to where the fiber was suspended.
    return boost::context::detail::jump_fcontext(call.from->context_, &back);
  }
  static void arrived(boost::context::detail::transfer_t transfer) {
    static_cast<Switch*>(transfer.data)->from->context_ = transfer.fctx;
  }
  static void start(boost::context::detail::transfer_t transfer) {
    const Entry entry = static_cast<Switch*>(transfer.data)->to->entry_;
    arrived(transfer);
    entry();
  }

  boost::context::detail::fcontext_t context_ = nullptr;
  Entry entry_ = nullptr;
};

}  // namespace weft
