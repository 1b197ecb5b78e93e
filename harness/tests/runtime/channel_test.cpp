// weft::channel: messages cost the orders in which they are sent, and nothing else.
#include "weft/channel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "hidden.hpp"
#include "weft/weft.hpp"

namespace {

using weft::Result;

/// Explores with `senders` threads that each send `messages` strings to the body's thread.
struct Orders {
  Result result;
  std::set<std::vector<std::string>> seen;
};

Orders explore_senders(int senders, int messages) {
  Orders orders;
  orders.result = weft::explore([&] {
    weft::channel<std::string> channel;
    std::vector<std::thread> threads;
    for (int s = 0; s < senders; ++s) {
      threads.emplace_back([&channel, s, messages] {
        for (int m = 0; m < messages; ++m) channel.send(std::to_string(s) + std::to_string(m));
      });
    }
    std::vector<std::string> received;
    for (int i = 0; i < senders * messages; ++i) received.push_back(channel.receive());
    for (std::thread& thread : threads) thread.join();
    const weft::detail::OutsideScope outside;
    orders.seen.insert(received);
  });
  return orders;
}

TEST(Channel, ThreeSendersAreExploredInTheSixOrdersOfSending) {
  const Orders orders = explore_senders(3, 1);
  EXPECT_TRUE(orders.result.proved()) << orders.result;
  EXPECT_EQ(orders.result.executions, 6u);
  EXPECT_EQ(orders.result.blocked, 0u);
  EXPECT_EQ(orders.seen.size(), 6u);
}

TEST(Channel, KeepsTheOrderOfEachSender) {
  const Orders orders = explore_senders(2, 3);
  EXPECT_EQ(orders.result.executions, 20u) << orders.result;  // 6 over 3
  EXPECT_EQ(orders.seen.size(), 20u);
  for (const std::vector<std::string>& order : orders.seen) {
    std::vector<std::string> of_first;
    for (const std::string& message : order) {
      if (message[0] == '0') of_first.push_back(message);
    }
    EXPECT_EQ(of_first, (std::vector<std::string>{"00", "01", "02"}));
  }
}

TEST(Channel, WhatIsSentHappensBeforeItsReceive) {
  const Result result = weft::explore([] {
    weft::channel<int> channel;
    int data = 0;
    std::thread sender([&] {
      data = 1;
      channel.send(0);
    });
    channel.receive();
    weft::check(data == 1, "the data is there");
    sender.join();
  });
  EXPECT_TRUE(result.proved()) << result;
}

TEST(Channel, AReceiveThatNobodyAnswersIsADeadlockThatNamesTheChannel) {
  const Result result = weft::explore([] {
    weft::channel<int> channel;
    weft::name(channel, "inbox");
    std::thread idle([] {});
    idle.join();
    channel.receive();
  });
  ASSERT_TRUE(result.found("deadlock", "main waits to get a message from inbox")) << result;
}

TEST(Channel, AChoiceThatGetsNothingIsNoExecutionIfThereIsMoreToChoose) {
  const Result result = weft::explore([] {
    weft::channel<int> channel;
    std::thread sender([&] { channel.send(1); });
    if (weft::choose(2) == 0) channel.receive_by_choice({}, true);
    if (weft::choose(2) == 0) channel.receive_by_choice({}, true);
    sender.join();
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 3u);  // none, the first or the second of them receives
  EXPECT_EQ(result.blocked, 1u);     // both
}

TEST(Channel, AChoiceAmongChannelsExploresTheOrdersOfReceivingOnceEach) {
  std::set<std::string> seen;
  const Result result = weft::explore([&] {
    weft::channel<int> first;
    weft::channel<int> second;
    std::thread sender([&] {
      first.send(1);
      first.send(2);
      second.send(3);
    });
    std::string order;
    for (int i = 0; i < 3; ++i) {
      const bool takes_first = weft::choose(2) == 0;
      weft::channel<int>& chosen = takes_first ? first : second;
      order += std::to_string(*chosen.receive_by_choice({takes_first ? &second : &first}, false));
    }
    sender.join();
    const weft::detail::OutsideScope outside;
    seen.insert(order);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 3u);
  EXPECT_EQ(seen, (std::set<std::string>{"123", "132", "312"}));
}

TEST(Channel, NoMessageInAnyOfTheChannelsToChooseFromIsADeadlock) {
  const Result result = weft::explore([] {
    weft::channel<int> first;
    weft::channel<int> second;
    std::thread sender([&] { second.send(1); });
    for (int i = 0; i < 2; ++i) {
      if (weft::choose(2) == 0) {
        first.receive_by_choice({&second}, false);
      } else {
        second.receive_by_choice({&first}, false);
      }
    }
    sender.join();
  });
  EXPECT_TRUE(result.found("deadlock", "main waits to get a message from a channel")) << result;
}

TEST(Channel, CountsTheMessagesThatWereSentBefore) {
  std::set<std::pair<std::size_t, std::size_t>> seen;  // before the sender is joined, after
  const Result result = weft::explore([&] {
    weft::channel<int> channel;
    std::thread sender([&] {
      channel.send(1);
      channel.send(2);
    });
    const std::size_t before = channel.certain();
    sender.join();
    const std::size_t after = channel.certain();
    channel.receive();
    weft::check(channel.certain() == 1, "one was received");
    const weft::detail::OutsideScope outside;
    seen.insert({before, after});
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(seen, (std::set<std::pair<std::size_t, std::size_t>>{{0, 2}}));
}

TEST(Channel, ThatWasGivenBackIsUsedAfterFree) {
  struct Inbox {
    weft::channel<int> messages;
  };
  const Result sent = weft::explore(
      [] {
        auto* const inbox = new Inbox;
        std::thread sender([inbox] { inbox->messages.send(1); });
        delete inbox;
        sender.join();
      },
      {.keep_going = true});
  EXPECT_TRUE(sent.found("use after free")) << sent;
  EXPECT_FALSE(sent.found("nondeterminism")) << sent;

  const Result sent_once_more = weft::explore(
      [] {
        auto* const inbox = new Inbox;
        std::thread sender([inbox] {
          inbox->messages.send(1);
          inbox->messages.send(2);
        });
        inbox->messages.receive();
        delete inbox;
        sender.join();
      },
      {.keep_going = true});
  EXPECT_TRUE(sent_once_more.found("use after free") || sent_once_more.found("data race")) << sent_once_more;
  EXPECT_FALSE(sent_once_more.found("nondeterminism")) << sent_once_more;

  const Result received = weft::explore([] {
    auto* const inbox = new Inbox;
    std::thread sender([inbox] { inbox->messages.send(1); });
    sender.join();
    Inbox* const same = weft::test::hidden(inbox);
    delete inbox;
    same->messages.receive();
  });
  EXPECT_TRUE(received.found("use after free")) << received;
}

TEST(Channel, MayBeGivenBackByWhoReceivedItsLastMessage) {
  const Result result = weft::explore([] {
    auto* const messages = new weft::channel<int>;
    std::thread sender([messages] { messages->send(1); });
    messages->receive();
    delete messages;
    sender.join();
  });
  EXPECT_TRUE(result.proved()) << result;
}

TEST(Channel, WorksOnRealThreads) {
  weft::channel<int> channel;
  EXPECT_FALSE(channel.receive_by_choice({}, true));
  std::thread sender([&] {
    for (int i = 0; i < 3; ++i) channel.send(i);
  });
  for (int i = 0; i < 3; ++i) EXPECT_EQ(channel.receive(), i);
  sender.join();
  EXPECT_EQ(channel.certain(), 0u);
}

}  // namespace
