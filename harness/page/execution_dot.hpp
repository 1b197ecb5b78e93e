// A saved finding as a graph for Graphviz's `dot`: the events and the relations between them, as the memory model has
// them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weft::page {

/// A cluster for each finding and for the fixed variant, and in it one for each column. Edges: program order of each
/// thread, rf (reads from), co (coherence), hb (happens before), and wake-ups. `finding` as from read_finding_file().
std::string execution_dot(const nlohmann::ordered_json& finding);

}  // namespace weft::page
