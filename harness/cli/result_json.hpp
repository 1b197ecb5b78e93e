// Results as JSON objects.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "weft/weft.hpp"

namespace weft::cli {

nlohmann::ordered_json columns_json(const std::vector<TraceColumn>& columns);
/// `columns`: of which the steps are.
nlohmann::ordered_json steps_json(const std::vector<TraceStep>& steps, const std::vector<TraceColumn>& columns);
nlohmann::ordered_json finding_json(const FindingReport& finding);
/// verdict, model, counts, time, findings with their steps.
nlohmann::ordered_json result_json(const Result& result);
/// With a line's end behind it, whatever bytes its strings hold.
std::string json_text(const nlohmann::ordered_json& object);
/// Prints one object on standard output.
void print_json(const nlohmann::ordered_json& object);

}  // namespace weft::cli
