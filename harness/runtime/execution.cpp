#include "runtime/execution.hpp"

#include <cstring>
#include <exception>
#include <string>

#include "explore/decide.hpp"
#include "explore/forced_step.hpp"
#include "explore/operation_words.hpp"
#include "runtime/arena.hpp"
#include "runtime/mismatch.hpp"
#include "runtime/shared_object.hpp"
#include "runtime/memory_run.hpp"
#include "runtime/thread_records.hpp"

namespace weft {

Execution* Execution::current_ = nullptr;
Execution* Execution::active_ = nullptr;

namespace {

std::uint32_t runs_of_process = 0;

constexpr std::size_t kComparedStack = std::size_t{1} << 14;  // frames farther down are not cleared

bool may_enable_others(OperationKind kind) {
  return kind == OperationKind::unlock || kind == OperationKind::send || kind == OperationKind::end;
}

}  // namespace

Execution::Execution(ExplorationMemory& memory) : memory_(memory), threads_(std::make_unique<Thread[]>(kMaxThreads)) {
  arena::reserve();
  shadow::forget_flags();
}

Execution::~Execution() = default;

void Execution::prepare_thread(ThreadId id, void* (*entry)(void*), void* argument) {
  Thread& t = thread(id);
  t.id = id;
  t.state = ThreadState::fresh;
  t.half_done = t.may_time_out = t.detached = t.joined = false;
  t.alternatives.clear();
  t.position = t.children = 0;
  t.to_rerun = graph_->thread(id);
  t.waits_for = kNoEvent;
  t.pending = nullptr;
  t.blocked_on.clear();
  t.spinning = false;
  t.spin.interrupt();
  t.reads.reset();
  t.entry = entry;
  t.argument = argument;
  t.result = nullptr;
  // Spin loops are recognised by their stack, which must not hold what an earlier run left there.
  if (!memory_.spin_places.empty()) {
    std::memset(reinterpret_cast<void*>(arena::stack_top(id) - kComparedStack), 0, kComparedStack);
  }
  t.fiber.prepare(reinterpret_cast<void*>(arena::stack_top(id)), arena::kStackSize, &Execution::fiber_main);
  t.context.reset();
  if (thread_count_ <= index(id)) thread_count_ = index(id) + 1;
  candidates_.insert(index(id));
}

Ending Execution::run(Explorer& explorer, const std::function<void()>& body) {
  explorer_ = &explorer;
  graph_ = &explorer.graph();
  lowest_first_ = explorer.lowest_thread_first();
  body_ = &body;
  shadow::uses_levels = !records_fully_;
  repeats_only_ = false;
  std::vector<Finding> seen;  // by the runs that are repeated
  for (;;) {
    repeat_ = false;
    Ending ending = run_once();
    if (!seen.empty() && ending != Ending::inconsistent && findings_.empty()) {
      findings_ = seen;  // whoever replays them will see that they do not repeat
      ending = Ending::failed;
    }
    if (!repeat_ || restart_ || ending == Ending::inconsistent) return ending;
    if (!lowest_first_) {  // the graph alone does not tell in which order the explorer let the threads go
      restart_ = repeats_only_ = true;
      return ending;
    }
    if (!findings_.empty()) seen = findings_;
  }
}

Ending Execution::run_once() {
  findings_.clear();
  if (listener_ != nullptr) listener_->run_begins();
  for (std::size_t i = 0; i < thread_count_; ++i) threads_[i].state = ThreadState::absent;
  thread_count_ = 0;
  candidates_.clear();
  rerunning_ = graph_->size() != 0;
  recheck_ = dropped_ = false;
  run_number_ = ++runs_of_process;
  spurious_wakeups_of_run_ = 0;
  arena::reset();
  begin_memory_run(*this);
  shared_objects::forget_states();
  prepare_thread(ThreadId{0}, nullptr, nullptr);

  main_context_.save();
  active_ = this;
  running_ = &threads_[0];
  running_->context.load();
  running_->state = ThreadState::running;
  Fiber::switch_context(main_stack_, running_->fiber);
  current_ = active_ = nullptr;
  const Ending end = ending();
  end_memory_run(*this, end);
  main_context_.load();
  return findings_.empty() ? end : ending();  // the end of the run may have found a leak
}

ClockView Execution::find_clock() const {
  const Thread& t = *running_;
  if (t.position == graph_->thread(t.id).size()) return graph_->happens_before_of_thread(t.id);
  return graph_->happens_before_predecessor(graph_->thread(t.id)[t.position]);
}

void Execution::fiber_main() {
  Execution& self = *active_;
  self.clock_ = nullptr;
  current_ = &self;
  Thread& t = *self.running_;
  void* result = nullptr;
  if (index(t.id) == 0) {
    (*self.body_)();
  } else {
    result = t.entry(t.argument);
  }
  self.end_thread(result);
}

void Execution::end_thread(void* result) {
  run_thread_destructors(*this);
  const Outside outside;
  if (racy_memory::has_pending_writes) racy_memory::add_pending_writes(*this);
  Thread& t = *running_;
  t.result = result;
  if (index(t.id) != 0) {
    perform({.kind = OperationKind::end});
  } else if (t.position < graph_->thread(t.id).size()) {
    mismatch(t, (*graph_)[graph_->thread(t.id)[t.position]], nullptr);
  }
  t.state = ThreadState::finished;
  leave(t);
  std::terminate();  // nobody goes on with a finished thread
}

void Execution::halt_thread() {
  const Outside outside;
  if (racy_memory::has_pending_writes) racy_memory::add_pending_writes(*this);
  running_->state = ThreadState::halted;
  leave(*running_);
  std::terminate();
}

void Execution::drop_run() {
  const Outside outside;
  dropped_ = true;
  Thread& t = *running_;
  t.state = ThreadState::halted;
  Fiber::switch_context(t.fiber, main_stack_);
  std::terminate();
}

bool Execution::call_on_stack_of(ThreadId t, void (*errand)(void*), void* argument) {
  Thread& target = thread(t);
  if (target.state == ThreadState::absent || target.state == ThreadState::fresh || target.state == ThreadState::finished) return false;
  if (&target == running_) {
    errand(argument);
  } else {
    Fiber::call_on(running_->fiber, target.fiber, errand, argument);
  }
  return true;
}

ThreadId Execution::create_thread(void* (*entry)(void*), void* argument, const void* place) {
  const Outside outside;
  Thread& parent = *running_;
  const ThreadId child = memory_.threads.child(parent.id, parent.children++);
  if (index(child) >= kMaxThreads) {
    report({.kind = FindingKind::limit,
            .message = "the scenario needs more than " + std::to_string(kMaxThreads) + " threads",
            .sites = {{.thread = parent.id, .events_before = parent.position, .place = place, .what = "starts one more"}}});
    drop_run();
  }
  if (index(child) >= graph_->clock_width()) restart_exploration();
  perform({.kind = OperationKind::create, .operand = static_cast<Value>(child), .place = place});
  prepare_thread(child, entry, argument);
  return child;
}

bool Execution::executed(EventId source) const {
  if (source == kNoEvent || is_initial_write(source)) return true;
  const Event& e = (*graph_)[source];
  const Thread& t = threads_[index(e.thread)];
  return t.state != ThreadState::absent && t.position > e.index;
}

Step Execution::perform(const Operation& operation) {
  const Outside outside;
  if (racy_memory::has_pending_writes) [[unlikely]] racy_memory::add_pending_writes(*this);
  Thread& t = *running_;
  const bool may_spin = (operation.kind == OperationKind::read || operation.kind == OperationKind::rmw) &&
                        operation.location.space() == LocationKey::Space::memory;
  if (!may_spin) t.spin.interrupt();
  const Step result = may_spin ? perform_read(t, operation) : step(t, operation);
  clock_ = nullptr;
  return result;
}

Step Execution::perform_read(Thread& t, const Operation& operation) {
  if (operation.kind != OperationKind::read) return perform_watched_read(t, operation);
  const std::uintptr_t frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const ReadPlace place = read_place(operation.place, arena::stack_top(t.id) - frame);
  const SleepSpins& spins = memory_.synchronization.sleep_spins;
  if (!spins.empty() && spins.contains(place) && t.reads.is_in_spin(spins, operation.location, t.position)) {
    return {.value = t.reads.value()};
  }
  const Step result = perform_watched_read(t, operation);
  t.reads.note(place, operation.location, result.value, t.position);
  return result;
}

Step Execution::perform_watched_read(Thread& t, const Operation& operation) {
  if (!memory_.spin_places.empty() && memory_.spin_places.contains(operation.place)) {
    const std::uint32_t start = t.spin.round_started_at(operation.place, t.position, arena::stack_top(t.id));
    if (start != SpinHistory::kNoRound) {
      const std::span<const EventId> line = graph_->thread(t.id);
      t.blocked_on.assign(line.begin() + start, line.begin() + t.position);
      t.spinning = true;
      if (t.spin.read_clock()) {  // virtual time stands still while a thread computes, but this loop counts on it
        t.may_time_out = true;
        memory_.bound = "executions in which a loop ends because time passes while it computes were left out; let it sleep";
      }
      t.state = ThreadState::blocked;
      leave(t);
      t.spinning = t.may_time_out = false;  // resumed, see Explorer::resumes_spin()
      t.blocked_on.clear();
      t.spin.interrupt();
    }
    Operation watched = operation;
    watched.silent_is_read = true;
    const Step result = step(t, watched);
    if (result.wrote) t.spin.interrupt();
    return result;
  }
  const Step result = step(t, operation);
  const Event& last = (*graph_)[graph_->thread(t.id)[t.position - 1]];
  if (result.wrote && last.value != result.value) {
    t.spin.interrupt();
  } else {
    const EventId source = result.wrote ? kNoEvent : last.source;
    if (t.spin.repeats(operation.place, operation.location, source) && operation.place != nullptr) {
      memory_.spin_places.insert(operation.place);
      restart_exploration();
    }
  }
  return result;
}

Step Execution::step(Thread& t, const Operation& operation) {
  if (t.position < t.to_rerun.size()) return rerun(t, operation);
  return extend(t, operation, 0);
}

void Execution::wait_for(Thread& t, EventId source) {
  t.waits_for = source;
  while (!executed(source)) {
    Thread& wanted = thread((*graph_)[source].thread);
    const bool can_run = wanted.state == ThreadState::fresh || (wanted.state == ThreadState::running && executed(wanted.waits_for));
    if (can_run && &wanted != &t) {
      switch_to(t.fiber, wanted);
    } else {
      leave(t);
    }
  }
  t.waits_for = kNoEvent;
}

Step Execution::rerun(Thread& t, const Operation& operation) {
  const EventId id = t.to_rerun[t.position];
  const Event& e = (*graph_)[id];
  if (e.kind != first_event(operation.kind) ||
      (e.location != kNoLocation && !(memory_.locations.key(e.location) == operation.location)) ||
      (e.kind == EventKind::write && e.value != operation.operand) ||
      (e.kind == EventKind::choose && e.value >= operation.operand)) {
    mismatch(t, e, &operation);
  }
  Step step;
  if (e.kind == EventKind::read) {
    const EventId source = e.source;
    if (!executed(source)) wait_for(t, source);
    if (listener_ != nullptr) listener_->step(t.id, id, operation);
    step.value = graph_->value_of_write(source);
    ++t.position;
    Value result = 0;
    switch (decide(operation, step.value, result)) {
      case Decision::keep: break;
      case Decision::wait:
        t.state = ThreadState::blocked;
        t.blocked_on.assign(1, id);
        leave(t);
        break;
      case Decision::write: {
        step.wrote = true;
        if (t.position == t.to_rerun.size()) {  // the graph was cut between the two parts
          t.half_done = true;
          return extend(t, operation, result);
        }
        const Event& write = (*graph_)[t.to_rerun[t.position]];
        if (!write.is_write_part() || write.value != result) mismatch(t, write, &operation);
        ++t.position;
        break;
      }
    }
    return step;
  }
  if (e.kind == EventKind::gate || e.kind == EventKind::receive || e.kind == EventKind::join) {
    if (!executed(e.source)) wait_for(t, e.source);
  }
  if (listener_ != nullptr) listener_->step(t.id, id, operation);
  step.value = e.value;
  ++t.position;
  return step;
}

void Execution::park(Thread& t, const Operation& operation) {
  t.pending = &operation;
  t.pending_location = has_location(operation.kind) ? memory_.locations.intern(operation.location) : kNoLocation;
  t.state = ThreadState::parked;
  leave(t);
  t.pending = nullptr;
}

Step Execution::extend(Thread& t, const Operation& operation, Value half_done_result) {
  const bool goes_on = !rerunning_ && !recheck_ && lowest_first_;
  if (!goes_on) {
    recheck_ = false;
    park(t, operation);
  }
  LocationId l = has_location(operation.kind) ? memory_.locations.intern(operation.location) : kNoLocation;
  if (goes_on && !is_enabled(*graph_, t.id, l, operation)) park(t, operation);

  const std::size_t first_new = graph_->size();
  if (first_new >= max_steps_) {
    report({.kind = FindingKind::limit,
            .message = "the execution has " + std::to_string(max_steps_) + (max_steps_ == 1 ? " visible operation" : " visible operations") +
                       " and goes on: bound its loops, or raise the limit on steps",
            .sites = {{.thread = t.id, .events_before = t.position, .place = operation.place, .what = "next operation"}}});
    drop_run();
  }
  Step step;
  if (t.half_done) {
    t.half_done = false;
    step = explorer_->finish(t.id, operation, half_done_result);
    ++t.position;
  } else {
    step = explorer_->extend(t.id, l, operation);
    t.position += step.wrote ? 2 : 1;
  }
  if (listener_ != nullptr) listener_->step(t.id, EventId{static_cast<std::uint32_t>(first_new)}, operation);
  if (step.status == Step::Status::inconsistent) drop_run();
  if (step.status == Step::Status::waits) {
    t.state = ThreadState::blocked;
    t.blocked_on.assign(1, graph_->thread(t.id).back());
    leave(t);
  }
  recheck_ = may_enable_others(operation.kind);
  return step;
}

void Execution::switch_to(Fiber& from, Thread& next) {
  running_->context.save();
  running_ = &next;
  next.state = ThreadState::running;
  next.context.load();
  Fiber::switch_context(from, next.fiber);
}

void Execution::leave(Thread& t) {
  Thread* const next = pick();
  if (next == &t) {
    t.state = ThreadState::running;
    return;
  }
  if (next == nullptr) {
    Fiber::switch_context(t.fiber, main_stack_);
    std::terminate();  // run() never comes back to a fiber
  }
  switch_to(t.fiber, *next);
}

Execution::Thread* Execution::pick() {
  if (dropped_) return nullptr;
  if (rerunning_) {
    if (Thread* const t = pick_rerun()) return t;
    rerunning_ = false;
    for (std::size_t i = 0; i < thread_count_; ++i) candidates_.insert(i);
    for (std::size_t i = 0; i < thread_count_; ++i) {
      if (threads_[i].half_done && threads_[i].state == ThreadState::parked) return &threads_[i];
    }
  }
  return pick_ready();
}

Execution::Thread* Execution::pick_rerun() {
  for (ThreadSet left = candidates_; !left.empty();) {
    const std::size_t i = left.lowest();
    left.erase(i);
    Thread& t = threads_[i];
    if (t.state == ThreadState::fresh) {
      if (!t.to_rerun.empty()) return &t;
    } else if (t.state != ThreadState::running) {
      candidates_.erase(i);  // for the rest of the re-run
    } else if (executed(t.waits_for)) {
      return &t;
    }
  }
  return nullptr;
}

bool Execution::is_ready(const Thread& t) const {
  if (t.state == ThreadState::fresh) return true;
  return t.state == ThreadState::parked && is_enabled(*graph_, t.id, t.pending_location, *t.pending);
}

bool Execution::may_resume(const Thread& t) const {
  if (!t.spinning || !explorer_->resumes_spin(t.id)) return false;
  for (EventId r : t.blocked_on) {
    const Event& read = (*graph_)[r];
    if (read.source != graph_->write_at(read.location, graph_->last_position(read.location))) return true;
  }
  return false;
}

Execution::Thread* Execution::pick_ready() {
  if (lowest_first_) {
    for (ThreadSet left = candidates_; !left.empty();) {
      const std::size_t i = left.lowest();
      left.erase(i);
      Thread& t = threads_[i];
      if (is_ready(t)) return &t;
      if (t.state != ThreadState::parked) candidates_.erase(i);  // for the rest of the run
    }
    return nullptr;
  }
  ready_.clear();
  for (std::size_t i = 0; i < thread_count_; ++i) {
    Thread& t = threads_[i];
    if (t.state == ThreadState::fresh) return &t;  // its first operation must be known before anyone chooses
    if (t.state == ThreadState::blocked && may_resume(t)) return &t;  // and so must its next one
    if (is_ready(t)) ready_.push_back({t.id, t.pending_location, t.pending});
  }
  if (ready_.empty()) return nullptr;
  const std::optional<ThreadId> chosen = explorer_->choose_thread(ready_);
  if (!chosen) {
    dropped_ = true;
    return nullptr;
  }
  return &thread(*chosen);
}

Ending Execution::ending() const {
  bool left = false;
  bool dead = true;
  for (const Finding& finding : findings_) {
    if (finding.kind != FindingKind::warning) return Ending::failed;
  }
  if (dropped_) return Ending::inconsistent;
  for (std::size_t i = 0; i < thread_count_; ++i) {
    const Thread& t = threads_[i];
    if (t.state == ThreadState::absent || t.state == ThreadState::finished) continue;
    left = true;
    if (t.state == ThreadState::halted || t.may_time_out) dead = false;
    for (const LocationKey alternative : t.alternatives) {
      const auto location = memory_.locations.find(alternative);
      if (location && graph_->next_message(t.id, *location) != kNoEvent) dead = false;
    }
    for (EventId r : t.blocked_on) {
      const Event& read = (*graph_)[r];
      if (graph_->coherence_position(read.location, read.source) != graph_->last_position(read.location)) dead = false;
    }
  }
  if (!left) return Ending::complete;
  return dead ? Ending::deadlock : Ending::blocked;
}

void Execution::mismatch(const Thread& t, const Event& was, const Operation* is) {
  report({.kind = FindingKind::nondeterminism,
          .message = describe_mismatch(*this, memory_, was, is),
          .sites = {{.thread = t.id,
                     .events_before = t.position,
                     .place = is == nullptr ? nullptr : is->place,
                     .what = "did something else when it was run again"}}});
  drop_run();
}

}  // namespace weft
