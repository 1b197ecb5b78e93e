// POSIX and C++ threads run as model threads.
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "explore_body.hpp"

namespace weft::test {
namespace {

TEST(Threads, StdThreadsRunAndAreJoinedInOneExecution) {
  const Explored explored = explore_body([](Recorder& record) {
    int first = 0;
    int second = 0;
    std::thread a([&] { first = 1; });
    std::thread b([&] { second = 2; });
    a.join();
    b.join();
    record(static_cast<std::uint64_t>(first + second));
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), std::vector<std::string>{"3"});
  EXPECT_TRUE(explored.findings.empty());
}

TEST(Threads, JthreadJoinsAtTheEndOfItsScope) {
  const Explored explored = explore_body([](Recorder& record) {
    int value = 0;
    { std::jthread a([&] { value = 7; }); }
    record(static_cast<std::uint64_t>(value));
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_EQ(explored.outcome_set(), std::vector<std::string>{"7"});
}

TEST(Threads, PthreadSelfNamesTheModelThread) {
  const Explored explored = explore_body([](Recorder& record) {
    const pthread_t main = pthread_self();
    pthread_t inner{};
    pthread_t handle{};
    pthread_create(&handle, nullptr, [](void* p) -> void* {
      *static_cast<pthread_t*>(p) = pthread_self();
      return p;
    }, &inner);
    void* result = nullptr;
    record(static_cast<std::uint64_t>(pthread_join(handle, &result)));
    record(pthread_equal(inner, handle) != 0);
    record(pthread_equal(inner, main) != 0);
    record(result == &inner);
  });
  EXPECT_EQ(explored.outcome_set(), std::vector<std::string>{"0 1 0 1"});
}

TEST(Threads, JoiningTwiceOrADetachedThreadOrOneselfIsAnError) {
  const Explored explored = explore_body([](Recorder& record) {
    const auto nothing = [](void*) -> void* { return nullptr; };
    pthread_t a{};
    pthread_t b{};
    pthread_create(&a, nullptr, nothing, nullptr);
    pthread_create(&b, nullptr, nothing, nullptr);
    record(static_cast<std::uint64_t>(pthread_join(a, nullptr)));
    record(pthread_join(a, nullptr) == ESRCH);
    pthread_detach(b);
    record(pthread_join(b, nullptr) == EINVAL);
    record(pthread_join(pthread_self(), nullptr) == EDEADLK);
  });
  EXPECT_EQ(explored.outcome_set(), std::vector<std::string>{"0 1 1 1"});
}

TEST(Threads, TryJoinFindsTheThreadRunningOrEnded) {
  const Explored explored = explore_body([](Recorder& record) {
    pthread_t a{};
    pthread_create(&a, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
    const int error = pthread_tryjoin_np(a, nullptr);
    record(error == EBUSY);
    if (error == EBUSY) pthread_join(a, nullptr);
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), (std::vector<std::string>{"0", "1"}));
}

struct CountsDestruction {
  int* count;
  ~CountsDestruction() { ++*count; }
};

TEST(Threads, PthreadExitUnwindsTheStackAndRunsThreadLocalDestructors) {
  const Explored explored = explore_body([](Recorder& record) {
    static int destroyed;
    destroyed = 0;
    pthread_t a{};
    pthread_create(&a, nullptr, [](void*) -> void* {
      const CountsDestruction on_stack{&destroyed};
      [] {
        const CountsDestruction deeper{&destroyed};
        pthread_exit(&destroyed);
      }();
      return nullptr;
    }, nullptr);
    void* result = nullptr;
    pthread_join(a, &result);
    record(static_cast<std::uint64_t>(destroyed));
    record(result == &destroyed);
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_EQ(explored.outcome_set(), std::vector<std::string>{"2 1"});
}

TEST(Threads, PthreadExitOfTheBodyLetsTheOthersRunOn) {
  static int ran;
  ran = 0;
  const Explored explored = explore_body([](Recorder&) {
    std::thread([] { }).detach();
    const CountsDestruction on_stack{&ran};
    pthread_exit(nullptr);
  });
  EXPECT_EQ(explored.counts.executions, 1u);
}

thread_local int counter = 40;

struct Tracked {
  Tracked() { ++constructed; }
  ~Tracked() { ++destroyed; }
  int value = 5;
  static int constructed;
  static int destroyed;
};
int Tracked::constructed = 0;
int Tracked::destroyed = 0;
thread_local Tracked tracked;

TEST(Threads, EachModelThreadHasItsOwnThreadLocals) {
  const Explored explored = explore_body([](Recorder& record) {
    ++counter;
    std::thread a([&] {
      counter += 2;
      record(static_cast<std::uint64_t>(counter));
    });
    a.join();
    record(static_cast<std::uint64_t>(counter));
  });
  EXPECT_EQ(explored.outcome_set(), std::vector<std::string>{"42 41"});
  EXPECT_EQ(counter, 40) << "the test's own thread has kept its value";
}

TEST(Threads, ThreadLocalObjectsAreConstructedAndDestroyedPerThread) {
  const Explored explored = explore_body([](Recorder& record) {
    Tracked::constructed = Tracked::destroyed = 0;
    std::thread a([] { tracked.value = 6; });
    a.join();
    record(static_cast<std::uint64_t>(Tracked::constructed));
    record(static_cast<std::uint64_t>(Tracked::destroyed));
    record(static_cast<std::uint64_t>(tracked.value));
  });
  EXPECT_EQ(explored.outcome_set(), std::vector<std::string>{"1 1 5"});
}

TEST(Threads, ThreadSpecificDataIsPerThreadAndDestroyedAtItsEnd) {
  const Explored explored = explore_body([](Recorder& record) {
    static int destroyed;
    static pthread_key_t key;
    destroyed = 0;
    pthread_key_create(&key, [](void* p) { destroyed += *static_cast<int*>(p); });
    static int three = 3;
    std::thread a([&] {
      record(pthread_getspecific(key) == nullptr);
      pthread_setspecific(key, &three);
      record(pthread_getspecific(key) == &three);
    });
    a.join();
    record(static_cast<std::uint64_t>(destroyed));
    record(pthread_getspecific(key) == nullptr);
  });
  EXPECT_EQ(explored.outcome_set(), std::vector<std::string>{"1 1 3 1"});
}

TEST(Threads, ExceptionsAreThrownAndCaughtOnTwoThreadsInTurn) {
  // Each thread joins another one while it handles an exception: their handlers are open at the same time, on one OS thread.
  const Explored explored = explore_body([](Recorder& record) {
    try {
      throw std::runtime_error("outer");
    } catch (const std::runtime_error& outer) {
      std::thread a([&] {
        record(std::uncaught_exceptions() == 0);
        record(std::current_exception() == nullptr);
        try {
          throw std::logic_error("inner");
        } catch (const std::logic_error& inner) {
          std::thread b([&] {
            try {
              throw 3;
            } catch (int value) {
              record(static_cast<std::uint64_t>(value));
            }
          });
          b.join();
          record(inner.what()[0] == 'i');
        }
      });
      a.join();
      record(outer.what()[0] == 'o');
      try {
        throw;
      } catch (const std::runtime_error&) {
        record(9);
      }
    }
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_EQ(explored.outcome_set(), std::vector<std::string>{"1 1 3 1 1 9"});
}

TEST(Threads, NamesAreKeptPerThread) {
  const Explored explored = explore_body([](Recorder& record) {
    std::thread a([&] {
      pthread_setname_np(pthread_self(), "worker");
      char name[16];
      pthread_getname_np(pthread_self(), name, sizeof name);
      record(name[0] == 'w');
    });
    a.join();
  });
  EXPECT_EQ(explored.outcome_set(), std::vector<std::string>{"1"});
}

}  // namespace
}  // namespace weft::test
