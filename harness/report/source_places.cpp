#include "report/source_places.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "report/code_scopes.hpp"

// The engine's own code, which LinkEngine.cmake has put in a section of its own.
extern "C" {
extern const char __start_weft_text[] __attribute__((weak));
extern const char __stop_weft_text[] __attribute__((weak));
}

namespace weft {
namespace {

bool is_engine_code(const void* address) { return address >= __start_weft_text && address < __stop_weft_text; }

// The models are as much the platform's as its headers are: what interests is the line of the scenario that uses them.
bool is_system_file(std::string_view file) {
  const std::size_t name = file.rfind('/');
  const bool is_model =
      name != std::string_view::npos && (file.substr(0, name) == "models" || file.substr(0, name).ends_with("/models"));
  return is_model || file.find("/include/weft/") != std::string_view::npos || file.starts_with("/usr/include") ||
         file.starts_with("/usr/lib") || file.find("/include/c++/") != std::string_view::npos;
}

std::string readable(const char* symbol) {
  if (symbol == nullptr) return {};
  if (symbol[0] != '_' || symbol[1] != 'Z')
    return symbol;  // of C, or of the global namespace: `d` alone would demangle to double
  int status = 0;
  char* const name = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string result = status == 0 ? name : symbol;
  std::free(name);
  return result;
}

/// Names of files may be relative to the folder that the compiler ran in, and go back and forth between folders.
std::string full_name(Dwarf_Die* unit, std::filesystem::path file) {
  Dwarf_Attribute attribute;
  const char* const folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  if (file.is_relative() && folder != nullptr) file = folder / file;
  return file.lexically_normal().string();
}

SourceLine source_line(Dwarf_Die* unit, const char* file, int line) {
  SourceLine result{.file = full_name(unit, file), .line = line, .function = {}};
  result.of_system = is_system_file(result.file);
  return result;
}

/// The line of an inlined call: where the function that holds it called it.
std::optional<SourceLine> call_site(Dwarf_Die* unit, Dwarf_Die* inlined) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0;
  Dwarf_Word line = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0) return std::nullopt;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0 || line == 0) return std::nullopt;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count) return std::nullopt;
  const char* const name = dwarf_filesrc(files, file, nullptr, nullptr);
  if (name == nullptr) return std::nullopt;
  return source_line(unit, name, static_cast<int>(line));
}

/// By the table of lines. Nothing where the compiler says that the code belongs to no line (line 0), as clang does of
/// code that it has merged from several.
std::optional<SourceLine> innermost_line(Dwarf_Die* unit, Dwarf_Addr place) {
  Dwarf_Line* const source = dwarf_getsrc_die(unit, place);
  const char* const file = source == nullptr ? nullptr : dwarf_linesrc(source, nullptr, nullptr);
  int line = 0;
  if (file == nullptr || dwarf_lineno(source, &line) != 0 || line == 0) return std::nullopt;
  return source_line(unit, file, line);
}

constexpr unsigned kFramePointer = 6;  // DWARF's number of rbp on x86-64

/// A call of a function that keeps a frame pointer.
struct Frame {
  std::uintptr_t pointer = 0;
  std::uintptr_t base = 0;  ///< where the function's variables are counted from; 0 if that is not fixed
};

Frame frame_of(Dwarf_Die* function, std::uintptr_t frame_pointer) {
  constexpr std::uintptr_t kSavedByCall = 16;  // bytes: the caller's frame pointer and the return address
  Frame frame{.pointer = frame_pointer};
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(function, DW_AT_frame_base, &attribute) == nullptr) return frame;
  if (dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1) return frame;
  if (operations[0].atom == DW_OP_call_frame_cfa) frame.base = frame_pointer + kSavedByCall;
  if (operations[0].atom == DW_OP_reg0 + kFramePointer) frame.base = frame_pointer;
  return frame;
}

/// Where a variable is while the function is at `place`; 0 if it is in a register, or nowhere, or that is not fixed.
std::uintptr_t address_of(Dwarf_Die* variable, Dwarf_Addr place, const Frame& frame) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(variable, DW_AT_location, &attribute) == nullptr) return 0;
  if (dwarf_getlocation_addr(&attribute, place, &operations, &count, 1) != 1 || count != 1) return 0;
  if (operations[0].atom == DW_OP_fbreg && frame.base != 0) return frame.base + operations[0].number;
  // clang: of variables that are in a register for a while.
  return operations[0].atom == DW_OP_breg0 + kFramePointer ? frame.pointer + operations[0].number : 0;
}

/// The variable, or parameter, of `scope` that holds `address`.
std::string variable_in(Dwarf_Die* scope, Dwarf_Addr place, const Frame& frame, std::uintptr_t address) {
  Dwarf_Die child;
  if (dwarf_child(scope, &child) != 0) return {};
  do {
    if (dwarf_tag(&child) != DW_TAG_variable && dwarf_tag(&child) != DW_TAG_formal_parameter) continue;
    const std::uintptr_t begin = address_of(&child, place, frame);
    if (begin == 0) continue;
    Dwarf_Die type;
    Dwarf_Attribute of_type;
    Dwarf_Word size = 0;
    if (dwarf_formref_die(dwarf_attr_integrate(&child, DW_AT_type, &of_type), &type) == nullptr) continue;
    if (dwarf_aggregate_size(&type, &size) != 0) continue;
    const std::uintptr_t offset = address - begin;
    if (offset >= size) continue;
    const std::string name = name_of(&child);
    if (!name.empty()) return offset == 0 ? name : fmt::format("{}+{}", name, offset);
  } while (dwarf_siblingof(&child, &child) == 0);
  return {};
}

/// The compilation unit that `address` belongs to.
Dwarf_Die* unit_of(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias) {
  // The index of addresses (.debug_aranges), which clang does not write: where units of both compilers are linked, it
  // names the wrong one.
  Dwarf_Die* const indexed = dwfl_module_addrdie(module, address, &bias);
  if (indexed != nullptr && dwarf_haspc(indexed, address - bias) == 1) return indexed;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr;) {
    if (dwarf_haspc(unit, address - bias) == 1) return unit;
  }
  return nullptr;
}

/// Code of a unit.
struct Place {
  Dwfl_Module* module = nullptr;
  Dwarf_Die* unit = nullptr;
  Dwarf_Addr address = 0;  ///< in the process
  Dwarf_Addr in_unit = 0;  ///< the same as the debug information counts
};

/// The call that returns to this address, which may itself belong to the next line. Nothing without debug information.
std::optional<Place> place_of_call(Dwfl* dwfl, const void* return_address) {
  if (return_address == nullptr || dwfl == nullptr) return std::nullopt;
  Place place{.address = reinterpret_cast<std::uintptr_t>(return_address) - 1};
  place.module = dwfl_addrmodule(dwfl, place.address);
  if (place.module == nullptr) return std::nullopt;
  Dwarf_Addr bias = 0;
  place.unit = unit_of(place.module, place.address, bias);
  if (place.unit == nullptr) return std::nullopt;
  place.in_unit = place.address - bias;
  return place;
}

int report_module(dl_phdr_info* module, std::size_t, void* dwfl) {
  const bool is_program = module->dlpi_name == nullptr || *module->dlpi_name == '\0';
  const char* const file = is_program ? "/proc/self/exe" : module->dlpi_name;
  dwfl_report_elf(static_cast<Dwfl*>(dwfl), file, file, -1, module->dlpi_addr, true);
  return 0;
}

}  // namespace

struct SourcePlaces::Session {
  Session() {
    static char* no_debug_path = nullptr;
    callbacks.find_elf = dwfl_linux_proc_find_elf;
    callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
    callbacks.section_address = nullptr;
    callbacks.debuginfo_path = &no_debug_path;
    dwfl = dwfl_begin(&callbacks);
    if (dwfl == nullptr) return;
    dwfl_report_begin(dwfl);
    // Not dwfl_linux_proc_report(): where clang's ThreadSanitizer is linked in, the system's list of mappings no longer
    // shows the program as one file.
    dl_iterate_phdr(&report_module, dwfl);
    dwfl_report_end(dwfl, nullptr, nullptr);
  }
  ~Session() {
    if (dwfl != nullptr) dwfl_end(dwfl);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Dwfl_Callbacks callbacks{};
  Dwfl* dwfl = nullptr;
};

SourcePlaces::SourcePlaces() = default;
SourcePlaces::~SourcePlaces() = default;

SourcePlaces::Session& SourcePlaces::session() {
  if (!session_) session_ = std::make_unique<Session>();
  return *session_;
}

std::optional<SourceLine> SourcePlaces::line_of(const void* return_address) {
  const std::vector<SourceLine>& calls = inlined_calls(return_address);
  const auto of_user = std::find_if(calls.begin(), calls.end(), [](const SourceLine& line) { return !line.of_system; });
  if (of_user != calls.end()) return *of_user;
  return calls.empty() ? std::nullopt : std::optional(calls.front());
}

std::optional<SourcePlaces::Position> SourcePlaces::position_of(const void* return_address) {
  const std::optional<Place> place = place_of_call(session().dwfl, return_address);
  Dwarf_Line* const source = place ? dwarf_getsrc_die(place->unit, place->in_unit) : nullptr;
  const char* const file = source == nullptr ? nullptr : dwarf_linesrc(source, nullptr, nullptr);
  Position position;
  if (file == nullptr || dwarf_lineno(source, &position.line) != 0 || position.line == 0) return std::nullopt;
  if (dwarf_linecol(source, &position.column) != 0) return std::nullopt;
  position.file = file;
  return position;
}

// A loop comes by the same places over and over, and each look-up takes a millisecond.
const std::vector<SourceLine>& SourcePlaces::inlined_calls(const void* return_address) {
  const auto known = lines_.find(return_address);
  if (known != lines_.end()) return known->second;
  return lines_.emplace(return_address, look_up(return_address)).first->second;
}

std::vector<SourceLine> SourcePlaces::look_up(const void* return_address) {
  const std::optional<Place> place = place_of_call(session().dwfl, return_address);
  if (!place) return {};
  Dwarf_Die* const unit = place->unit;
  std::vector<SourceLine> calls;
  std::optional<SourceLine> line = innermost_line(unit, place->in_unit);
  for (Dwarf_Die& scope : scopes_at(unit, place->in_unit)) {
    if (!is_function(&scope)) continue;
    if (line) {
      line->function = function_name(&scope);
      calls.push_back(*line);
    }
    line = dwarf_tag(&scope) == DW_TAG_inlined_subroutine ? call_site(unit, &scope) : std::nullopt;
  }
  if (line) calls.push_back(*line);  // of no function that the debug information knows
  if (!calls.empty() && calls.back().function.empty())
    calls.back().function = readable(dwfl_module_addrname(place->module, place->address));
  return calls;
}

std::optional<SourceLine> SourcePlaces::user_line(const void* place, std::span<const void* const> callers) {
  const std::optional<SourceLine> innermost = line_of(place);
  if (innermost && !innermost->of_system) return innermost;
  for (std::size_t i = callers.size(); i-- > 0;) {
    if (is_engine_code(callers[i])) continue;
    if (std::optional<SourceLine> line = line_of(callers[i]); line && !line->of_system) return line;
  }
  return innermost;
}

std::string SourcePlaces::global_object(std::uintptr_t address) {
  Dwfl* const dwfl = session().dwfl;
  Dwfl_Module* const module = dwfl == nullptr ? nullptr : dwfl_addrmodule(dwfl, address);
  if (module == nullptr) return {};
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* const name = dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size) return {};
  const std::string text = readable(name);
  return offset == 0 ? text : fmt::format("{}+{}", text, offset);
}

std::string SourcePlaces::local_variable(const void* return_address, std::uintptr_t frame_pointer,
                                         std::uintptr_t address) {
  const std::optional<Place> place = place_of_call(session().dwfl, return_address);
  if (!place) return {};
  std::vector<Dwarf_Die> scopes = scopes_at(place->unit, place->in_unit);
  if (scopes.empty()) return {};
  const Frame frame = frame_of(&scopes.back(), frame_pointer);
  std::string name;
  for (std::size_t i = 0; i < scopes.size() && name.empty(); ++i)
    name = variable_in(&scopes[i], place->in_unit, frame, address);
  return name;
}

bool SourcePlaces::is_own_code(const void* address) { return is_engine_code(address); }

std::string SourcePlaces::short_text(const std::optional<SourceLine>& line) {
  if (!line) return {};
  return fmt::format("{}:{}", line->file.substr(line->file.rfind('/') + 1), line->line);
}

}  // namespace weft
