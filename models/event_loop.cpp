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
      own_mailbox_(mailbox == nullptr ? std::make_unique<Mailbox>() : nullptr),
      mailbox_(mailbox == nullptr ? own_mailbox_.get() : mailbox) {
  weft::check(current_loop == nullptr, "one event loop at a time on a thread");
  current_loop = this;
  if (mailbox == nullptr) weft::name_thread("Event loop");
  if (mailbox == nullptr) own_mailbox_->name("the event loop");
}

EventLoop::~EventLoop() {
  heap_.destroy_frames();
  for (const Callback& action : at_end_) action();
  current_loop = nullptr;
}

EventLoop& EventLoop::current() {
  weft::check(current_loop != nullptr, "this thread runs an event loop");
  return *current_loop;
}

bool EventLoop::exists() { return current_loop != nullptr; }

void EventLoop::run() {
  weft::detail::run_stoppable([this] { run_phases(); });
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
  if (listens() || has_arrived()) return true;
  if (receivers_.empty()) return false;
  // What does not keep the loop alive is nevertheless handled if it is here before the end.
  while (!has_arrived() && mailbox_->inbox.has_message()) receive(false);
  return has_arrived();
}

bool EventLoop::has_arrived() const {
  return std::any_of(arrived_.begin(), arrived_.end(),
                     [this](const Arrived& arrived) { return receivers_.at(arrived.event.source).receiver->ready(); });
}

bool EventLoop::listens() const {
  return std::any_of(receivers_.begin(), receivers_.end(),
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
  exit_code_ = code;
  stopped_ = true;
  weft::detail::stop_running();
}

void EventLoop::checkpoint() {
  // Nobody can ask this of a loop that has its mailbox to itself.
  if (own_mailbox_ == nullptr && mailbox_->life.load() == Life::stopping) exit(1);
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
  if (rejections_.empty()) return false;
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
    if (optional && !later && (!io_.empty() || !receivers_.empty())) return;
    const auto choices = static_cast<std::uint32_t>(candidates.size() + (optional && later ? 1 : 0));
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

SourceId EventLoop::add_receiver(Receiver& receiver, std::optional<SourceId> exit_of) {
  const SourceId source{next_source_++};
  receivers_[source] = {&receiver, exit_of};
  return source;
}

void EventLoop::forget(SourceId source) {
  receivers_.erase(source);
  std::erase_if(arrived_, [source](const Arrived& arrived) { return arrived.event.source == source; });
}

bool EventLoop::may_overtake(const Arrived& later, const Arrived& earlier) const {
  if (later.event.source == earlier.event.source) return false;
  const auto of_earlier = receivers_.find(earlier.event.source);
  const bool is_its_exit = later.event.kind == EventKind::exit && of_earlier != receivers_.end() &&
                           of_earlier->second.exit_of == later.event.source;
  // If nobody knew of both, the other order of sending is another execution.
  return !is_its_exit && weft::detail::happens_before(earlier.sent, later.sent);
}

bool EventLoop::receive(bool may_give_up) {
  const weft::detail::StepName here = weft::detail::in_execution() ? weft::detail::next_step() : 0;
  std::optional<Received> received = may_give_up ? mailbox_->inbox.receive_or_give_up() : mailbox_->inbox.receive();
  if (!received) return false;
  if (received->message.kind == EventKind::stop) exit(1);
  if (!receivers_.contains(received->message.source)) return true;
  const Arrived arrived{std::move(received->message), received->sent, here};
  for (const Arrived& earlier : served_) {
    const bool was_an_answer = weft::detail::happens_before(earlier.received, arrived.sent);
    if (!was_an_answer && may_overtake(arrived, earlier))
      weft::detail::notice(static_cast<std::uint32_t>(earlier.event.source));
  }
  arrived_.push_back(arrived);
  return true;
}

const EventLoop::Arrived* EventLoop::first_of(SourceId source) const {
  const auto first = std::find_if(arrived_.begin(), arrived_.end(),
                                  [=](const Arrived& arrived) { return arrived.event.source == source; });
  return first == arrived_.end() ? nullptr : &*first;
}

// Whose message may be handled next: the oldest, and those that may overtake all before them.
std::vector<SourceId> EventLoop::sources_to_serve() const {
  std::vector<const Arrived*> firsts;
  for (const Arrived& arrived : arrived_) {
    if (first_of(arrived.event.source) == &arrived && receivers_.at(arrived.event.source).receiver->ready())
      firsts.push_back(&arrived);
  }
  std::vector<SourceId> result;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    const bool overtakes = std::all_of(firsts.begin(), firsts.begin() + static_cast<std::ptrdiff_t>(i),
                                       [&](const Arrived* earlier) { return may_overtake(*firsts[i], *earlier); });
    const bool is_due = !served_next_ || firsts[i]->event.source == *served_next_;
    if (overtakes && is_due) result.push_back(firsts[i]->event.source);
  }
  return result;
}

bool EventLoop::waiting_for_more_matters(const std::vector<SourceId>& sources) const {
  return !sources.empty() && weft::detail::is_noticed(static_cast<std::uint32_t>(sources.front()));
}

// Takes more messages, up to one of another source, which must overtake the one that could be served now: it is served first.
void EventLoop::receive_overtaker(SourceId overtaken) {
  const Arrived earlier = *first_of(overtaken);
  std::size_t arrived_before;
  do {
    arrived_before = arrived_.size();
    if (!receive(true)) return;
  } while (arrived_.size() == arrived_before || arrived_.back().event.source == overtaken);
  const Arrived& overtaker = arrived_.back();
  const bool is_served = receivers_.at(overtaker.event.source).receiver->ready();  // a port that was not started holds back what it gets
  weft::assume(is_served && may_overtake(overtaker, earlier));
  served_next_ = overtaker.event.source;
}

bool EventLoop::complete_due_io() {
  const auto first = std::min_element(io_.begin(), io_.end(),
                                      [](const Io& a, const Io& b) { return a.due && (!b.due || *a.due < *b.due); });
  if (first == io_.end() || !first->due || *first->due > now_) return false;
  complete_io(static_cast<std::size_t>(first - io_.begin()));
  return true;
}

std::vector<EventLoop::Job> EventLoop::ready_in_poll() {
  std::vector<Job> ready;
  for (std::size_t i = 0; i < io_.size(); ++i) {
    if (!io_[i].due && !io_[i].waits_for_pool) ready.push_back({[this, i] { complete_io(i); }, 0});
  }
  const std::vector<SourceId> sources = sources_to_serve();
  for (const SourceId source : sources) ready.push_back({[this, source] { deliver_all(source); }, 0});
  if (waiting_for_more_matters(sources))
    ready.push_back({[this, first = sources.front()] { receive_overtaker(first); }, 0});
  return ready;
}

// All that has arrived at one port is handled in one turn.
void EventLoop::deliver_all(SourceId source) {
  served_next_.reset();
  const auto of_source = [source](const Arrived& arrived) { return arrived.event.source == source; };
  for (auto left = std::count_if(arrived_.begin(), arrived_.end(), of_source); left != 0 && !fatal_; --left) {
    const auto next = std::find_if(arrived_.begin(), arrived_.end(), of_source);
    const auto source_of_it = receivers_.find(source);
    if (next == arrived_.end() || source_of_it == receivers_.end() || !source_of_it->second.receiver->ready()) return;
    Arrived arrived = std::move(*next);
    arrived_.erase(next);
    served_.push_back({{source, arrived.event.kind, {}}, arrived.sent, arrived.received});
    run_callback({[to = source_of_it->second.receiver, &arrived] { to->deliver(std::move(arrived.event)); }, 0});
  }
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
    std::vector<Job> ready = ready_in_poll();
    // With work for later phases the loop does not wait here. What is not ready yet may come before what is: nobody
    // knows how long it took.
    const bool may_leave = has_work_for_later_phases();
    const bool may_wait = next_moment().has_value();
    const bool has_message = !sources_to_serve().empty();
    if (ready.empty() && !may_leave && !may_wait) {
      if (!listens()) return;
      receive(false);
      continue;
    }
    if (!has_message && !receivers_.empty()) ready.push_back({[this] { receive(true); }, 0});
    const auto choices = static_cast<std::uint32_t>(ready.size() + (may_leave || may_wait ? 1 : 0));
    const std::uint32_t chosen = choices < 2 ? 0 : weft::choose(choices);
    if (chosen < ready.size()) {
      ready[chosen].run();
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
