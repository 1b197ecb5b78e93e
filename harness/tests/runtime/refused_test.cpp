// What is not modelled says so, instead of handing a model thread's handle to the C library.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include "explore_body.hpp"

namespace weft::test {
namespace {

void expect_refused(const std::function<void(Recorder&)>& body, const char* beginning) {
  const Explored explored = explore_body(body);
  EXPECT_EQ(explored.counts.executions, 0u);
  ASSERT_EQ(explored.kinds.size(), 1u);
  EXPECT_EQ(explored.kinds[0], FindingKind::unsupported);
  EXPECT_EQ(explored.findings.begin()->first.find(beginning), 0u) << explored.findings.begin()->first;
}

TEST(Refused, SignalsToAThread) {
  expect_refused([](Recorder&) { pthread_kill(pthread_self(), SIGUSR1); }, "pthread_kill is not modelled");
}

TEST(Refused, AThreadsAttributes) {
  expect_refused(
      [](Recorder&) {
        pthread_attr_t attributes;
        pthread_getattr_np(pthread_self(), &attributes);
      },
      "pthread_getattr_np is not modelled");
}

TEST(Refused, RobustMutexes) {
  expect_refused(
      [](Recorder&) {
        pthread_mutexattr_t robust;
        pthread_mutexattr_init(&robust);
        pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
        pthread_mutex_t mutex;
        pthread_mutex_init(&mutex, &robust);
      },
      "a robust mutex is not modelled");
}

TEST(Refused, NamedSemaphoresOpenedInAnExecution) {
  expect_refused([](Recorder&) { sem_open("/weft_test", O_CREAT, 0600, 1); }, "sem_open is not modelled");
}

TEST(Refused, OutsideOfAnExecutionAllOfThemAreReal) {
  EXPECT_EQ(pthread_kill(pthread_self(), 0), 0);
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  pthread_attr_destroy(&attributes);
  const std::string name = "/weft_test_" + std::to_string(getpid());
  sem_t* const semaphore = sem_open(name.c_str(), O_CREAT | O_EXCL, 0600, 2);
  ASSERT_NE(semaphore, SEM_FAILED);
  int value = 0;
  EXPECT_EQ(sem_getvalue(semaphore, &value), 0);
  EXPECT_EQ(value, 2);
  sem_close(semaphore);
  sem_unlink(name.c_str());
}

}  // namespace
}  // namespace weft::test
