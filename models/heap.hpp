// The objects of one agent (an event loop and what runs on it). They live until the agent is gone: a model has no
// garbage collector, and needs none, since scenarios are short. So references to them are plain pointers, which may
// form cycles.
#pragma once

#include <coroutine>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace js {

/// Anything that lives on a Heap.
class HeapObject {
 public:
  HeapObject() = default;
  HeapObject(const HeapObject&) = delete;
  HeapObject& operator=(const HeapObject&) = delete;
  virtual ~HeapObject() = default;
};

/// A coroutine's frame while it exists, in the list of its agent's frames.
struct FrameLink {
  FrameLink* before = this;
  FrameLink* after = this;
  std::coroutine_handle<> frame;
};

/// Not thread-safe: an agent runs on one thread.
class Heap {
 public:
  Heap() = default;
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;
  ~Heap() { destroy_frames(); }

  template <class T, class... Arguments>
  T& make(Arguments&&... arguments) {
    objects_.push_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
    return static_cast<T&>(*objects_.back());
  }

  void add(FrameLink& link) {
    link.before = &frames_;
    link.after = frames_.after;
    link.after->before = link.before->after = &link;
  }
  static void remove(FrameLink& link) {
    link.before->after = link.after;
    link.after->before = link.before;
  }
  /// Forgets all coroutines: some of them were running when their thread was stopped, and can neither go on nor be
  /// destroyed.
  void leave_frames() { frames_.before = frames_.after = &frames_; }
  /// Destroys the coroutines that were never resumed again, as if they had never existed.
  void destroy_frames() {
    while (frames_.after != &frames_) frames_.after->frame.destroy();
  }

 private:
  std::vector<std::unique_ptr<HeapObject>> objects_;
  FrameLink frames_;
};

}  // namespace js
