// `new Map()`: what one agent keeps under keys. Each get and set is a line in the trace, so that what was read and what
// was written over it can be told apart.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "models/noted_access.hpp"

namespace js {

template <class Key, class Value>
class Map {
 public:
  /// `name` stands in traces: "quota.get(42) -> 1".
  explicit Map(const char* name, std::initializer_list<std::pair<const Key, Value>> entries = {})
      : name_(name), entries_(entries) {}

  bool has(const Key& key) const { return entries_.contains(key); }
  /// What is kept under `key`; a Value() if nothing is.
  Value get(const Key& key) const {
    const auto entry = entries_.find(key);
    const Value value = entry == entries_.end() ? Value() : entry->second;
    tell(Does::reads, key, [&] { return text(value); }, [&] { return ".get(" + text(key) + ") -> " + text(value); });
    return value;
  }
  void set(const Key& key, Value value) {
    tell(Does::writes, key, [&] { return text(value); }, [&] { return ".set(" + text(key) + ", " + text(value) + ")"; });
    entries_.insert_or_assign(key, std::move(value));
  }
  /// `delete` is a word of C++.
  bool delete_(const Key& key) {
    tell(Does::writes, key, [] { return std::string("nothing"); }, [&] { return ".delete(" + text(key) + ")"; });
    return entries_.erase(key) != 0;
  }
  std::size_t size() const { return entries_.size(); }
  /// The value itself, for weft::watch; the key must be there. Valid until the key is deleted.
  const Value& slot(const Key& key) const { return entries_.at(key); }

 private:
  using Does = weft::detail::Note::Does;

  template <class ValueText, class Call>
  void tell(Does does, const Key& key, ValueText value, Call call) const {
    note_access(does, [&] {
      return NotedAccess{.text = name_ + call(), .object = name_ + ("[" + text(key) + "]"), .value = value()};
    });
  }
  template <class T>
  static std::string text(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      return std::to_string(value);
    } else if constexpr (std::is_convertible_v<T, std::string>) {
      return value;
    } else {
      return "{...}";
    }
  }

  const char* name_;
  std::map<Key, Value> entries_;
};

}  // namespace js
