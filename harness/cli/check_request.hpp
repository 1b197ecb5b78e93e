// What `weft check` tells the program that it has built from the user's files.
//
// The compiled program, Weft's engine and check_main.cpp become one executable; it gets this request as its first
// argument, and the user's arguments for the program behind it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "weft/weft.hpp"

namespace weft::cli {

struct CheckRequest {
  Options options;
  std::string schedule;  ///< a token to replay instead of exploring
  bool json = false;
  bool show_output = false;  ///< let the program print
};

inline std::string to_text(const CheckRequest& request) {
  const Options& o = request.options;
  return nlohmann::json({{"name", o.name},
                         {"model", static_cast<int>(o.model)},
                         {"max_executions", o.max_executions},
                         {"max_seconds", o.max_seconds},
                         {"max_steps", o.max_steps},
                         {"keep_going", o.keep_going},
                         {"promote_races", o.promote_races},
                         {"spurious_wakeups", o.spurious_wakeups},
                         {"detect_leaks", o.detect_leaks},
                         {"count_duplicates", o.count_duplicates},
                         {"replay_command", o.replay_command},
                         {"schedule", request.schedule},
                         {"json", request.json},
                         {"show_output", request.show_output}})
      .dump();
}

inline CheckRequest check_request(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  CheckRequest request;
  Options& o = request.options;
  o.name = json.at("name");
  o.model = static_cast<Model>(json.at("model").get<int>());
  o.max_executions = json.at("max_executions");
  o.max_seconds = json.at("max_seconds");
  o.max_steps = json.at("max_steps");
  o.keep_going = json.at("keep_going");
  o.promote_races = json.at("promote_races");
  o.spurious_wakeups = json.at("spurious_wakeups");
  o.detect_leaks = json.at("detect_leaks");
  o.count_duplicates = json.at("count_duplicates");
  o.replay_command = json.at("replay_command");
  request.schedule = json.at("schedule");
  request.json = json.at("json");
  request.show_output = json.at("show_output");
  return request;
}

}  // namespace weft::cli
