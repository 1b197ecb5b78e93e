// Names of objects for findings and traces: those that a scenario gives with weft::name, else those of global objects.
//
// Addresses are the same in every execution, so a name is kept for the whole exploration; a later object at the same
// address takes over.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace weft {

/// Belongs to one exploration. Not thread-safe. Allocates: call it under Execution::Outside.
class ObjectNames {
 public:
  void name(std::uintptr_t address, std::size_t size, std::string_view text) {
    Object& object = by_address_[address];
    if (object.size == size && object.text == text) return;
    object = {size, std::string(text)};
  }
  /// Steps on this object are left out of traces: a model says with notes what they mean.
  void hide_steps(std::uintptr_t address) { hidden_.insert(address); }
  bool hides_steps(std::uintptr_t address) const { return hidden_.contains(address); }
  /// Who is asked for names that the scenario has not given: the symbol table. Must answer as find() does.
  void set_symbols(std::function<std::string(std::uintptr_t address)> symbols) { symbols_ = std::move(symbols); }
  /// The name of the object that holds `address`, with "+n" for the n-th byte of it; empty if it has none.
  std::string find(std::uintptr_t address) const {
    auto next = by_address_.upper_bound(address);
    if (next != by_address_.begin()) {
      const auto& [begin, object] = *--next;
      if (address == begin) return object.text;
      if (address - begin < object.size) return object.text + "+" + std::to_string(address - begin);
    }
    return symbols_ ? symbols_(address) : std::string();
  }

 private:
  struct Object {
    std::size_t size = 0;
    std::string text;
  };
  std::map<std::uintptr_t, Object> by_address_;
  std::set<std::uintptr_t> hidden_;
  std::function<std::string(std::uintptr_t address)> symbols_;
};

}  // namespace weft
