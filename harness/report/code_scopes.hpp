// The functions, calls inlined into them, and blocks that hold a place in the code, and what functions are called: read
// from debug information as g++ and clang write it (DWARF 5, section 3.3; libdw).
#pragma once

#include <elfutils/libdw.h>

#include <string>
#include <vector>

namespace weft {

/// Of `unit`, innermost first, up to the function that is there in machine code. Empty if no function holds `place`.
/// What it takes grows with the number of functions in the unit: tens of microseconds to milliseconds.
std::vector<Dwarf_Die> scopes_at(Dwarf_Die* unit, Dwarf_Addr place);

/// Its name in the source. Empty if it has none.
std::string name_of(Dwarf_Die* die);

/// A function, or an inlined call of one.
bool is_function(Dwarf_Die* scope);

/// "my::Queue<int>::push()", "a lambda in main()": the same whichever compiler has built it. Without parameters, which
/// inlined calls of local functions do not have in their linkage names. Empty if the function has no name.
std::string function_name(Dwarf_Die* function);

}  // namespace weft
