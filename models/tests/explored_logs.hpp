// Explores a body that runs on an event loop, and collects what each of its executions has logged.
#pragma once

#include <gtest/gtest.h>
#include <models/event_loop.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <weft/shared.hpp>
#include <weft/weft.hpp>

namespace js_test {

/// The words that one execution logs, on its main thread.
class Log {
 public:
  void operator()(const std::string& word) { text_ += (text_.empty() ? "" : " ") + word; }
  /// A callback that logs `word`.
  js::Callback says(std::string word) {
    return [this, word = std::move(word)] { (*this)(word); };
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

using Logs = std::set<std::string>;

struct Explored {
  weft::Result result;
  std::map<std::string, std::uint64_t> executions_of;  // each log

  Logs logs() const {
    Logs all;
    for (const auto& [log, executions] : executions_of) all.insert(log);
    return all;
  }
};

/// `body` runs on a thread of its own, so that one without any choice counts as an exploration, too.
inline Explored explored(const std::function<void(Log&)>& body) {
  Explored explored;
  weft::Options options;
  options.model = weft::Model::sc;
  options.count_duplicates = true;
  explored.result = weft::explore(
      [&] {
        Log log;
        std::thread([&] { body(log); }).join();
        const weft::detail::OutsideScope outside;
        ++explored.executions_of[std::string(log.text().data(), log.text().size())];
      },
      options);
  return explored;
}

/// The same with a loop around it: `module` is the top level of a program.
inline Explored explored_module(const std::function<void(Log&)>& module, js::Time time = js::Time::free) {
  return explored([&](Log& log) {
    js::EventLoop loop(time);
    loop.run([&] { module(log); });
  });
}

/// Proved, each execution met once, and these are the logs.
inline void expect_logs(const Explored& explored, const Logs& logs) {
  EXPECT_TRUE(explored.result.proved()) << explored.result;
  EXPECT_EQ(explored.result.duplicates, 0u);
  testing::Test::RecordProperty("executions", std::to_string(explored.result.executions));
  EXPECT_EQ(explored.logs(), logs);
}
inline void expect_logs(const Explored& explored, const Logs& logs, std::uint64_t executions) {
  expect_logs(explored, logs);
  EXPECT_EQ(explored.result.executions, executions);
}

/// All ways to merge the sequences that keep the order of each.
inline Logs interleavings(const std::vector<std::vector<std::string>>& sequences) {
  std::vector<std::size_t> turns;  // whose word is next
  for (std::size_t i = 0; i < sequences.size(); ++i) turns.insert(turns.end(), sequences[i].size(), i);
  Logs all;
  do {
    std::vector<std::size_t> next(sequences.size());
    std::string line;
    for (const std::size_t i : turns) line += (line.empty() ? "" : " ") + sequences[i][next[i]++];
    all.insert(line);
  } while (std::next_permutation(turns.begin(), turns.end()));
  return all;
}

}  // namespace js_test
