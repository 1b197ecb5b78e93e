// A saved finding in Chrome's trace format, which Perfetto (ui.perfetto.dev) and chrome://tracing open.
// Source: "Trace Event Format", the document of the Catapult project.
#pragma once

#include <nlohmann/json.hpp>

namespace weft::page {

/// A process for each finding and for the fixed variant, a track for each column, a slice of a millisecond for each
/// row, flows for reads-from and wake-ups, and a counter for each watched value that is a number. `finding` as from
/// read_finding_file().
nlohmann::ordered_json chrome_trace(const nlohmann::ordered_json& finding);

}  // namespace weft::page
