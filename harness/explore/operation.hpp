// One visible operation of a thread, as the runtime hands it to the explorer.
#pragma once

#include <cstring>

#include "graph/event.hpp"

namespace weft {

/// Names a location for the whole exploration: an address, tagged by what is kept there.
struct LocationKey {
  enum class Space : std::uint8_t {
    memory,   ///< an atomic object
    mutex,    ///< the chain of locks of a mutex
    channel,  ///< the sends to a channel
    object,   ///< runtime state that one RMW changes at a time: waiter lists, semaphores, weft::shared<T>
  };
  std::uint64_t bits = 0;

  static constexpr LocationKey of(Space space, std::uint64_t address) {
    return {address | static_cast<std::uint64_t>(space) << 56};
  }
  static LocationKey of(Space space, const volatile void* address) {
    return of(space, reinterpret_cast<std::uint64_t>(address));
  }
  /// An atomic object at an address where `generation` others have lived before in the same run.
  static constexpr LocationKey of_memory(std::uint64_t address, std::uint32_t generation) {
    return {address | static_cast<std::uint64_t>(generation) << kAddressBits};
  }
  static constexpr unsigned kAddressBits = 47;  // user space on x86-64
  static constexpr std::uint32_t kMaxGeneration = (1u << (56 - kAddressBits)) - 1;

  constexpr Space space() const { return static_cast<Space>(bits >> 56); }
  constexpr std::uint64_t address() const { return bits & ((std::uint64_t{1} << kAddressBits) - 1); }
  constexpr std::uint32_t generation() const { return static_cast<std::uint32_t>(bits >> kAddressBits) & kMaxGeneration; }
  friend constexpr bool operator==(LocationKey, LocationKey) = default;
};

enum class OperationKind : std::uint8_t {
  read, write, rmw, fence, choose, lock, gate, unlock, send, receive, create, end, join
};

/// What a read or an RMW does with the value that it read.
enum class Decision : std::uint8_t {
  keep,   ///< RMW: writes nothing (a failed compare-exchange). Read: goes on.
  write,  ///< RMW: writes `result`.
  wait,   ///< the thread cannot go on with this value: it waits until it can read another one (an await)
};

struct Operation;
/// Must depend on nothing but the operation and `old`, and change nothing but `result`: it is also asked about values
/// that the thread does not read in the end.
using Decide = Decision (*)(const Operation& operation, Value old, Value& result);

struct Operation {
  OperationKind kind = OperationKind::fence;
  Order order = Order::relaxed;
  Order failure_order = order;     ///< rmw: order of its read if `decide` says other than write
  std::uint8_t size = 8;           ///< bytes; memory locations only
  bool plain_access = false;       ///< a racing plain access, promoted
  bool silent_is_read = false;     ///< rmw: writing what is there already counts as keep (see runtime/spin.hpp)
  bool synchronizes = true;        ///< receive: false if the send must not count as happening before; fence: false if it
                                   ///< only takes part in the order of seq_cst operations
  bool seen_by_fences = true;      ///< false for state of the runtime: the program's fences do not synchronize through it
  LocationKey location{};
  Value operand = 0;               ///< write, send: the value; choose: how many; join: thread; create: set by the runtime
  Value expected = 0;              ///< compare-exchange
  Decide decide = nullptr;         ///< rmw: required; read: null means keep
  void* context = nullptr;         ///< for `decide`
  const void* place = nullptr;     ///< code address of the operation, for reports

  /// The value that memory holds before the location's first atomic access.
  Value initial_value() const {
    if (location.space() != LocationKey::Space::memory) return 0;
    Value v = 0;
    std::memcpy(&v, reinterpret_cast<const void*>(location.address()), size);
    return v;
  }
};

}  // namespace weft
