// The files that the page is made of, as they were when the program was built; see embed.cmake.
#pragma once

#include <string_view>

namespace weft::page {

extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view execution_js;
extern const std::string_view lanes_js;
extern const std::string_view inspector_js;
extern const std::string_view page_js;

}  // namespace weft::page
