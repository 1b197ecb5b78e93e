#include "models/value.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "models/message_port.hpp"

namespace js {
namespace {

ObjectRecord& make_object(ObjectRecord::Kind kind) {
  auto& object = EventLoop::current().heap().make<ObjectRecord>();
  object.kind = kind;
  return object;
}

template <class T>
const T& content_of(const T* content, const char* wanted) {
  if (content == nullptr) throw TypeError(std::string("the value is not ") + wanted);
  return *content;
}

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", number);
  return text;
}

}  // namespace

Value::Value(const Error& error) {
  ObjectRecord& object = make_object(ObjectRecord::Kind::error);
  object.class_name = error.name();
  object.entries = {{"name", error.name()}, {"message", error.message()}};
  content_ = &object;
}

Value Value::object(std::initializer_list<std::pair<std::string, Value>> properties) {
  ObjectRecord& object = make_object(ObjectRecord::Kind::object);
  for (const auto& [name, value] : properties) object.entries.emplace_back(name, value);
  return Value(object);
}

Value Value::array(std::initializer_list<Value> values) {
  ObjectRecord& object = make_object(ObjectRecord::Kind::array);
  for (const Value& value : values) object.entries.emplace_back(Value(), value);
  return Value(object);
}

Value Value::map(std::initializer_list<std::pair<Value, Value>> entries) {
  ObjectRecord& object = make_object(ObjectRecord::Kind::map);
  object.entries = entries;
  return Value(object);
}

Value Value::set(std::initializer_list<Value> values) {
  ObjectRecord& object = make_object(ObjectRecord::Kind::set);
  for (const Value& value : values) object.entries.emplace_back(Value(), value);
  return Value(object);
}

Value Value::date(double milliseconds) {
  ObjectRecord& object = make_object(ObjectRecord::Kind::date);
  object.entries = {{Value(), milliseconds}};
  return Value(object);
}

Value Value::function(std::string name) {
  auto& function = EventLoop::current().heap().make<FunctionRecord>();
  function.name = std::move(name);
  Value value;
  value.content_ = &function;
  return value;
}

Value Value::instance(std::string class_name, std::initializer_list<std::pair<std::string, Value>> properties,
                      std::initializer_list<std::pair<std::string, std::function<Value(Value)>>> methods) {
  const Value value = object(properties);
  value.record().class_name = std::move(class_name);
  for (const auto& [name, method] : methods) value.record().methods[name] = method;
  return value;
}

bool Value::boolean() const { return content_of(std::get_if<bool>(&content_), "a boolean"); }
double Value::number() const { return content_of(std::get_if<double>(&content_), "a number"); }
const std::string& Value::text() const { return content_of(std::get_if<std::string>(&content_), "a string"); }
ArrayBuffer Value::array_buffer() const { return content_of(std::get_if<ArrayBuffer>(&content_), "an ArrayBuffer"); }
SharedArrayBuffer& Value::shared_buffer() const {
  return *content_of(std::get_if<SharedArrayBuffer*>(&content_), "a SharedArrayBuffer");
}
MessagePort& Value::port() const { return *content_of(std::get_if<MessagePort*>(&content_), "a MessagePort"); }
ObjectRecord& Value::record() const { return *content_of(std::get_if<ObjectRecord*>(&content_), "an object"); }

Error Value::error() const {
  if (record().kind != ObjectRecord::Kind::error) throw TypeError("the value is not an Error");
  return {(*this)["name"].text(), (*this)["message"].text()};
}

Value Value::operator[](std::string_view property) const {
  for (const auto& [key, value] : record().entries) {
    if (key.is_string() && key.text() == property) return value;
  }
  return {};
}

Value Value::operator[](std::size_t index) const {
  const auto& entries = record().entries;
  return index < entries.size() ? entries[index].second : Value();
}

void Value::set_property(std::string property, Value value) const {
  for (auto& [key, old] : record().entries) {
    if (key.is_string() && key.text() == property) {
      old = std::move(value);
      return;
    }
  }
  record().entries.emplace_back(std::move(property), std::move(value));
}

void Value::push(Value value) const { record().entries.emplace_back(Value(), std::move(value)); }
std::size_t Value::length() const { return record().entries.size(); }

Value Value::call(const std::string& method) const {
  const auto found = record().methods.find(method);
  if (found == record().methods.end()) throw TypeError("value." + method + " is not a function");
  return found->second(*this);
}

std::string Value::class_name() const {
  if (!record().class_name.empty()) return record().class_name;
  switch (record().kind) {
    case ObjectRecord::Kind::array:
      return "Array";
    case ObjectRecord::Kind::map:
      return "Map";
    case ObjectRecord::Kind::set:
      return "Set";
    case ObjectRecord::Kind::date:
      return "Date";
    case ObjectRecord::Kind::error:
      return "Error";
    case ObjectRecord::Kind::object:
      break;
  }
  return "Object";
}

std::string Value::to_string() const {
  if (is_undefined()) return "undefined";
  if (is_null()) return "null";
  if (const bool* const value = std::get_if<bool>(&content_)) return *value ? "true" : "false";
  if (is_number()) return number_text(number());
  if (is_string()) return text();
  if (is_function()) return "[Function]";
  if (is_array_buffer()) return "ArrayBuffer(" + std::to_string(array_buffer().byteLength()) + ")";
  if (is_shared_buffer()) return "SharedArrayBuffer";
  if (is_port()) return "MessagePort";
  if (record().kind == ObjectRecord::Kind::error) return error().what();
  return class_name();
}

bool operator==(const Value& a, const Value& b) {
  if (a.content_.index() != b.content_.index()) return false;
  return std::visit(
      [&b](const auto& left) {
        using T = std::decay_t<decltype(left)>;
        const T& right = *std::get_if<T>(&b.content_);
        if constexpr (std::is_same_v<T, Null>) {
          return true;
        } else {
          return left == right;
        }
      },
      a.content_);
}

// --- structured clone (HTML, StructuredSerializeWithTransfer) ---

class Serializer {
 public:
  explicit Serializer(const TransferList& transfer) : transfer_(transfer) {
    for (std::size_t i = 0; i < transfer.size(); ++i) {
      if (!transfer[i].is_array_buffer() && !transfer[i].is_port())
        throw DataCloneError("Value at index " + std::to_string(i) + " of the transfer list could not be transferred");
      if (std::count(transfer.begin(), transfer.end(), transfer[i]) != 1)
        throw DataCloneError("Transfer list contains duplicate " + transfer[i].to_string());
    }
  }

  Message run(const Value& value) {
    add(value);
    // From here on nothing can fail: now what is transferred moves.
    for (const Value& item : transfer_) {
      const std::optional<std::size_t> node = node_of(item);
      if (item.is_array_buffer()) {
        std::vector<std::byte> bytes = item.array_buffer().detach();
        if (node) message_.nodes[*node].bytes = std::move(bytes);
      } else {
        // It travels even if the value does not refer to it.
        Message::Node& port = node ? message_.nodes[*node] : message_.nodes.emplace_back();
        port.kind = Message::Kind::port;
        port.port = item.port().detach();
      }
    }
    return std::move(message_);
  }

 private:
  std::optional<std::size_t> node_of(const Value& value) const {
    for (const auto& [seen, node] : seen_) {
      if (seen == value) return node;
    }
    return std::nullopt;
  }
  bool is_transferred(const Value& value) const { return std::count(transfer_.begin(), transfer_.end(), value) != 0; }

  std::size_t add(const Value& value) {
    const bool has_identity = value.is_object() || value.is_array_buffer() || value.is_port();
    if (has_identity) {
      if (const std::optional<std::size_t> node = node_of(value)) return *node;
    }
    const std::size_t at = message_.nodes.size();
    message_.nodes.emplace_back();
    if (has_identity) seen_.emplace_back(value, at);
    fill(at, value);
    return at;
  }

  void fill(std::size_t at, const Value& value) {
    Message::Node node;
    if (value.is_function())
      throw DataCloneError(std::get<FunctionRecord*>(value.content_)->name + " could not be cloned.");
    if (value.is_null()) {
      node.kind = Message::Kind::null;
    } else if (const bool* const boolean = std::get_if<bool>(&value.content_)) {
      node.kind = Message::Kind::boolean;
      node.number = *boolean ? 1 : 0;
    } else if (value.is_number()) {
      node.kind = Message::Kind::number;
      node.number = value.number();
    } else if (value.is_string()) {
      node.kind = Message::Kind::text;
      node.text = value.text();
    } else if (value.is_array_buffer()) {
      node.kind = Message::Kind::array_buffer;
      if (!is_transferred(value)) {
        if (value.array_buffer().detached())
          throw DataCloneError("An ArrayBuffer is detached and could not be cloned.");
        node.bytes = value.array_buffer().record().bytes;
      }
    } else if (value.is_shared_buffer()) {
      node.kind = Message::Kind::shared_buffer;
      node.shared = &value.shared_buffer();
    } else if (value.is_port()) {
      if (!is_transferred(value))
        throw DataCloneError("Object that needs transfer was found in message but not listed in transferList");
      if (value.port().record() == nullptr) throw DataCloneError("MessagePort in transfer list is already detached");
      node.kind = Message::Kind::port;
    } else if (value.is_object()) {
      add_object(node, value.record());
    }
    message_.nodes[at] = std::move(node);
  }

  void add_object(Message::Node& node, const ObjectRecord& object) {
    node.kind = Message::Kind::object;
    node.object_kind = static_cast<std::uint8_t>(object.kind);
    if (object.kind == ObjectRecord::Kind::error) node.text = object.class_name;
    for (const auto& [key, value] : object.entries) {
      const std::size_t key_node = add(key);  // one after the other: the order of nodes must not depend on the compiler
      const std::size_t value_node = add(value);
      node.entries.emplace_back(key_node, value_node);
    }
  }

  const TransferList& transfer_;
  Message message_;
  std::vector<std::pair<Value, std::size_t>> seen_;
};

class Deserializer {
 public:
  explicit Deserializer(const Message& message) : message_(message), made_(message.nodes.size()) {}

  /// The value, and the ports that came along.
  Value run() {
    for (std::size_t i = 0; i < message_.nodes.size(); ++i) {
      if (message_.nodes[i].port != nullptr) value(i);
    }
    return value(0);
  }

 private:
  Value value(std::size_t at) {
    if (!made_[at]) make(at);
    return *made_[at];
  }

  void make(std::size_t at) {
    const Message::Node& node = message_.nodes[at];
    switch (node.kind) {
      case Message::Kind::undefined:
        made_[at] = Value();
        return;
      case Message::Kind::null:
        made_[at] = Value(Null{});
        return;
      case Message::Kind::boolean:
        made_[at] = Value(node.number != 0);
        return;
      case Message::Kind::number:
        made_[at] = Value(node.number);
        return;
      case Message::Kind::text:
        made_[at] = Value(node.text);
        return;
      case Message::Kind::array_buffer:
        made_[at] = Value(ArrayBuffer(node.bytes));
        return;
      case Message::Kind::shared_buffer:
        made_[at] = Value(*node.shared);
        return;
      case Message::Kind::port:
        made_[at] = Value(static_cast<MessagePort&>(EventLoop::current().heap().make<ChannelPort>(*node.port)));
        return;
      case Message::Kind::object:
        break;
    }
    ObjectRecord& object = make_object(static_cast<ObjectRecord::Kind>(node.object_kind));
    object.class_name = node.text;
    made_[at] = Value(object);
    for (const auto& [key, value_node] : node.entries) {
      Value name = value(key);
      object.entries.emplace_back(std::move(name), value(value_node));
    }
  }

  const Message& message_;
  std::vector<std::optional<Value>> made_;
};

Message serialize(const Value& value, const TransferList& transfer) { return Serializer(transfer).run(value); }
Value deserialize(const Message& message) { return message.nodes.empty() ? Value() : Deserializer(message).run(); }
Value structuredClone(const Value& value, const TransferList& transfer) {
  return deserialize(serialize(value, transfer));
}

}  // namespace js
