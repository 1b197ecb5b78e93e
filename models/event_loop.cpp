#include "models/event_loop.hpp"

#include <algorithm>
#include <utility>

#include "models/noted_access.hpp"
#include "models/promise.hpp"

namespace js {
namespace {

using Does = weft::detail::Note::Does;

thread_local EventLoop* current_loop = nullptr;

/// On real threads scenarios are larger, and callbacks cheaper.
constexpr std::uint64_t kMostCallbacksUnderStress = 1'000'000;

/// A choice that is not shown: what comes of it is. Inlined, so that each has a place of its own, by which fuzzers tell
/// them apart.
[[gnu::always_inline]] inline std::uint32_t choose_unshown(std::uint32_t n) {
  weft::detail::show_steps(false);
  const std::uint32_t chosen = weft::choose(n);
  weft::detail::show_steps(true);
  return chosen;
}

}  // namespace

// --- life ---

EventLoop::EventLoop(Time time, Mailbox* mailbox)
    : time_(time),
      mailbox_(mailbox),
      own_sleep_(mailbox == nullptr ? std::make_unique<Sleep>() : nullptr),
      sleep_(mailbox == nullptr ? own_sleep_.get() : &mailbox->sleep) {
  weft::check(current_loop == nullptr, "one event loop at a time on a thread");
  if (weft::detail::under_stress()) most_callbacks_ = kMostCallbacksUnderStress;
  current_loop = this;
  if (mailbox != nullptr) return;
  weft::name_thread("Event loop");
  name_part(*own_sleep_, "any Atomics.notify");
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
  weft::detail::runs_callbacks(true);
  weft::detail::run_stoppable([this] { run_phases(); });
  is_running_ = false;
  for (const Callback& action : std::exchange(at_end_, {})) action();
  if (!stopped_ && !fatal_) check_tasks();
  weft::detail::runs_callbacks(false);
  if (fatal_ && !stopped_) throw *fatal_;
}

void EventLoop::run(Callback module) {
  queueMicrotask(std::move(module));
  run();
}

void EventLoop::run_phases() {
  drain();
  bool is_first = is_alive();  // the first timers phase is followed by a round even if it leaves nothing
  bool goes_on = is_first;
  // A module may have been run in the poll phase, whose round ends with timers, due ones without a reference included.
  if (is_first || time_ == Time::free) run_timers(goes_on);
  while (!fatal_ && (goes_on || is_alive())) {
    run_all(pending_);
    run_poll();
    run_check();
    run_all(closing_);
    // If nothing has come but the time of a timer, that may still be the first timers phase.
    is_first = is_first && may_still_fire_ && timer_is_due_;
    goes_on = is_first;
    run_timers(goes_on);
  }
}

bool EventLoop::is_alive() {
  if (has_work_for_later_phases() || !io_.empty() || timers_.any_with_ref() || listens()) return true;
  const std::vector<SourceId> here = with_certain_messages();
  return std::any_of(here.begin(), here.end(), [this](SourceId id) { return sources_.at(id).receiver->is_drained(); });
}

bool EventLoop::listens() const {
  return std::any_of(sources_.begin(), sources_.end(),
                     [](const auto& entry) { return entry.second.receiver->keeps_alive(); });
}

void EventLoop::check_tasks() {
  for (const Task& task : tasks_) {
    if (task.settled()) continue;
    enter_task(task.number);
    note_access(Does::starves, [&] {
      return NotedAccess{"never settles: nothing is left that could resume " + task.name, "", ""};
    });
    enter_task(0);
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

void EventLoop::add_task(const char* name, std::uint32_t number, std::function<bool()> settled) {
  tasks_.push_back({name, number, std::move(settled)});
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
  count_callback(nullptr);
  // The platform leaves its loop over a list with the exception, and begins with the next entry: what the callback that
  // threw has queued waits for that one, too.
  if (run_job(job) || !another_follows) drain();
}

void EventLoop::count_callback(const Timer* timer) {
  if (++callbacks_run_ < most_callbacks_) return;
  if (timer == nullptr || !timer->repeats) {
    const auto interval = std::find_if(timers_.armed().begin(), timers_.armed().end(),
                                       [](const Timer* armed) { return armed->repeats && armed->has_ref; });
    timer = interval == timers_.armed().end() ? nullptr : *interval;
  }
  std::string sentence = "the event loop ends";
  if (timer != nullptr) {
    const std::string_view file = timer->where.file;
    sentence += ": the interval of " + std::to_string(timer->delay) + " ms set at " +
                std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(timer->where.line) +
                " keeps it alive";
  }
  sentence += ", after " + std::to_string(callbacks_run_) + " callbacks";
  weft::check(false, sentence.c_str());
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
      has_work_for_later_phases() ||
      std::any_of(timers_.armed().begin(), timers_.armed().end(),
                  [this](const Timer* timer) { return time_ == Time::free || timer->due <= now_; });
  microtasks_in_a_row_ = something_is_ready ? microtasks_in_a_row_ + 1 : 0;
  if (!most_microtasks_ || microtasks_in_a_row_ <= *most_microtasks_) return;
  say_who_waits();
  weft::check(false, turn_invariant_.c_str());
}

void EventLoop::say_who_waits() {
  const auto say = [this](std::uint32_t task, const std::string& what) {
    enter_task(task);
    note_access(Does::starves, [&] {
      return NotedAccess{
          what + " has not run: " + std::to_string(microtasks_in_a_row_) + " microtasks in a row went first", "", ""};
    });
    enter_task(0);
  };
  for (const Timer* const timer : timers_.armed()) {
    if (time_ == Time::free || timer->due <= now_)
      return say(timer->task, "timer of " + std::to_string(timer->delay) + " ms");
  }
  if (!immediates_.empty()) return say(immediates_.front().job.task, "setImmediate");
  if (!ready_.empty()) say(ready_.front().task, "the next callback");
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

Timeout EventLoop::setTimeout(Callback callback, Milliseconds delay, SourceLocation where) {
  return set_timer(std::move(callback), delay, false, where);
}

Timeout EventLoop::setInterval(Callback callback, Milliseconds delay, SourceLocation where) {
  return set_timer(std::move(callback), delay, true, where);
}

Timeout EventLoop::set_timer(Callback callback, Milliseconds delay, bool repeats, SourceLocation where) {
  Timer& timer = heap_.make<Timer>();
  timer.callback = std::move(callback);
  timer.delay = std::max<Milliseconds>(delay, 1);
  timer.repeats = repeats;
  timer.task = task_;
  timer.where = where;
  arm(timer);
  return Timeout(timer);
}

void EventLoop::arm(Timer& timer) {
  note([&] {
    return std::string(timer.repeats ? "setInterval" : "setTimeout") + ": " + std::to_string(timer.delay) + " ms";
  });
  timer.chain = chain_;
  timer.progress = progress_;
  timers_.arm(timer);
}

void EventLoop::clearTimeout(Timeout timeout) {
  if (timeout.timer_ != nullptr) timers_.clear(*timeout.timer_);
}

// Whether something could come that a timer need not wait for.
bool EventLoop::waits_for_others() const { return !io_.empty() || listens(); }

void EventLoop::fire(Timer& timer) {
  if (weft::detail::in_execution() && time_ == Time::free && timer.progress == progress_ &&
      timer.chain >= most_timers_in_a_row_ && waits_for_others()) {
    weft::detail::leave_out(
        "executions were left out in which a chain of timers fires in a row while I/O or a message "
        "could come (EventLoop::set_most_timers_in_a_row)");
  }
  checkpoint();
  enter_task(timer.task);
  note([&] {
    std::string text = "timer of " + std::to_string(timer.delay) + " ms fires";
    if (time_ == Time::exact && now_ > timer.due)
      text += " at " + std::to_string(now_) + " ms, due at " + std::to_string(timer.due) + " ms";
    return text;
  });
  if (time_ == Time::free) now_ = std::max(now_, timer.due);
  max_lag_ = std::max(max_lag_, now_ - timer.due);
  timers_.fire(timer);
  count_callback(&timer);
  chain_ = timer.progress == progress_ ? timer.chain + 1 : 1;
  const bool returned = run_job({timer.callback, timer.task});
  timers_.ran(timer);
  timer.chain = chain_;
  timer.progress = progress_;
  // The platform leaves its loop over timers with an exception, and begins again with the next one that is due: what
  // the callback that threw has queued waits for that one, too.
  if (returned) drain();
  chain_ = 0;
}

void EventLoop::leave_timers_phase() {
  may_still_fire_ = false;
  timers_.leave();
}

void EventLoop::run_timers(bool another_follows) {
  bool must_fire = std::exchange(timer_is_due_, false);
  for (bool begin = true; !fatal_; begin = false) {
    const bool queued = !ticks_.empty() || !microtasks_.empty() || !rejections_.empty();
    // Whether anything but timers could be next, if this phase ends without more.
    const bool others = has_work_for_later_phases() || !io_.empty() || !sources_.empty() || queued;
    const bool goes_on = another_follows || is_alive();
    const bool is_free = time_ == Time::free;
    // With nothing else, nobody can tell whether a timer fires in this phase or in the next one.
    const bool only_timers = is_free && !others && is_alive();
    // With nothing for the phases in between, the poll phase decides whether something there comes first.
    const bool polls_first =
        is_free && !must_fire && !only_timers && goes_on && !queued && !has_work_for_later_phases();
    if (polls_first && timers_.can_leave()) {
      may_still_fire_ = true;
      return;
    }
    const std::vector<Timer*>& candidates =
        timers_.candidates(begin, only_timers || must_fire || (begin && may_still_fire_));
    const bool may_leave = candidates.empty() || (is_free && !must_fire && !only_timers && timers_.can_leave());
    const auto choices = static_cast<std::uint32_t>(candidates.size() + (may_leave ? 1 : 0));
    const std::uint32_t chosen = choices == 1 ? 0 : choose_unshown(choices);
    if (chosen == candidates.size()) {
      if (choices != 1) note([] { return std::string("no timer is due yet"); });
      leave_timers_phase();
      break;
    }
    must_fire = may_still_fire_ = false;
    fire(*candidates[chosen]);
  }
  drain();  // if the callback that was to follow one that threw did not come
}

// --- I/O and messages ---

void EventLoop::start_io(Callback done, std::optional<Milliseconds> takes, const char* what) {
  io_.push_back({.takes = takes, .what = what, .job = {std::move(done), task_}});
  if (takes && time_ == Time::exact) io_.back().due = now_ + *takes;
}

void EventLoop::start_pool_work(Callback done, std::optional<Milliseconds> takes, const char* what) {
  io_.push_back(
      {.takes = takes, .uses_pool = true, .waits_for_pool = true, .what = what, .job = {std::move(done), task_}});
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
  if (may_still_fire_) leave_timers_phase();
  ++progress_;
  const Io io = std::move(io_[which]);
  io_.erase(io_.begin() + static_cast<std::ptrdiff_t>(which));
  if (io.uses_pool) start_waiting_pool_work();
  enter_task(io.job.task);
  note([&] { return std::string(io.what) + " completes"; });
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
  while (!fatal_ && listens_to(source) && sources_.at(source).receiver->may_take_more() && choose_unshown(2) != 0) {
    event = channel.receive_by_choice({}, true);
    if (!event) return;
    handle(source, std::move(*event));
  }
}

void EventLoop::handle(SourceId source, Event event) {
  if (event.kind == EventKind::stop) exit(1);
  if (may_still_fire_) leave_timers_phase();
  ++progress_;
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
  if (const std::optional<Milliseconds> due = timers_.next_moment()) consider(*due);
  for (const Io& io : io_) {
    if (io.due) consider(*io.due);
  }
  return next;
}

// Lets time pass until a timer or an I/O operation is due. The timers phase is next, unless I/O is due.
void EventLoop::wait_for_next_moment() {
  if (const std::optional<Milliseconds> next = next_moment()) now_ = std::max(now_, *next);
  timer_is_due_ = time_ == Time::free;
}

void EventLoop::run_poll() {
  run_all(ready_);
  // What is here when the phase begins comes in it, even if something else of it leaves nothing alive. Unless the loop
  // is at its end already: then its last timer may have fired in a later phase, after which nothing is polled.
  std::vector<SourceId> here;
  if (is_alive()) here = with_certain_messages();
  bool was_pool_work = false;
  while (!fatal_) {
    if (complete_due_io()) continue;
    std::vector<std::size_t> completions;
    for (std::size_t i = 0; i < io_.size(); ++i) {
      if (!io_[i].due && !io_[i].waits_for_pool) completions.push_back(i);
    }
    // With work for later phases the loop does not wait here, nor if nothing keeps it alive. What is not ready yet may
    // come before what is: nobody knows how long it took.
    const bool is_dead = !is_alive();
    const bool may_wait = !is_dead && (!timers_.armed().empty() || next_moment().has_value());
    std::vector<SourceId> sources;
    if (is_dead) {
      sources = with_certain_messages();
      // What pool work has sent is received at once: both come by the same way.
      if (!was_pool_work) {
        std::erase_if(sources, [&](SourceId id) { return std::find(here.begin(), here.end(), id) == here.end(); });
      }
    }
    const bool certainly_receives = !sources.empty();
    if (!certainly_receives) {
      for (const auto& [source, ends] : sources_) sources.push_back(source);
    }
    const bool may_leave = has_work_for_later_phases() || (is_dead && !certainly_receives);
    const bool only_messages = completions.empty() && !may_leave && !may_wait;
    const std::size_t ready = completions.size() + sources.size();
    const auto choices = static_cast<std::uint32_t>(ready + (may_leave || may_wait ? 1 : 0));
    if (choices == 0) return;
    const std::uint32_t chosen = choices == 1 ? 0 : choose_unshown(choices);
    if (chosen < completions.size()) {
      was_pool_work = io_[completions[chosen]].uses_pool;
      complete_io(completions[chosen]);
    } else if (chosen < ready) {
      const SourceId source = sources[chosen - completions.size()];
      std::erase(here, source);
      receive(source, !only_messages);
    } else if (may_leave) {
      if (!is_dead && choices != 1) note([] { return std::string("nothing more has come: on to the next phase"); });
      return;
    } else {
      note([] { return std::string("nothing comes before the next timer is due"); });
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
  drain();  // as in run_timers()
}

}  // namespace js
