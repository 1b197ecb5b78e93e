// Names that a scenario gives to its objects with weft::name, for findings and traces.
//
// Addresses are the same in every execution, so a name is kept for the whole exploration; a later object at the same address takes over.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace weft {

/// Belongs to one exploration. Not thread-safe. Allocates: call it under Execution::Outside.
class ObjectNames {
 public:
  void name(std::uintptr_t address, std::size_t size, std::string_view text) {
    Object& object = by_address_[address];
    if (object.size == size && object.text == text) return;
    object = {size, std::string(text)};
  }
  /// The name of the object that holds `address`, with "+n" for the n-th byte of it; empty if it has none.
  std::string find(std::uintptr_t address) const {
    auto next = by_address_.upper_bound(address);
    if (next == by_address_.begin()) return {};
    const auto& [begin, object] = *--next;
    if (address - begin >= object.size) return {};
    return address == begin ? object.text : object.text + "+" + std::to_string(address - begin);
  }

 private:
  struct Object {
    std::size_t size = 0;
    std::string text;
  };
  std::map<std::uintptr_t, Object> by_address_;
};

}  // namespace weft
