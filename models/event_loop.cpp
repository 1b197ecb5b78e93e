#include "models/event_loop.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "models/promise.hpp"

namespace js {
namespace {

thread_local EventLoop* current_loop = nullptr;

/// More callbacks than any scenario needs: a loop that goes on for so long never ends.
constexpr std::uint64_t kMostCallbacks = 1'000'000;

}  // namespace

Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& error) {
    return Error(error.what());
  }
}

// --- timeouts ---

void Timeout::ref() {
  if (EventLoop::Timer* const timer = loop_->find_timer(id_)) timer->keeps_alive = true;
}

void Timeout::unref() {
  if (EventLoop::Timer* const timer = loop_->find_timer(id_)) timer->keeps_alive = false;
}

bool Timeout::hasRef() const {
  const EventLoop::Timer* const timer = loop_->find_timer(id_);
  return timer != nullptr && timer->keeps_alive;
}

void Timeout::refresh() {
  EventLoop::Timer* const timer = loop_->find_timer(id_);
  if (timer == nullptr) return;
  EventLoop::Timer again = std::move(*timer);
  loop_->clearTimeout(*this);
  loop_->arm(std::move(again));
}

// --- life ---

EventLoop::EventLoop(Time time, Mailbox* mailbox)
    : time_(time),
      mailbox_(mailbox),
      own_sleep_(mailbox == nullptr ? std::make_unique<Sleep>() : nullptr),
      sleep_(mailbox == nullptr ? own_sleep_.get() : &mailbox->sleep) {
  weft::check(current_loop == nullptr, "one event loop at a time on a thread");
  current_loop = this;
  if (mailbox != nullptr) return;
  weft::name_thread("Event loop");
  name_part(*own_sleep_, "sleep of the event loop");
}

EventLoop::~EventLoop() {
  if (stopped_) {
    heap_.leave_frames();
  } else {
    heap_.destroy_frames();
  }
  for (const Callback& action : at_end_) action();
  current_loop = nullptr;
}

EventLoop& EventLoop::current() {
  weft::check(current_loop != nullptr, "this thread runs an event loop");
  return *current_loop;
}

bool EventLoop::exists() { return current_loop != nullptr; }

void EventLoop::run() {
  is_running_ = true;
  weft::detail::run_stoppable([this] { run_phases(); });
  is_running_ = false;
  for (const Callback& action : std::exchange(at_end_, {})) action();
  if (stopped_) return;
  if (fatal_) throw *fatal_;
  check_tasks();
}

void EventLoop::run(Callback module) {
  queueMicrotask(std::move(module));
  run();
}

void EventLoop::run_phases() {
  drain();
  while (!fatal_ && is_alive()) {
    ++round_;
    run_timers();
    drain();  // if the callback that was to follow one that threw did not
    run_all(pending_);
    run_poll();
    run_check();
    drain();
    run_all(closing_);
  }
}

bool EventLoop::is_alive() {
  if (has_work_for_later_phases() || !io_.empty()) return true;
  if (std::any_of(timers_.begin(), timers_.end(), [](const Timer& timer) { return timer.keeps_alive; })) return true;
  if (listens()) return true;
  const std::vector<SourceId> here = with_certain_messages();
  return std::any_of(here.begin(), here.end(), [this](SourceId it) { return sources_.at(it).receiver->is_drained(); });
}

bool EventLoop::listens() const {
  return std::any_of(sources_.begin(), sources_.end(),
                     [](const auto& entry) { return entry.second.receiver->keeps_alive(); });
}

void EventLoop::check_tasks() {
  for (const Task& task : tasks_) {
    if (task.settled()) continue;
    note([&] { return task.name + " never settles: nothing is left that could resume it"; });
    weft::check(false, "every task settles");
  }
}

void EventLoop::exit(int code) {
  weft::check(is_running_, "process.exit() is called while the event loop runs");
  exit_code_ = code;
  stopped_ = true;
  weft::detail::stop_running();
}

void EventLoop::checkpoint() {
  if (mailbox_ != nullptr && mailbox_->life.load() == Life::stopping) exit(1);
}

void EventLoop::enter_task(std::uint32_t task) {
  if (task == task_) return;
  task_ = task;
  weft::detail::enter_task(task);
}

void EventLoop::add_task(const char* name, std::function<bool()> settled) {
  tasks_.push_back({name, std::move(settled)});
}

// --- callbacks ---

bool EventLoop::run_job(const Job& job) {
  bool returned = false;
  enter_task(job.task);
  try {
    job.run();
    returned = true;
  } catch (...) {
    uncaught(current_error());
  }
  enter_task(0);
  return returned;
}

void EventLoop::run_callback(const Job& job, bool another_follows) {
  weft::check(++callbacks_run_ != kMostCallbacks, "the event loop ends");
  // The platform leaves its loop over a list with the exception, and begins with the next entry: what the callback that
  // threw has queued waits for that one, too.
  if (run_job(job) || !another_follows) drain();
}

void EventLoop::run_all(std::deque<Job>& jobs) {
  std::deque<Job> now = std::exchange(jobs, {});
  while (!now.empty() && !fatal_) {
    const Job job = std::move(now.front());
    now.pop_front();
    run_callback(job);
  }
}

void EventLoop::run_microtask(std::deque<Job>& queue) {
  const Job job = std::move(queue.front());
  queue.pop_front();
  run_job(job);
  // A timer is ready when it is due; that time passes while microtasks run is all that is known of free time.
  const bool something_is_ready =
      has_work_for_later_phases() || std::any_of(timers_.begin(), timers_.end(), [this](const Timer& timer) {
        return time_ == Time::free || timer.due <= now_;
      });
  microtasks_in_a_row_ = something_is_ready ? microtasks_in_a_row_ + 1 : 0;
  if (most_microtasks_ && microtasks_in_a_row_ > *most_microtasks_) weft::check(false, turn_invariant_.c_str());
}

void EventLoop::require_turn_within(std::uint32_t most) {
  most_microtasks_ = most;
  turn_invariant_ = "every ready macrotask runs within " + std::to_string(most) + " microtasks";
}

void EventLoop::drain() {
  microtasks_in_a_row_ = 0;
  do {
    while (!fatal_ && (!ticks_.empty() || !microtasks_.empty())) {
      while (!ticks_.empty() && !fatal_) run_microtask(ticks_);
      while (!microtasks_.empty() && !fatal_) run_microtask(microtasks_);
    }
  } while (!fatal_ && report_rejections());
}

bool EventLoop::report_rejections() {
  if (rejections_.empty() && handled_late_ == 0) return false;
  for (std::size_t left = std::exchange(handled_late_, 0); left != 0; --left) {
    for (std::size_t i = 0; i < handled_handlers_.size(); ++i) run_job({handled_handlers_[i], 0});
  }
  for (PromiseRecord* const promise : std::exchange(rejections_, {})) {
    if (promise->is_handled() || fatal_) continue;
    promise->mark_reported();
    if (rejection_handlers_.empty()) {
      uncaught(promise->reason());
      continue;
    }
    for (std::size_t i = 0; i < rejection_handlers_.size(); ++i) {
      run_job({[this, i, promise] { rejection_handlers_[i](promise->reason()); }, 0});
    }
  }
  return true;
}

void EventLoop::rejected_unhandled(PromiseRecord& promise) { rejections_.push_back(&promise); }

void EventLoop::uncaught(const Error& error) {
  if (uncaught_handlers_.empty()) {
    fatal_ = error;
    return;
  }
  try {
    for (std::size_t i = 0; i < uncaught_handlers_.size(); ++i) uncaught_handlers_[i](error);
  } catch (...) {
    fatal_ = current_error();
  }
}

void EventLoop::nextTick(Callback callback) { ticks_.push_back({std::move(callback), task_}); }
void EventLoop::queueMicrotask(Callback callback) { microtasks_.push_back({std::move(callback), task_}); }
void EventLoop::defer_to_pending(Callback callback) { pending_.push_back({std::move(callback), task_}); }
void EventLoop::defer_to_close(Callback callback) { closing_.push_back({std::move(callback), task_}); }

Immediate EventLoop::setImmediate(Callback callback) {
  immediates_.push_back({next_id_, {std::move(callback), task_}});
  return Immediate(next_id_++);
}

void EventLoop::clearImmediate(Immediate immediate) {
  std::erase_if(immediates_, [&](const PendingImmediate& pending) { return pending.id == immediate.id_; });
}

// --- timers ---

Timeout EventLoop::setTimeout(Callback callback, Milliseconds delay) {
  const std::uint64_t id = next_id_++;
  arm({.id = id, .delay = std::max<Milliseconds>(delay, 1), .job = {std::move(callback), task_}});
  return {this, id};
}

Timeout EventLoop::setInterval(Callback callback, Milliseconds delay) {
  const std::uint64_t id = next_id_++;
  arm({.id = id, .delay = std::max<Milliseconds>(delay, 1), .repeats = true, .job = {std::move(callback), task_}});
  return {this, id};
}

void EventLoop::arm(Timer timer) {
  note([&] {
    return std::string(timer.repeats ? "setInterval" : "setTimeout") + ": " + std::to_string(timer.delay) + " ms";
  });
  timer.due = now_ + timer.delay;
  timer.armed_by = callbacks_run_;
  timer.round = round_;
  timers_.push_back(std::move(timer));
}

EventLoop::Timer* EventLoop::find_timer(std::uint64_t id) {
  const auto timer = std::find_if(timers_.begin(), timers_.end(), [=](const Timer& t) { return t.id == id; });
  return timer == timers_.end() ? nullptr : &*timer;
}

void EventLoop::clearTimeout(Timeout timeout) {
  std::erase_if(timers_, [&](const Timer& timer) { return timer.id == timeout.id_; });
}

// Whether a must fire before b, whatever the clock does; a was armed first.
bool EventLoop::precedes(const Timer& a, const Timer& b) const {
  if (time_ == Time::exact) return a.due <= b.due;
  return a.delay <= b.delay;
}

std::vector<std::size_t> EventLoop::timers_that_may_fire() const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < timers_.size(); ++i) {
    const Timer& timer = timers_[i];
    bool first = timer.round != round_ && (time_ == Time::free || timer.due <= now_);
    for (std::size_t j = 0; j < timers_.size() && first; ++j) {
      const Timer& other = timers_[j];
      if (other.round == round_) continue;
      if (j < i) first = !precedes(other, timer);
      // Armed by one callback, at one time of the clock: the shorter one goes first. Else an earlier one may always
      // have had enough time.
      if (j > i) first = precedes(timer, other) || (time_ == Time::free && other.armed_by != timer.armed_by);
    }
    if (first) result.push_back(i);
  }
  return result;
}

// Whether the next timer to fire is certainly one of the same list: set for the same delay, at the same time.
bool EventLoop::is_due_with(const Timer& fired) const {
  return std::any_of(timers_.begin(), timers_.end(), [&](const Timer& timer) {
    return timer.delay == fired.delay && timer.armed_by == fired.armed_by && timer.due <= now_ && timer.round != round_;
  });
}

void EventLoop::fire(std::size_t which) {
  Timer timer = std::move(timers_[which]);
  checkpoint();
  enter_task(timer.job.task);
  note([&] { return "timer of " + std::to_string(timer.delay) + " ms fires"; });
  timers_.erase(timers_.begin() + static_cast<std::ptrdiff_t>(which));
  now_ = std::max(now_, timer.due);
  max_lag_ = std::max(max_lag_, now_ - timer.due);
  if (!timer.repeats) {
    run_callback(timer.job, is_due_with(timer));
    return;
  }
  // Armed again after it has run, unless its callback clears it.
  const Job job = timer.job;
  const std::uint64_t id = timer.id;
  timer.round = round_;
  timers_.push_back(std::move(timer));
  run_callback(job);
  Timer* const still = find_timer(id);
  if (still == nullptr) return;
  Timer again = std::move(*still);
  clearTimeout({this, id});
  arm(std::move(again));
}

void EventLoop::run_timers() {
  bool must_fire = std::exchange(timer_is_due_, false);
  while (!fatal_) {
    const std::vector<std::size_t> candidates = timers_that_may_fire();
    if (candidates.empty()) return;
    // With nothing for the phases in between, the poll phase decides whether something there comes first.
    const bool optional = time_ == Time::free && !must_fire;
    const bool later = has_work_for_later_phases();
    if (optional && !later && (!io_.empty() || !sources_.empty())) return;
    // A loop that only timers without a reference are left of ends before they are due, if they are not due yet.
    const bool may_leave = optional && (later || !is_alive());
    const auto choices = static_cast<std::uint32_t>(candidates.size() + (may_leave ? 1 : 0));
    const std::uint32_t chosen = choices == 1 ? 0 : weft::choose(choices);
    if (chosen == candidates.size()) return;
    must_fire = false;
    fire(candidates[chosen]);
  }
}

// --- I/O and messages ---

void EventLoop::start_io(Callback done, std::optional<Milliseconds> takes) {
  io_.push_back({.takes = takes, .job = {std::move(done), task_}});
  if (takes && time_ == Time::exact) io_.back().due = now_ + *takes;
}

void EventLoop::start_pool_work(Callback done, std::optional<Milliseconds> takes) {
  io_.push_back({.takes = takes, .uses_pool = true, .waits_for_pool = true, .job = {std::move(done), task_}});
  start_waiting_pool_work();
}

void EventLoop::start_waiting_pool_work() {
  const auto running = static_cast<std::size_t>(
      std::count_if(io_.begin(), io_.end(), [](const Io& io) { return io.uses_pool && !io.waits_for_pool; }));
  std::size_t free = pool_size_ - std::min(pool_size_, running);
  for (Io& io : io_) {
    if (free == 0) return;
    if (!io.waits_for_pool) continue;
    io.waits_for_pool = false;
    if (io.takes && time_ == Time::exact) io.due = now_ + *io.takes;
    --free;
  }
}

void EventLoop::complete_io(std::size_t which) {
  const Io io = std::move(io_[which]);
  io_.erase(io_.begin() + static_cast<std::ptrdiff_t>(which));
  if (io.uses_pool) start_waiting_pool_work();
  run_callback(io.job);
}

void EventLoop::block(Milliseconds duration) { now_ += duration; }

SourceId EventLoop::listen(Receiver& receiver, EventChannel& channel) {
  const SourceId source{next_source_++};
  sources_[source] = {&receiver, &channel};
  return source;
}

void EventLoop::forget(SourceId source) { sources_.erase(source); }

std::vector<SourceId> EventLoop::with_certain_messages() const {
  std::vector<SourceId> result;
  for (const auto& [source, ends] : sources_) {
    if (ends.channel->certain() != 0) result.push_back(source);
  }
  return result;
}

// Takes the next message of a source that was chosen, and with it what certainly waits behind it: that is handled in
// one turn.
void EventLoop::receive(SourceId source, bool and_more) {
  ++turn_;
  EventChannel& channel = *sources_.at(source).channel;
  std::vector<EventChannel*> others;
  for (const auto& [other, ends] : sources_) {
    if (other != source) others.push_back(ends.channel);
  }
  const bool was_chosen = and_more || !others.empty();
  std::optional<Event> event = was_chosen ? channel.receive_by_choice(others, and_more) : channel.receive();
  if (!event) return;
  std::size_t behind = channel.certain();
  handle(source, std::move(*event));
  for (; behind != 0 && !fatal_ && listens_to(source); --behind) {
    if (channel.certain() == 0) break;  // a handler has taken it: receiveMessageOnPort()
    handle(source, channel.receive());
  }
  while (!fatal_ && listens_to(source) && sources_.at(source).receiver->may_take_more() && weft::choose(2) != 0) {
    event = channel.receive_by_choice({}, true);
    if (!event) return;
    handle(source, std::move(*event));
  }
}

void EventLoop::handle(SourceId source, Event event) {
  if (event.kind == EventKind::stop) exit(1);
  checkpoint();
  run_callback({[to = sources_.at(source).receiver, &event] { to->deliver(std::move(event)); }, 0});
}

bool EventLoop::complete_due_io() {
  const auto first = std::min_element(io_.begin(), io_.end(),
                                      [](const Io& a, const Io& b) { return a.due && (!b.due || *a.due < *b.due); });
  if (first == io_.end() || !first->due || *first->due > now_) return false;
  complete_io(static_cast<std::size_t>(first - io_.begin()));
  return true;
}

std::optional<Milliseconds> EventLoop::next_moment() const {
  std::optional<Milliseconds> next;
  const auto consider = [&](Milliseconds moment) { next = next ? std::min(*next, moment) : moment; };
  for (const Timer& timer : timers_) consider(timer.due);
  for (const Io& io : io_) {
    if (io.due) consider(*io.due);
  }
  return next;
}

// Lets time pass until a timer or an I/O operation is due; false if there is none. The timers phase is next, unless I/O
// is due.
bool EventLoop::wait_for_next_moment() {
  const std::optional<Milliseconds> next = next_moment();
  if (!next) return false;
  if (time_ == Time::exact) now_ = std::max(now_, *next);
  timer_is_due_ = time_ == Time::free;
  return true;
}

void EventLoop::run_poll() {
  run_all(ready_);
  while (!fatal_) {
    if (complete_due_io()) continue;
    std::vector<std::size_t> completions;
    for (std::size_t i = 0; i < io_.size(); ++i) {
      if (!io_[i].due && !io_[i].waits_for_pool) completions.push_back(i);
    }
    // With work for later phases the loop does not wait here. What is not ready yet may come before what is: nobody
    // knows how long it took.
    const bool may_leave = has_work_for_later_phases();
    const bool may_wait = next_moment().has_value();
    const bool only_messages = completions.empty() && !may_leave && !may_wait;
    std::vector<SourceId> sources;
    if (only_messages && !listens()) {
      sources = with_certain_messages();
    } else {
      for (const auto& [source, ends] : sources_) sources.push_back(source);
    }
    const std::size_t ready = completions.size() + sources.size();
    const auto choices = static_cast<std::uint32_t>(ready + (may_leave || may_wait ? 1 : 0));
    if (choices == 0) return;
    const std::uint32_t chosen = choices == 1 ? 0 : weft::choose(choices);
    if (chosen < completions.size()) {
      complete_io(completions[chosen]);
    } else if (chosen < ready) {
      receive(sources[chosen - completions.size()], !only_messages);
    } else if (may_leave) {
      return;
    } else {
      wait_for_next_moment();
      const bool io_is_due =
          std::any_of(io_.begin(), io_.end(), [this](const Io& io) { return io.due && *io.due <= now_; });
      if (!io_is_due) return;
    }
  }
}

void EventLoop::run_check() {
  // Those that are set meanwhile wait for the next round; those that are cleared meanwhile do not run.
  const std::uint64_t first_new = next_id_;
  while (!fatal_ && !immediates_.empty() && immediates_.front().id < first_new) {
    const Job job = std::move(immediates_.front().job);
    immediates_.pop_front();
    run_callback(job, !immediates_.empty() && immediates_.front().id < first_new);
  }
}

}  // namespace js
