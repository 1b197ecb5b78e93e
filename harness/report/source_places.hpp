// Where code and data of this process come from: source lines by DWARF, names of global objects by the symbol table
// (libdw).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft {

struct SourceLine {
  std::string file;  ///< with its folders, where the compiler found it
  int line = 0;
  std::string function;    ///< as function_name() in code_scopes.hpp; else the symbol's
  bool of_system = false;  ///< in a header or library that the user did not write
};

/// Reads the debug information of the running process when it is first asked. Not thread-safe. Not to be used inside an
/// execution: it allocates.
class SourcePlaces {
 public:
  SourcePlaces();
  ~SourcePlaces();
  SourcePlaces(const SourcePlaces&) = delete;
  SourcePlaces& operator=(const SourcePlaces&) = delete;

  /// The line that the call returning to `return_address` is on. Of calls that were inlined into each other, the
  /// innermost one that is not in a system header. Nothing if there is no debug information.
  std::optional<SourceLine> line_of(const void* return_address);
  /// Where in the source the code is that the call belongs to, in whichever function and file.
  struct Position {
    std::string file;
    int line = 0;
    int column = 0;
    bool operator==(const Position&) const = default;
  };
  std::optional<Position> position_of(const void* return_address);
  /// That line's function, what it was inlined into, and so on to the function that is there in machine code: where
  /// each of them is, innermost first, those in system headers included. Valid until the next call. Empty if there is
  /// no debug information.
  const std::vector<SourceLine>& inlined_calls(const void* return_address);
  /// The same for a whole call stack, outermost call first, whose innermost entry is `place`: the innermost line of the
  /// user's own.
  std::optional<SourceLine> user_line(const void* place, std::span<const void* const> callers);
  /// The global object that holds `address`, as "name" or "name+offset"; empty if there is none.
  std::string global_object(std::uintptr_t address);

  /// The variable of a call that holds `address`, as "name" or "name+offset"; empty if there is none, or it has no
  /// fixed place. The call's function has been left to a callee that returns to `return_address`.
  std::string local_variable(const void* return_address, std::uintptr_t frame_pointer, std::uintptr_t address);
  /// True for code of the engine, and of the program `weft`.
  static bool is_own_code(const void* address);

  /// "file.cpp:31", without folders; empty for nothing.
  static std::string short_text(const std::optional<SourceLine>& line);

 private:
  struct Session;
  Session& session();
  std::vector<SourceLine> look_up(const void* return_address);

  std::unique_ptr<Session> session_;
  std::map<const void*, std::vector<SourceLine>> lines_;  // that inlined_calls() has told
};

}  // namespace weft
