// Which places in the code belong to one statement of the source.
#pragma once

namespace weft {

/// True if the calls that return to these addresses are of one statement: g++ and clang give all code of a statement one
/// line and column (DWARF 5, section 6.2). False without debug information. Remembers what it was asked; not
/// thread-safe, and to be called outside of the scenario (Execution::Outside): it allocates.
bool are_of_one_statement(const void* a, const void* b);

}  // namespace weft
