// A saved finding as one HTML file, to be read without a network.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weft::page {

/// `finding` as from read_finding_file(). Nothing in it can end the script or add markup, whatever its texts are.
std::string html_page(const nlohmann::ordered_json& finding);

}  // namespace weft::page
