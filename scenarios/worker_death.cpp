// A worker of a pool dies with a job in its hands. The parent hears of it ('error', then 'exit'), but nobody rejects
// the promise of the job: its caller waits until its time-out, if it has one, and the pool loses a slot or gains one
// too many. Source: seeds 000, RenderPool and its failure modes; S08, N01, N02, N04, N12b of the catalogue.
// The pool is models/worker_pool.hpp; what differs between broken and fixed is how it hears of a death.
#include <models/promise.hpp>
#include <models/worker_pool.hpp>
#include <weft/scenario.hpp>

namespace {

constexpr js::Milliseconds kTimeOut = 30'000;
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

// --- broken: the pool is mended, the job is forgotten (S08) ---

void forget_the_job(js::WorkerPool& pool, js::Worker worker) {
  const auto mend = [&pool, worker] {
    if (pool.has(worker)) pool.replace(worker);
  };
  worker.on("error", mend);
  worker.on("exit", mend);
}

// --- broken: one death is heard of twice, and replaced twice (N01) ---

void replace_on_error_and_exit(js::WorkerPool& pool, js::Worker worker) {
  worker.on("error", [&pool, worker](const js::Value& error) {
    pool.fail_job_of(worker, error.error());
    pool.replace(worker);
  });
  worker.on("exit", [&pool, worker](const js::Value& code) {
    if (code.number() != 0) pool.replace(worker);
  });
}

// --- broken: a worker that ends with code 0 is thought to be alive (N02) ---

void ignore_clean_exit(js::WorkerPool& pool, js::Worker worker) {
  worker.on("error", [&pool, worker](const js::Value& error) { pool.fail_job_of(worker, error.error()); });
  worker.on("exit", [&pool, worker](const js::Value& code) {
    if (code.number() != 0) pool.replace(worker);
  });
}

// --- fixed: whatever the code, one exit is one death: its job fails now, and one worker takes its place ---

void fail_and_replace_once(js::WorkerPool& pool, js::Worker worker) {
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

  js::Promise<> ask(js::WorkerPool& pool, int page) {
    try {
      co_await pool.run(page);
      ++rendered;
    } catch (const js::Error& error) {
      ++failed;
      weft::check(page == kDeadlyPage || error.message() == js::WorkerPool::kTimedOut, "a death fails no other job");
      if (error.message() == js::WorkerPool::kTimedOut) {
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
  std::optional<js::Milliseconds> time_out = {};
  bool deadly_first = true;
};

template <auto die, auto supervise>
void render(Load load) {
  js::EventLoop loop;
  js::WorkerPool pool(render_worker<die>, supervise, {.size = load.workers, .time_out = load.time_out});
  Caller caller;
  weft::watch("rendered", caller.rendered);
  weft::watch("failed", caller.failed);
  loop.spawn("Request A", [&] { return caller.ask(pool, load.deadly_first ? kDeadlyPage : kHarmlessPage); });
  loop.spawn("Request B", [&] { return caller.ask(pool, load.deadly_first ? kHarmlessPage : kDeadlyPage); });
  if (load.jobs == 3) loop.spawn("Request C", [&] { return caller.ask(pool, kHarmlessPage); });
  loop.run();
  const auto size = static_cast<std::int64_t>(load.workers);
  weft::check_equal(caller.failed + caller.rendered, load.jobs, "each job settles exactly once");
  weft::check(caller.failed >= 1, "the job whose worker died fails");
  weft::check_equal(static_cast<std::int64_t>(pool.live()), size, "live workers = size");
  weft::check_equal(static_cast<std::int64_t>(pool.slots()), size, "no dead worker keeps its slot");
  weft::check_equal(static_cast<std::int64_t>(pool.idle()), size, "no slot leaks");
  if (load.time_out) weft::sometimes(caller.timed_out != 0, "a job times out");
}

template <auto die, auto supervise>
void two_jobs() {
  render<die, supervise>({});
}
template <auto die, auto supervise>
void two_jobs_with_time_outs() {
  render<die, supervise>({.time_out = kTimeOut});
}

/// The third job takes over the worker of the second one, while the first one's dies.
template <auto die, auto supervise>
void two_workers() {
  render<die, supervise>({.workers = 2, .jobs = 3});
}

/// Time-outs beside a death, or before a job that waits. Both at once would be ten times as many executions.
template <auto die, auto supervise>
void time_outs() {
  if (weft::choose(2) == 0) {
    render<die, supervise>({.workers = 2, .jobs = 2, .time_out = kTimeOut, .deadly_first = false});
  } else {
    render<die, supervise>({.workers = 1, .jobs = 3, .time_out = kTimeOut});
  }
}

// Fixed: the worker throws ('error', then 'exit') or ends ('exit'); one execution for each order in which the loop can
// take these, the messages of other workers and, where there are any, time-outs, which may come before any of them.
WEFT_SCENARIO(worker_death)
    .source("seeds 000")
    .model(weft::sc)
    .broken("job_forgotten", two_jobs<throw_error, forget_the_job>, weft::finds::invariant("every task settles"))
    .broken("rejected_by_time_out_only", two_jobs_with_time_outs<throw_error, forget_the_job>,
            weft::finds::invariant("a death fails its job at once, not at the job's time-out"))
    .broken("replaced_twice", two_jobs<throw_error, replace_on_error_and_exit>,
            weft::finds::invariant("live workers = size"))
    .broken("clean_exit_ignored", two_jobs<exit_cleanly, ignore_clean_exit>,
            weft::finds::invariant("every task settles"))
    .fixed("fail_and_replace_once", two_workers<either, fail_and_replace_once>)
    .fixed("fail_and_replace_once_with_time_outs", time_outs<either, fail_and_replace_once>);

}  // namespace
