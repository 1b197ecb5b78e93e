// Clocks and sleeping inside an execution: virtual time, see virtual_time.hpp. Nothing ever waits for real.
//
// poll, select, epoll, timer_* and timerfd_* are out of scope: they are the real ones.
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "runtime/real_functions.hpp"
#include "runtime/virtual_time.hpp"

namespace weft {
namespace {

constinit RealFunction real_clock_gettime{clock_gettime, "clock_gettime"};
constinit RealFunction<int(timeval*, void*)> real_gettimeofday{nullptr, "gettimeofday"};
constinit RealFunction real_time{time, "time"};
constinit RealFunction real_nanosleep{nanosleep, "nanosleep"};
constinit RealFunction real_clock_nanosleep{clock_nanosleep, "clock_nanosleep"};
constinit RealFunction real_usleep{usleep, "usleep"};
constinit RealFunction real_sleep{sleep, "sleep"};

void sleep_until(Execution& execution, VirtualTime time) {
  execution.running().spin.note_passing_time();
  VirtualTime& now = running_record(execution).now;
  now = std::max(now, time);
}
void pass_time(Execution& execution, VirtualTime span) { sleep_until(execution, running_record(execution).now + span); }

VirtualTime read_clock(Execution& execution) {
  execution.running().spin.note_clock();
  return running_record(execution).now;
}

bool is_valid(const timespec& time) { return time.tv_nsec >= 0 && time.tv_nsec < 1'000'000'000; }

}  // namespace
}  // namespace weft

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_clock_gettime(clock, time);
  *time = time_of_clock(clock, read_clock(*execution));
  return 0;
}

int gettimeofday(timeval* time, void* zone) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_gettimeofday(time, zone);
  const timespec now = time_of_clock(CLOCK_REALTIME, read_clock(*execution));
  *time = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* result) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_time(result);
  const time_t now = time_of_clock(CLOCK_REALTIME, read_clock(*execution)).tv_sec;
  if (result != nullptr) *result = now;
  return now;
}

int nanosleep(const timespec* span, timespec* rest) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_nanosleep(span, rest);
  if (!is_valid(*span) || span->tv_sec < 0) {
    errno = EINVAL;
    return -1;
  }
  pass_time(*execution, nanoseconds(*span));
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_clock_nanosleep(clock, flags, time, rest);
  if (!is_valid(*time)) return EINVAL;
  if ((flags & TIMER_ABSTIME) == 0) {
    pass_time(*execution, nanoseconds(*time));
  } else {
    sleep_until(*execution, virtual_time(clock, *time));
  }
  return 0;
}

int usleep(useconds_t span) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_usleep(span);
  pass_time(*execution, VirtualTime{span} * 1000);
  return 0;
}

unsigned sleep(unsigned seconds) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_sleep(seconds);
  pass_time(*execution, VirtualTime{seconds} * 1'000'000'000);
  return 0;
}

}  // extern "C"
