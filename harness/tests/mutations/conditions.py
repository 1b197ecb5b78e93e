"""Deliberate faults behind conditions, so that one compilation serves many: the environment variable WEFT_FAULT has the number of the one
that is in force. With none, the code does what it always does."""

VARIABLE = 'WEFT_FAULT'
NONE = 0

_PROLOGUE = f'''#include <cstdlib>
namespace {{
const int weft_fault = std::getenv("{VARIABLE}") != nullptr ? std::atoi(std::getenv("{VARIABLE}")) : {NONE};
[[gnu::no_sanitize("thread")]] bool weft_has_fault(int number) {{ return number == weft_fault; }}
}}  // namespace
#line 1
'''


def is_in_force(number):
    """The condition, in C++."""
    return f'weft_has_fault({number})'


def source_with_conditions(text):
    """What is compiled in the place of a source file whose text asks such conditions."""
    return _PROLOGUE + text
