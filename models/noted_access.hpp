// Lines of the trace that say what was read or written: a report finds out from these which update was lost, where a
// line of words could only be read by a person.
#pragma once

#include <cstdio>
#include <string>

#include <weft/shared.hpp>
#include <weft/weft.hpp>

namespace js {

/// What a line is about; `object` and `value` may be empty if it does nothing to an object.
struct NotedAccess {
  std::string text;
  std::string object;
  std::string value;
};

/// `make()` gives a NotedAccess, and is called only when somebody reads the trace. Must change nothing.
template <class Make>
void note_access(weft::detail::Note::Does does, Make make) {
  if (!weft::detail::is_traced()) return;
  char text[200];
  char object[100];
  char value[100];
  {
    // Strings of the engine, not of the scenario: an execution that is traced must be the one that was not.
    const weft::detail::OutsideScope outside;
    const NotedAccess access = make();
    std::snprintf(text, sizeof text, "%s", access.text.c_str());
    std::snprintf(object, sizeof object, "%s", access.object.c_str());
    std::snprintf(value, sizeof value, "%s", access.value.c_str());
  }
  weft::detail::note({.text = text, .does = does, .object = object, .value = value});
}

}  // namespace js
