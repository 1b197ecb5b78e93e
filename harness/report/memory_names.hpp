// What memory is called that the scenario has given no name: the global object or the local variable that it belongs
// to, or where its block was allocated.
#pragma once

#include <functional>

#include "report/source_places.hpp"

namespace weft {

class Execution;

/// For ObjectNames::set_symbols(). Both must outlive what is returned.
std::function<std::string(std::uintptr_t address)> memory_names(SourcePlaces& places, Execution& execution);

}  // namespace weft
