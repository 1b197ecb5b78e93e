#include "models/worker_pool.hpp"

#include <algorithm>
#include <utility>

#include "models/noted_access.hpp"

namespace js {

WorkerPool::WorkerPool(WorkerModule module, Supervision supervise, Options options)
    : module_(std::move(module)), supervise_(supervise), options_(options) {
  for (std::size_t i = 0; i < options_.size; ++i) spawn();
}

Promise<Value> WorkerPool::run(const Value& payload, const TransferList& transfer) {
  if (idle() == 0 && queue_.size() >= options_.max_queue) return rejected<Value>(Error(kQueueFull));
  queue_.push_back({payload, transfer});
  const Promise<Value> done = queue_.back().done;
  serve_queue();
  if (!queue_.empty()) note([&] { return "the job waits in the pool's queue"; });
  return done;
}

void WorkerPool::spawn() {
  const Worker worker(module_, {.name = "Worker " + std::to_string(++spawned_)});
  worker.unref();  // an idle pool does not keep the process alive
  worker.on("message", [this, worker](const Value& result) { finish(worker, result); });
  supervise_(*this, worker);
  slots_.push_back({worker});
}

void WorkerPool::serve_queue() {
  for (Slot& slot : slots_) {
    if (slot.job || slot.dying || queue_.empty()) continue;
    slot.job = queue_.front();
    queue_.pop_front();
    slot.worker.ref();
    if (options_.time_out)
      slot.timer =
          setTimeout([this, job = *slot.job, worker = slot.worker] { time_out(worker, job); }, *options_.time_out);
    slot.worker.postMessage(slot.job->payload, slot.job->transfer);
  }
}

WorkerPool::Job WorkerPool::take_job(Slot& slot) {
  clearTimeout(slot.timer);
  return std::exchange(slot.job, std::nullopt).value();
}

void WorkerPool::finish(Worker worker, const Value& result) {
  for (Slot& slot : slots_) {
    if (!(slot.worker == worker) || !slot.job) continue;
    worker.unref();
    take_job(slot).done.resolve(result);
  }
  serve_queue();
}

void WorkerPool::time_out(Worker worker, const Job& job) {
  const auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& s) { return s.worker == worker; });
  weft::check(slot != slots_.end(), "a death fails its job at once, not at the job's time-out");
  slot->dying = true;
  slot->job.reset();
  job.done.reject(Error(kTimedOut));
  (void)worker.terminate();
}

void WorkerPool::fail_job_of(Worker worker, const Error& error) {
  for (Slot& slot : slots_) {
    if (!(slot.worker == worker)) continue;
    slot.dying = true;
    if (slot.job) take_job(slot).done.reject(error);
  }
}

void WorkerPool::say_replacement_of(Worker dead) const {
  note_access(weft::detail::Note::Does::replaces, [&] {
    const std::string next = "Worker " + std::to_string(spawned_ + 1);
    return NotedAccess{"pool.replace(" + dead.name() + "): " +
                           (has(dead) ? next + " takes its place" : "it has no place any more; " + next + " is added"),
                       dead.name(), next};
  });
}

void WorkerPool::replace(Worker dead) {
  say_replacement_of(dead);
  std::erase_if(slots_, [&](const Slot& slot) { return slot.worker == dead; });
  spawn();
  serve_queue();
}

bool WorkerPool::has(Worker worker) const {
  return std::any_of(slots_.begin(), slots_.end(), [&](const Slot& slot) { return slot.worker == worker; });
}

std::size_t WorkerPool::live() const {
  return static_cast<std::size_t>(
      std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return !slot.dying; }));
}

std::size_t WorkerPool::idle() const {
  return static_cast<std::size_t>(
      std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return !slot.job && !slot.dying; }));
}

}  // namespace js
