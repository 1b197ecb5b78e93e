// WHY is read off the execution: models say in parts what their notes mean, whatever the scenario is called.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "weft/weft.hpp"

namespace {

using weft::Result;
using Does = weft::detail::Note::Does;

void note(const char* text, Does does, const char* object = "", const char* value = "") {
  weft::detail::note({.text = text, .does = does, .object = object, .value = value});
}

std::string why(const Result& result) {
  std::string all;
  for (const std::string& sentence : result.findings.at(0).why) all += sentence + "\n";
  return all;
}

/// A task asks a thread for something and waits.
void ask(bool answers, bool resumes) {
  weft::name_thread("Loop");
  weft::detail::enter_task(weft::detail::new_task("Caller"));
  note("asks", Does::sends, "to Server");
  note("await answer: suspends", Does::suspends);
  weft::detail::enter_task(0);
  std::thread server([answers] {
    weft::name_thread("Server");
    note("is asked", Does::receives, "to Server");
    if (answers) note("answers", Does::sends, "from Server");
    note("dies", Does::ends, "from Server");
  });
  server.join();
  if (answers) note("gets the answer", Does::receives, "from Server");
  note("hears of the death", Does::receives, "from Server");
  if (resumes) {
    weft::detail::enter_task(1);
    weft::note("goes on");
    weft::detail::enter_task(0);
  }
  weft::check(false, "every task settles");
}

TEST(Why, ATaskThatNobodyAnswered) {
  const std::string text = why(weft::explore([] { ask(false, false); }));
  EXPECT_NE(text.find("Server took at #4 what Caller had sent at #1, and came to its end without an answer (dies at "
                      "#5); Loop heard "
                      "of it at #8 (hears of the death)."),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Caller was suspended at #2 (await answer), and nothing resumed it."), std::string::npos) << text;
}

TEST(Why, ATaskThatWasAnsweredAndIsStuckAllTheSame) {
  const std::string text = why(weft::explore([] { ask(true, false); }));
  EXPECT_EQ(text.find("without an answer"), std::string::npos) << text;
  EXPECT_NE(text.find("and nothing resumed it"), std::string::npos) << text;
}

TEST(Why, ATaskThatWentOnIsNotToBlame) {
  EXPECT_EQ(why(weft::explore([] { ask(false, true); })), "");
}

void replace(bool other) {
  weft::name_thread("Loop");
  weft::detail::new_task("A");
  weft::detail::new_task("B");
  note("first news", Does::receives, "news");
  note("replaces it", Does::replaces, "the pump", "pump 2");
  note("second news", Does::receives, "news");
  note("replaces it", Does::replaces, other ? "the valve" : "the pump", "pump 3");
  weft::check(false, "one pump");
}

TEST(Why, SomethingThatWasReplacedTwice) {
  const std::string text = why(weft::explore([] { replace(false); }));
  EXPECT_EQ(text,
            "the pump was replaced twice: by pump 2 at #2, on first news (#1), and by pump 3 at #4, on second news "
            "(#3).\n");
}

TEST(Why, TwoThingsThatWereReplacedOnceEach) {
  EXPECT_EQ(why(weft::explore([] { replace(true); })), "");
}

TEST(Why, AStarvedTaskIsNamedWithTheOneThatHadAllTurns) {
  const std::string text = why(weft::explore([] {
    weft::name_thread("Loop");
    const std::uint32_t hungry = weft::detail::new_task("Hungry");
    const std::uint32_t greedy = weft::detail::new_task("Greedy");
    weft::detail::enter_task(hungry);
    weft::note("orders");
    weft::detail::enter_task(greedy);
    for (int i = 0; i < 5; ++i) weft::note("eats");
    weft::detail::enter_task(hungry);
    note("has not eaten", Does::starves);
    weft::detail::enter_task(0);
    weft::check(false, "all eat");
  }));
  EXPECT_EQ(text,
            "Greedy had the last 5 turns, from #2 to #6:\nHungry had none after #1 (orders).\nAt #7 it still waits: "
            "has not eaten.\n");
}

TEST(Why, AMessageToAnEventLoopThatSleeps) {
  const std::string text = why(weft::explore([] {
    weft::name_thread("Loop");
    weft::detail::enter_task(weft::detail::new_task("Task"));
    std::thread sender([] {
      weft::name_thread("Sender");
      note("sends", Does::sends, "to Loop");
    });
    std::atomic<int> never = 0;
    never.wait(0);
    sender.join();
  }));
  EXPECT_NE(text.find("While Loop waits, none of its callbacks can run"), std::string::npos) << text;
  EXPECT_NE(text.find(", and every other thread has ended"), std::string::npos) << text;
  EXPECT_NE(text.find("(sends) was never handled."), std::string::npos) << text;
}

TEST(Why, AnEventLoopThatSleepsBesideAThreadThatHasNotEnded) {
  for (const bool spins : {true, false}) {
    const std::string text = why(weft::explore([spins] {
      weft::name_thread("Loop");
      weft::detail::enter_task(weft::detail::new_task("Task"));
      std::atomic<int> never = 0;
      std::thread other([&, spins] {
        if (!spins) never.wait(0);
        while (never.load() == 0) {
        }
      });
      never.wait(0);
      other.join();
    }));
    EXPECT_NE(text.find("Loop waits to be notified of atomic never"), std::string::npos) << text;
    EXPECT_NE(text.find("While Loop waits, none of its callbacks can run."), std::string::npos) << text;
  }
}

}  // namespace
