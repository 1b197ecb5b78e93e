// A worker of a pool dies with a job in its hands. The parent hears of it ('error', then 'exit'), but nobody rejects
// the promise of the job: its caller waits until its time-out, if it has one, and the pool loses a slot or gains one
// too many. Source: seeds 000, RenderPool and its failure modes; S08, N01, N02, N04, N12b of the catalogue.
#include <algorithm>
#include <deque>
#include <models/promise.hpp>
#include <models/worker.hpp>
#include <vector>
#include <weft/scenario.hpp>

namespace {

constexpr js::Milliseconds kTimeOut = 30'000;
constexpr const char* kTimedOut = "render timeout";
constexpr int kDeadlyPage = 1;
constexpr int kHarmlessPage = 2;

// --- the worker's side: how it dies ---

void throw_error(js::WorkerScope&) { throw js::Error("out of memory"); }
void exit_cleanly(js::WorkerScope&) { js::process::exit(0); }
void either(js::WorkerScope& self) { weft::choose(2) == 0 ? throw_error(self) : exit_cleanly(self); }

template <auto die>
void render_worker(js::WorkerScope& self) {
  self.parentPort.on("message", [&self](const js::Value& page) {
    if (static_cast<int>(page.number()) == kDeadlyPage) die(self);
    self.parentPort.postMessage(page);
  });
}

// --- the pool ---

struct Job {
  int page = 0;
  js::Promise<int> done = js::Promise<int>::pending();
};

class RenderPool {
 public:
  using Attach = void (*)(RenderPool& pool, js::Worker worker);

  /// `has_time_outs`: a job that takes too long is rejected, and its worker terminated.
  RenderPool(std::size_t size, js::WorkerModule module, Attach attach, bool has_time_outs)
      : module_(std::move(module)), attach_(attach), has_time_outs_(has_time_outs) {
    for (std::size_t i = 0; i < size; ++i) spawn();
  }

  js::Promise<int> run(int page) {
    queue_.push_back({page});
    const js::Promise<int> done = queue_.back().done;
    serve_queue();
    return done;
  }

  /// This worker is on its way out: the job that it has, if any, ends with this error, and it gets no other one.
  void fail_job_of(js::Worker worker, const js::Error& error) {
    for (Slot& slot : slots_) {
      if (!(slot.worker == worker)) continue;
      slot.dying = true;
      if (slot.job) take_job(slot).done.reject(error);
    }
  }
  /// Drops the dead worker, and starts another one.
  void replace(js::Worker dead) {
    std::erase_if(slots_, [&](const Slot& slot) { return slot.worker == dead; });
    spawn();
    serve_queue();
  }

  bool has(js::Worker worker) const {
    return std::any_of(slots_.begin(), slots_.end(), [&](const Slot& slot) { return slot.worker == worker; });
  }
  std::size_t slots() const { return slots_.size(); }
  std::size_t live() const {
    std::size_t count = 0;
    for (const Slot& slot : slots_) count += slot.dying ? 0 : 1;
    return count;
  }
  std::size_t idle() const {
    std::size_t count = 0;
    for (const Slot& slot : slots_) count += slot.job || slot.dying ? 0 : 1;
    return count;
  }

 private:
  struct Slot {
    js::Worker worker;
    std::optional<Job> job{};
    js::Timeout timer{};
    bool dying = false;  // failed or terminated: whatever it still sends, it gets no other job
  };

  void spawn() {
    const js::Worker worker(module_, {.name = "Worker " + std::to_string(++spawned_)});
    worker.unref();  // an idle pool does not keep the process alive
    worker.on("message", [this, worker](const js::Value& page) { finish(worker, static_cast<int>(page.number())); });
    attach_(*this, worker);
    slots_.push_back({worker});
  }
  void serve_queue() {
    for (Slot& slot : slots_) {
      if (slot.job || slot.dying || queue_.empty()) continue;
      slot.job = queue_.front();
      queue_.pop_front();
      slot.worker.ref();
      if (has_time_outs_)
        slot.timer = js::setTimeout([this, job = *slot.job, worker = slot.worker] { time_out(worker, job); }, kTimeOut);
      slot.worker.postMessage(slot.job->page);
    }
  }
  Job take_job(Slot& slot) {
    js::clearTimeout(slot.timer);
    return std::exchange(slot.job, std::nullopt).value();
  }
  void time_out(js::Worker worker, const Job& job) {
    const auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& s) { return s.worker == worker; });
    weft::check(slot != slots_.end(), "a death fails its job at once, not at the job's time-out");
    slot->dying = true;
    slot->job.reset();
    job.done.reject(js::Error(kTimedOut));
    (void)worker.terminate();
  }
  void finish(js::Worker worker, int page) {
    for (Slot& slot : slots_) {
      if (!(slot.worker == worker) || !slot.job) continue;
      worker.unref();
      take_job(slot).done.resolve(page);
    }
    serve_queue();
  }

  js::WorkerModule module_;
  Attach attach_;
  bool has_time_outs_;
  int spawned_ = 0;
  std::vector<Slot> slots_;
  std::deque<Job> queue_;
};

// --- broken: the pool is mended, the job is forgotten (S08) ---

void forget_the_job(RenderPool& pool, js::Worker worker) {
  const auto mend = [&pool, worker] {
    if (pool.has(worker)) pool.replace(worker);
  };
  worker.on("error", mend);
  worker.on("exit", mend);
}

// --- broken: one death is heard of twice, and replaced twice (N01) ---

void replace_on_error_and_exit(RenderPool& pool, js::Worker worker) {
  worker.on("error", [&pool, worker](const js::Value& error) {
    pool.fail_job_of(worker, error.error());
    pool.replace(worker);
  });
  worker.on("exit", [&pool, worker](const js::Value& code) {
    if (code.number() != 0) pool.replace(worker);
  });
}

// --- broken: a worker that ends with code 0 is thought to be alive (N02) ---

void ignore_clean_exit(RenderPool& pool, js::Worker worker) {
  worker.on("error", [&pool, worker](const js::Value& error) { pool.fail_job_of(worker, error.error()); });
  worker.on("exit", [&pool, worker](const js::Value& code) {
    if (code.number() != 0) pool.replace(worker);
  });
}

// --- fixed: whatever the code, one exit is one death: its job fails now, and one worker takes its place ---

void fail_and_replace_once(RenderPool& pool, js::Worker worker) {
  worker.on("error", [&pool, worker](const js::Value& error) { pool.fail_job_of(worker, error.error()); });
  worker.on("exit", [&pool, worker](const js::Value& code) {
    pool.fail_job_of(worker, js::Error("worker exit " + code.to_string()));
    pool.replace(worker);
  });
}

struct Caller {
  int rendered = 0;
  int failed = 0;
  int timed_out = 0;  // of those

  js::Promise<> ask(RenderPool& pool, int page) {
    try {
      co_await pool.run(page);
      ++rendered;
    } catch (const js::Error& error) {
      ++failed;
      weft::check(page == kDeadlyPage || error.message() == kTimedOut, "a death fails no other job");
      if (error.message() == kTimedOut) {
        ++timed_out;
      } else {
        weft::sometimes(error.message() == "out of memory", "the caller hears of what the worker died");
      }
    }
  }
};

struct Load {
  std::size_t workers = 1;
  int jobs = 2;
  bool has_time_outs = false;
  bool deadly_first = true;
};

template <auto die, auto attach>
void render(Load load) {
  js::EventLoop loop;
  RenderPool pool(load.workers, render_worker<die>, attach, load.has_time_outs);
  Caller caller;
  weft::watch("rendered", caller.rendered);
  weft::watch("failed", caller.failed);
  loop.spawn("Request A", [&] { return caller.ask(pool, load.deadly_first ? kDeadlyPage : kHarmlessPage); });
  loop.spawn("Request B", [&] { return caller.ask(pool, load.deadly_first ? kHarmlessPage : kDeadlyPage); });
  if (load.jobs == 3) loop.spawn("Request C", [&] { return caller.ask(pool, kHarmlessPage); });
  loop.run();
  weft::check(caller.failed + caller.rendered == load.jobs, "each job settles exactly once");
  weft::check(caller.failed >= 1, "the job whose worker died fails");
  weft::check(pool.live() == load.workers, "live workers = size");
  weft::check(pool.slots() == load.workers, "no dead worker keeps its slot");
  weft::check(pool.idle() == load.workers, "no slot leaks");
  if (load.has_time_outs) weft::sometimes(caller.timed_out != 0, "a job times out");
}

template <auto die, auto attach, bool has_time_outs = false>
void two_jobs() {
  render<die, attach>({.has_time_outs = has_time_outs});
}

/// The third job takes over the worker of the second one, while the first one's dies.
template <auto die, auto attach>
void two_workers() {
  render<die, attach>({.workers = 2, .jobs = 3});
}

/// Time-outs beside a death, or before a job that waits. Both at once would be ten times as many executions.
template <auto die, auto attach>
void time_outs() {
  if (weft::choose(2) == 0) {
    render<die, attach>({.workers = 2, .jobs = 2, .has_time_outs = true, .deadly_first = false});
  } else {
    render<die, attach>({.workers = 1, .jobs = 3, .has_time_outs = true});
  }
}

// Fixed: the worker throws ('error', then 'exit') or ends ('exit'); one execution for each order in which the loop can
// take these, the messages of other workers and, where there are any, time-outs, which may come before any of them.
WEFT_SCENARIO(worker_death)
    .source("seeds 000")
    .model(weft::sc)
    .broken("job_forgotten", two_jobs<throw_error, forget_the_job>, weft::finds::invariant("every task settles"))
    .broken("rejected_by_time_out_only", two_jobs<throw_error, forget_the_job, true>,
            weft::finds::invariant("a death fails its job at once, not at the job's time-out"))
    .broken("replaced_twice", two_jobs<throw_error, replace_on_error_and_exit>,
            weft::finds::invariant("live workers = size"))
    .broken("clean_exit_ignored", two_jobs<exit_cleanly, ignore_clean_exit>,
            weft::finds::invariant("every task settles"))
    .fixed("fail_and_replace_once", two_workers<either, fail_and_replace_once>)
    .fixed("fail_and_replace_once_with_time_outs", time_outs<either, fail_and_replace_once>);

}  // namespace
