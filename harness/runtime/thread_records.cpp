#include "runtime/thread_records.hpp"

#include <array>

#include "runtime/mutex.hpp"
#include "runtime/rwlock.hpp"
#include "runtime/thread_specific.hpp"

namespace weft {
namespace {

std::array<ThreadRecord, kMaxThreads> records;

}  // namespace

void ThreadRecord::reset(std::uint32_t new_run) {
  run = new_run;
  name[0] = '\0';
  specific.clear();
  destructors.clear();
  retries.clear();
  keys_created = sleeps = mutexes_held = rwlocks_held = 0;
  sleeps_with = nullptr;
  waiting = {};
  now = 0;
  tasks = 0;
  exit = nullptr;
  stopped = false;
  left_behind.clear();
}

ThreadRecord& thread_record(Execution& execution, ThreadId t) {
  ThreadRecord& record = records[index(t)];
  if (record.run != execution.run_number()) record.reset(execution.run_number());
  return record;
}

void run_thread_destructors(Execution& execution) {
  ThreadRecord& record = running_record(execution);
  // A destructor may make another thread_local object; that one goes next.
  while (!record.destructors.empty()) {
    const ThreadRecord::Destructor next = record.destructors.back();
    record.destructors.pop_back();
    next.function(next.object);
  }
  run_specific_destructors(record);
  if (record.mutexes_held != 0) warn_of_held_mutexes(execution);
  if (record.rwlocks_held != 0) warn_of_held_rwlocks(execution);
}

}  // namespace weft
