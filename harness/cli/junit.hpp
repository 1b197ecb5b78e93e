// Results in the XML form of JUnit, which continuous integration shows: a suite per scenario, a case per variant.
#pragma once

#include <string>
#include <vector>

#include "cli/explored.hpp"

namespace weft::cli {

/// A variant fails if it did not end as it must; the failure holds the traces.
std::string junit_xml(const std::vector<Explored>& explored);

}  // namespace weft::cli
