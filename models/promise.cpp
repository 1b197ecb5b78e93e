#include "models/promise.hpp"

namespace js {

void PromiseRecord::on_settled(Callback reaction) {
  if (reported_ && !handled_) loop_.rejection_handled_late();
  handled_ = true;
  if (state_ == State::pending) {
    reactions_.push_back({std::move(reaction), loop_.task()});
  } else {
    loop_.queueMicrotask(std::move(reaction));
  }
}

void PromiseRecord::reject(Error reason) {
  reason_ = std::move(reason);
  if (!handled_) loop_.rejected_unhandled(*this);
  settle(State::rejected);
}

void PromiseRecord::settle(State state) {
  state_ = state;
  for (Reaction& reaction : std::exchange(reactions_, {})) loop_.queue_reaction(std::move(reaction.run), reaction.task);
}

namespace {

template <class Start>
Promise<> started(const char* what, Start start) {
  const Promise<> promise = Promise<>::pending().named(what);
  start([promise] { promise.resolve(); });
  return promise;
}

}  // namespace

Promise<> io(const char* what, std::optional<Milliseconds> takes) {
  return started(what, [&](Callback done) { EventLoop::current().start_io(std::move(done), takes, what); });
}

Promise<> pool_work(const char* what, std::optional<Milliseconds> takes) {
  return started(what, [&](Callback done) { EventLoop::current().start_pool_work(std::move(done), takes, what); });
}

Promise<> sleep(Milliseconds delay) {
  const Promise<> promise = Promise<>::pending().named("a timer");
  setTimeout([promise] { promise.resolve(); }, delay);
  return promise;
}

Promise<> immediate() {
  const Promise<> promise = Promise<>::pending();
  setImmediate([promise] { promise.resolve(); });
  return promise;
}

}  // namespace js
