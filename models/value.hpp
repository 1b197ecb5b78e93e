// Values as messages carry them, and the structured clone algorithm.
//
// Modelled: undefined, null, booleans, numbers, strings, arrays, plain objects, Map, Set, Date, Error, ArrayBuffer,
// typed arrays (as the buffer that they are a view of), SharedArrayBuffer, MessagePort (transfer only), functions
// (which cannot be cloned) and instances of classes (which arrive as plain objects, without their methods). Cycles are
// kept. Not modelled: symbols, BigInt, RegExp, property attributes, host objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "models/array_buffer.hpp"
#include "models/message.hpp"

namespace js {

class Value;
class MessagePort;

struct Null {};

/// An object, an array, a Map and the like.
struct ObjectRecord final : HeapObject {
  enum class Kind : std::uint8_t { object, array, map, set, date, error };
  Kind kind = Kind::object;
  std::string class_name{};  ///< of an instance of a class; empty: a plain object
  std::vector<std::pair<Value, Value>>
      entries;  ///< properties; map: entries; set, array: the values; date, error: what it holds
  std::map<std::string, std::function<Value(Value self)>> methods;
};

struct FunctionRecord final : HeapObject {
  std::string name;
};

class Value {
 public:
  Value() = default;  ///< undefined
  Value(Null) : content_(Null{}) {}
  Value(bool value) : content_(value) {}
  Value(double value) : content_(value) {}
  Value(int value) : content_(static_cast<double>(value)) {}
  Value(std::int64_t value) : content_(static_cast<double>(value)) {}
  Value(const char* text) : content_(std::string(text)) {}
  Value(std::string text) : content_(std::move(text)) {}
  Value(ArrayBuffer buffer) : content_(buffer) {}
  Value(SharedArrayBuffer& buffer) : content_(&buffer) {}
  Value(MessagePort& port) : content_(&port) {}
  Value(const Error& error);

  static Value object(std::initializer_list<std::pair<std::string, Value>> properties = {});
  static Value array(std::initializer_list<Value> values = {});
  static Value map(std::initializer_list<std::pair<Value, Value>> entries);
  static Value set(std::initializer_list<Value> values);
  static Value date(double milliseconds);
  static Value function(std::string name);
  /// An instance of a class, with the methods of its prototype.
  static Value instance(std::string class_name, std::initializer_list<std::pair<std::string, Value>> properties,
                        std::initializer_list<std::pair<std::string, std::function<Value(Value)>>> methods = {});

  bool is_undefined() const { return std::holds_alternative<std::monostate>(content_); }
  bool is_null() const { return std::holds_alternative<Null>(content_); }
  bool is_number() const { return std::holds_alternative<double>(content_); }
  bool is_string() const { return std::holds_alternative<std::string>(content_); }
  bool is_object() const { return std::holds_alternative<ObjectRecord*>(content_); }
  bool is_function() const { return std::holds_alternative<FunctionRecord*>(content_); }
  bool is_array_buffer() const { return std::holds_alternative<ArrayBuffer>(content_); }
  bool is_shared_buffer() const { return std::holds_alternative<SharedArrayBuffer*>(content_); }
  bool is_port() const { return std::holds_alternative<MessagePort*>(content_); }

  /// The content; each throws TypeError if the value is something else.
  bool boolean() const;
  double number() const;
  const std::string& text() const;
  ArrayBuffer array_buffer() const;
  SharedArrayBuffer& shared_buffer() const;
  MessagePort& port() const;
  Error error() const;
  ObjectRecord& record() const;

  /// A property or element; undefined if there is none.
  Value operator[](std::string_view property) const;
  Value operator[](std::size_t index) const;
  void set_property(std::string property, Value value) const;
  void push(Value value) const;
  std::size_t length() const;
  /// Calls a method of its class. Throws TypeError "x.f is not a function" if it has none, as after a clone.
  Value call(const std::string& method) const;
  /// The name of its class; "Object" for a plain object.
  std::string class_name() const;
  /// As console.log would show it, roughly.
  std::string to_string() const;

  friend bool operator==(const Value& a, const Value& b);

 private:
  friend class Serializer;
  friend class Deserializer;
  explicit Value(ObjectRecord& object) : content_(&object) {}
  std::variant<std::monostate, Null, bool, double, std::string, ObjectRecord*, FunctionRecord*, ArrayBuffer,
               SharedArrayBuffer*, MessagePort*>
      content_;
};

/// What may be in a transfer list.
using TransferList = std::vector<Value>;

/// The message that posting `value` sends: a copy, with the buffers and ports in `transfer` moved into it. Throws
/// DataCloneError for what cannot be cloned; nothing has been moved then. A buffer that is detached already cannot
/// be cloned, but in the transfer list it is no error: it is sent empty.
Message serialize(const Value& value, const TransferList& transfer = {});
/// What the receiver gets, on the heap of the calling thread's agent.
Value deserialize(const Message& message);
/// `structuredClone(value, {transfer})`.
Value structuredClone(const Value& value, const TransferList& transfer = {});

}  // namespace js
