#include "report/code_scopes.hpp"

#include <dwarf.h>

#include <cstdlib>
#include <string_view>

namespace weft {

std::string name_of(Dwarf_Die* die) {
  const char* const name = dwarf_diename(die);
  return name == nullptr ? std::string() : name;
}

namespace {

bool is_class(int tag) { return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type; }

/// Adds what is below `scope`, innermost first. False if nothing there holds `place`.
bool add_scopes_below(Dwarf_Die* scope, Dwarf_Addr place, std::vector<Dwarf_Die>& found) {
  Dwarf_Die child;
  if (dwarf_child(scope, &child) != 0) return false;
  do {
    const int tag = dwarf_tag(&child);
    // These have no addresses, and may hold functions that do: clang defines functions inside their namespaces.
    if (tag == DW_TAG_namespace || is_class(tag)) {
      if (add_scopes_below(&child, place, found)) return true;
      continue;
    }
    if (!is_function(&child) && tag != DW_TAG_lexical_block && tag != DW_TAG_try_block && tag != DW_TAG_catch_block)
      continue;
    if (dwarf_haspc(&child, place) != 1) continue;
    add_scopes_below(&child, place, found);
    found.push_back(child);
    return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

/// From a function as it is there, or inlined, to where it was declared.
Dwarf_Die declaration_of(Dwarf_Die die) {
  for (const unsigned reference : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Attribute attribute;
    Dwarf_Die referred;
    // A clone of a clone has more than one origin.
    while (dwarf_attr(&die, reference, &attribute) != nullptr && dwarf_formref_die(&attribute, &referred) != nullptr)
      die = referred;
  }
  return die;
}

bool is_lambda(const std::string& class_name) { return class_name.empty() || class_name.starts_with("<lambda"); }

void erase_all(std::string& text, std::string_view part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;) text.erase(at, part.size());
}

/// Compilers write template arguments differently: clang has `&' before functions.
std::string with_common_spelling(std::string name) {
  erase_all(name, "(anonymous namespace)::");
  erase_all(name, "{anonymous}::");
  for (const std::string_view before : {"<", ", "}) {
    for (std::size_t at = 0; (at = name.find(before, at)) != std::string::npos;) {
      at += before.size();
      if (at < name.size() && name[at] == '&') name.erase(at, 1);
    }
  }
  return name;
}

}  // namespace

std::vector<Dwarf_Die> scopes_at(Dwarf_Die* unit, Dwarf_Addr place) {
  // Not dwarf_getscopes(), which looks for no function inside a namespace.
  std::vector<Dwarf_Die> found;
  add_scopes_below(unit, place, found);
  return found;
}

bool is_function(Dwarf_Die* scope) {
  const int tag = dwarf_tag(scope);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

std::string function_name(Dwarf_Die* function) {
  Dwarf_Die declared = declaration_of(*function);
  std::string name = name_of(&declared);
  if (name.empty()) return {};
  name += "()";
  Dwarf_Die* outward = nullptr;
  const int count = dwarf_getscopes_die(&declared, &outward);
  std::string within;
  for (int i = 1; i < count && within.empty(); ++i) {
    const int tag = dwarf_tag(&outward[i]);
    const std::string outer = name_of(&outward[i]);
    if (is_class(tag) && is_lambda(outer)) {
      name = "a lambda";
    } else if (is_class(tag) || (tag == DW_TAG_namespace && !outer.empty())) {
      name = outer + "::" + name;
    } else if (tag == DW_TAG_subprogram) {
      within = function_name(&outward[i]);
    }
  }
  std::free(outward);
  return with_common_spelling(within.empty() ? name : name + " in " + within);
}

}  // namespace weft
