// ArrayBuffer, SharedArrayBuffer and typed arrays on them.
//
// An ArrayBuffer belongs to one agent. Transferring it in a message takes its bytes away: byteLength is 0 from then on,
// elements of views that exist read as undefined and writes to them vanish; only making a new view or a slice throws.
//
// A SharedArrayBuffer is memory that all agents see. `view[i]` is a plain access, which races with those of other
// agents as it does in ECMAScript; js::Atomics (atomics.hpp) has the others. Here it is an object that owns the memory
// and must outlive its views.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "models/event_loop.hpp"
#include "models/waiter_list.hpp"

namespace js {

/// The bytes of an ArrayBuffer, on the heap of its agent.
struct ArrayBufferRecord final : HeapObject {
  explicit ArrayBufferRecord(std::vector<std::byte> content) : bytes(std::move(content)) {}
  std::vector<std::byte> bytes;
  bool detached = false;
};

/// A handle: copies are the same buffer.
class ArrayBuffer {
 public:
  explicit ArrayBuffer(std::size_t byte_length) : ArrayBuffer(std::vector<std::byte>(byte_length)) {}
  explicit ArrayBuffer(std::vector<std::byte> content)
      : record_(&EventLoop::current().heap().make<ArrayBufferRecord>(std::move(content))) {}

  std::size_t byteLength() const { return record_->bytes.size(); }
  bool detached() const { return record_->detached; }
  /// A copy of bytes [begin, end). Throws TypeError if detached.
  ArrayBuffer slice(std::size_t begin, std::size_t end) const {
    if (record_->detached) throw TypeError("Cannot perform ArrayBuffer.prototype.slice on a detached ArrayBuffer");
    const std::size_t last = std::min(end, byteLength());
    const std::size_t first = std::min(begin, last);
    return ArrayBuffer(std::vector<std::byte>(record_->bytes.begin() + static_cast<std::ptrdiff_t>(first),
                                              record_->bytes.begin() + static_cast<std::ptrdiff_t>(last)));
  }
  /// Takes the bytes out, for a message that transfers them.
  std::vector<std::byte> detach() const {
    record_->detached = true;
    return std::exchange(record_->bytes, {});
  }
  ArrayBufferRecord& record() const { return *record_; }
  friend bool operator==(ArrayBuffer a, ArrayBuffer b) { return a.record_ == b.record_; }

 private:
  friend class Value;
  explicit ArrayBuffer(ArrayBufferRecord& record) : record_(&record) {}
  ArrayBufferRecord* record_;
};

/// Owns memory that all agents see. Views and messages refer to it: it must outlive the loops that have them.
class SharedArrayBuffer {
 public:
  explicit SharedArrayBuffer(std::size_t byte_length)
      : words_(std::make_unique<std::uint64_t[]>(byte_length / 8 + 1)), byte_length_(byte_length) {
    weft::detail::hide_steps(&waiters_.critical_section);
  }
  SharedArrayBuffer(const SharedArrayBuffer&) = delete;
  SharedArrayBuffer& operator=(const SharedArrayBuffer&) = delete;

  std::size_t byteLength() const { return byte_length_; }
  std::byte* data() { return reinterpret_cast<std::byte*>(words_.get()); }
  WaiterList& waiters() { return waiters_; }

 private:
  std::unique_ptr<std::uint64_t[]> words_;
  std::size_t byte_length_;
  WaiterList waiters_;
};

/// A view of elements of type T. Copies are views of the same memory.
template <class T>
class TypedArray {
 public:
  /// `new Int32Array(shared)`.
  explicit TypedArray(SharedArrayBuffer& shared) : shared_(&shared), length_(shared.byteLength() / sizeof(T)) {}
  /// `new Int32Array(buffer)`. Throws TypeError if it is detached.
  explicit TypedArray(ArrayBuffer buffer) : own_(buffer), length_(buffer.byteLength() / sizeof(T)) {
    if (buffer.detached()) throw TypeError("Cannot perform Construct on a detached ArrayBuffer");
  }
  /// `new Int32Array(length)`: a buffer of its own.
  explicit TypedArray(std::size_t length) : TypedArray(ArrayBuffer(length * sizeof(T))) {}

  bool is_shared() const { return shared_ != nullptr; }
  /// 0 once the buffer is detached.
  std::size_t length() const { return own_ && own_->detached() ? 0 : length_; }
  /// The element itself, for plain accesses: `view[0] += 1` is a load, an addition and a store. The index must be less
  /// than length().
  T& operator[](std::size_t index) const {
    weft::check(index < length(),
                "a typed array is used inside its bounds (get and set do as the platform does outside of them)");
    return reinterpret_cast<T*>(memory())[index];
  }
  /// The element, or undefined: outside of the bounds, and once the buffer is detached.
  std::optional<T> get(std::size_t index) const {
    return index < length() ? std::optional<T>((*this)[index]) : std::nullopt;
  }
  /// Writes the element; outside of the bounds, nothing.
  void set(std::size_t index, T value) const {
    if (index < length()) (*this)[index] = value;
  }
  /// The buffer, if it is not shared.
  const std::optional<ArrayBuffer>& buffer() const { return own_; }
  SharedArrayBuffer* shared_buffer() const { return shared_; }

 private:
  std::byte* memory() const { return shared_ != nullptr ? shared_->data() : own_->record().bytes.data(); }

  SharedArrayBuffer* shared_ = nullptr;
  std::optional<ArrayBuffer> own_;
  std::size_t length_;
};

using Int32Array = TypedArray<std::int32_t>;
using Uint8Array = TypedArray<std::uint8_t>;
using Uint32Array = TypedArray<std::uint32_t>;

}  // namespace js
