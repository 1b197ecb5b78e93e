// std::call_once and static locals are initialised once, by whoever comes first.
#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "explore_body.hpp"

namespace weft::test {
namespace {

using Outcomes = std::vector<std::string>;

class Once : public testing::TestWithParam<Model> {
 protected:
  Explored explore(const std::function<void(Recorder&)>& body) { return explore_body(body, GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Models, Once, testing::Values(Model::sc, Model::rc11),
                         [](const auto& model) { return model.param == Model::sc ? "sc" : "rc11"; });

TEST_P(Once, CallOnceRunsInOneOfTwoThreads) {
  const Explored explored = explore([](Recorder& record) {
    std::once_flag flag;
    int value = 0;
    int who = 0;
    std::thread other([&] {
      std::call_once(flag, [&] { value = 1, who = 1; });
    });
    std::call_once(flag, [&] { value = 1, who = 2; });
    std::call_once(flag, [&] { value = 7; });
    record(static_cast<std::uint64_t>(value));
    other.join();
    record(static_cast<std::uint64_t>(who));
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1 1", "1 2"}));
  EXPECT_TRUE(explored.findings.empty());
}

TEST_P(Once, AThrowingInitialisationIsTriedAgain) {
  const Explored explored = explore([](Recorder& record) {
    std::once_flag flag;
    int tries = 0;
    const auto attempt = [&] {
      try {
        std::call_once(flag, [&] {
          if (++tries == 1) throw std::runtime_error("not yet");
        });
        return true;
      } catch (const std::runtime_error&) {
        return false;
      }
    };
    bool theirs = false;
    std::thread other([&] { theirs = attempt(); });
    const bool mine = attempt();
    other.join();
    record(mine);
    record(theirs);
    record(static_cast<std::uint64_t>(tries));
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0 1 2", "1 0 2"}));
}

struct Config {
  explicit Config(int by) : made_by(by) {}
  int made_by;
};

int config_of(int self) {
  static const Config config(self);
  return config.made_by;
}

TEST_P(Once, AStaticLocalIsMadeAnewInEachExecution) {
  const Explored explored = explore([](Recorder& record) {
    int theirs = 0;
    std::thread other([&] { theirs = config_of(1); });
    const int mine = config_of(2);
    other.join();
    record(static_cast<std::uint64_t>(mine));
    record(static_cast<std::uint64_t>(theirs));
  });
  // Each order of initialisation, and the second to come finds it done at a glance or only after it got the lock.
  EXPECT_EQ(explored.counts.executions, 4u);
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1 1", "2 2"}));
  EXPECT_TRUE(explored.findings.empty());
}

struct CountsItsEnd {
  ~CountsItsEnd() { std::fprintf(stderr, "a static local of an execution was destroyed at exit\n"), std::abort(); }
};

TEST(StaticLocals, ThoseOfAnExecutionAreNotDestroyedAtExit) {
  EXPECT_EXIT(
      {
        explore_body([](Recorder&) { static const CountsItsEnd made_inside; });
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace weft::test
