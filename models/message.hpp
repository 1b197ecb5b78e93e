// A message on its way between agents: the value in a form that belongs to neither.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace js {

class SharedArrayBuffer;
struct PortRecord;

/// Nodes refer to each other by their place in the list, so shared parts and cycles arrive as they were. The first is
/// the value itself.
struct Message {
  enum class Kind : std::uint8_t { undefined, null, boolean, number, text, object, array_buffer, shared_buffer, port };
  struct Node {
    Kind kind = Kind::undefined;
    std::uint8_t object_kind = 0;  // ObjectRecord::Kind
    double number = 0;
    std::string text{};
    std::vector<std::byte> bytes{};
    SharedArrayBuffer* shared = nullptr;
    PortRecord* port = nullptr;
    std::vector<std::pair<std::size_t, std::size_t>> entries{};
  };
  std::vector<Node> nodes;
};

}  // namespace js
