// Results as JSON objects.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "weft/weft.hpp"

namespace weft::cli {

nlohmann::ordered_json finding_json(const FindingReport& finding);
/// verdict, model, counts, time, findings with their steps.
nlohmann::ordered_json result_json(const Result& result);
/// Prints one object on standard output, whatever bytes its strings hold.
void print_json(const nlohmann::ordered_json& object);

}  // namespace weft::cli
