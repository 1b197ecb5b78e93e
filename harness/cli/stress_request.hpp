// What `weft stress` tells the program beside it that has the same scenarios and the ThreadSanitizer.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "stress/stress_run.hpp"

namespace weft::cli {

/// What that program prints when it is asked whether it can start.
inline constexpr const char* kStressCanStart = "ready";

struct StressRequest {
  std::vector<std::string> patterns;
  stress::StressOptions options;
  bool json = false;
  bool quiet = false;
};

inline std::string to_text(const StressRequest& request) {
  const stress::StressOptions& o = request.options;
  return nlohmann::json({{"patterns", request.patterns},
                         {"seconds", o.seconds},
                         {"iterations", o.iterations},
                         {"seed", o.seed},
                         {"most_seconds_each", o.most_seconds_each},
                         {"json", request.json},
                         {"quiet", request.quiet}})
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Throws std::exception for anything that to_text() does not make.
inline StressRequest stress_request(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  StressRequest request;
  stress::StressOptions& o = request.options;
  request.patterns = json.at("patterns").get<std::vector<std::string>>();
  o.seconds = json.at("seconds");
  o.iterations = json.at("iterations");
  o.seed = json.at("seed");
  o.most_seconds_each = json.at("most_seconds_each");
  request.json = json.at("json");
  request.quiet = json.at("quiet");
  return request;
}

}  // namespace weft::cli
