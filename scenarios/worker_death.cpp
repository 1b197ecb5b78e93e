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

constexpr std::size_t kSize = 1;
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

// --- the pool ---

struct Job {
  int page = 0;
  js::Promise<int> done = js::Promise<int>::pending();
};

class RenderPool {
 public:
  using Attach = void (*)(RenderPool& pool, js::Worker worker);

  /// `has_time_outs`: a job that takes too long is rejected, and its worker terminated.
  RenderPool(js::WorkerModule module, Attach attach, bool has_time_outs)
      : module_(std::move(module)), attach_(attach), has_time_outs_(has_time_outs) {
    for (std::size_t i = 0; i < kSize; ++i) spawn();
  }

  js::Promise<int> run(int page) {
    queue_.push_back({page});
    const js::Promise<int> done = queue_.back().done;
    serve_queue();
    return done;
  }

  /// The job that this worker has, if any, ends with this error.
  void fail_job_of(js::Worker worker, const js::Error& error) {
    for (Slot& slot : slots_) {
      if (slot.worker == worker && slot.job) take_job(slot).done.reject(error);
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
  std::size_t live() const { return slots_.size(); }
  std::size_t idle() const {
    std::size_t count = 0;
    for (const Slot& slot : slots_) count += slot.job ? 0 : 1;
    return count;
  }

 private:
  struct Slot {
    js::Worker worker;
    std::optional<Job> job{};
    js::Timeout timer{};
    bool dying = false;  // terminated: whatever it still sends, it gets no other job
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
    if (has_time_outs_) js::clearTimeout(slot.timer);
    return *std::exchange(slot.job, std::nullopt);
  }
  void time_out(js::Worker worker, const Job& job) {
    const auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& s) { return s.worker == worker; });
    weft::check(slot != slots_.end(), "a death fails its job at once, not at the job's time-out");
    slot->dying = true;
    slot->job.reset();
    job.done.reject(js::Error("render timeout"));
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

  js::Promise<> ask(RenderPool& pool, int page) {
    try {
      co_await pool.run(page);
      ++rendered;
    } catch (const js::Error&) {
      ++failed;
    }
  }
};

template <auto die, auto attach, bool has_time_outs = false>
void two_jobs() {
  js::EventLoop loop;
  RenderPool pool(render_worker<die>, attach, has_time_outs);
  Caller caller;
  weft::watch("rendered", caller.rendered);
  weft::watch("failed", caller.failed);
  loop.spawn("Request A", [&] { return caller.ask(pool, kDeadlyPage); });
  loop.spawn("Request B", [&] { return caller.ask(pool, kHarmlessPage); });
  loop.run();
  weft::check(caller.failed + caller.rendered == 2, "each job settles exactly once");
  weft::check(caller.failed >= 1, "the job whose worker died fails");
  weft::check(pool.live() == kSize, "live workers = size");
  weft::check(pool.idle() == kSize, "no slot leaks");
}

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
    .fixed("fail_and_replace_once", two_jobs<either, fail_and_replace_once>)
    .fixed("fail_and_replace_once_with_time_outs", two_jobs<either, fail_and_replace_once, true>);

}  // namespace
