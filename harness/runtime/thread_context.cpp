#include "runtime/thread_context.hpp"

#include <cxxabi.h>
#include <link.h>

#include <cerrno>
#include <cstring>
#include <mutex>

namespace weft {
namespace {

// The executable's own PT_TLS block. On x86-64 (variant II of the ELF TLS layout) it ends at the thread pointer.
struct ThreadLocalBlock {
  std::byte* begin = nullptr;
  const std::byte* image = nullptr;
  std::size_t image_size = 0;
  std::size_t size = 0;
};

int find_block(dl_phdr_info* info, std::size_t, void* result) {
  auto& block = *static_cast<ThreadLocalBlock*>(result);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_TLS) continue;
    const std::size_t align = header.p_align == 0 ? 1 : header.p_align;
    const std::size_t span = (header.p_memsz + align - 1) / align * align;
    block.begin = static_cast<std::byte*>(__builtin_thread_pointer()) - span;
    block.image = reinterpret_cast<const std::byte*>(info->dlpi_addr + header.p_vaddr);
    block.image_size = header.p_filesz;
    block.size = header.p_memsz;
  }
  return 1;  // the first object is the executable
}

ThreadLocalBlock find_thread_local_block() {
  ThreadLocalBlock found;
  dl_iterate_phdr(find_block, &found);
  return found;
}

// Where the OS thread that explores keeps it all.
struct Places {
  const void* os_thread = nullptr;
  ThreadLocalBlock block{};
  std::size_t* exceptions = nullptr;
  int* error = nullptr;
  void** call_once_object = nullptr;
  void (**call_once_function)() = nullptr;
};

Places find_places() {
  return {.os_thread = __builtin_thread_pointer(),
          .block = find_thread_local_block(),
          .exceptions = reinterpret_cast<std::size_t*>(abi::__cxa_get_globals()),
          .error = &errno,
          .call_once_object = &std::__once_callable,
          .call_once_function = &std::__once_call};
}

// On the way of each switch: so neither behind the guard of a static, nor looked up again while the OS thread is the same.
const Places& places() {
  static constinit Places found;
  if (found.os_thread != __builtin_thread_pointer()) [[unlikely]] found = find_places();
  return found;
}

}  // namespace

void ThreadContext::reset() {
  const ThreadLocalBlock& block = places().block;
  if (block.size != 0) {
    if (!thread_locals_) thread_locals_ = std::make_unique<std::byte[]>(block.size);
    std::memcpy(thread_locals_.get(), block.image, block.image_size);
    std::memset(thread_locals_.get() + block.image_size, 0, block.size - block.image_size);
  }
  exceptions_ = {};
  call_once_ = {};
  errno_ = 0;
}

void ThreadContext::save() {
  const Places& at = places();
  const ThreadLocalBlock& block = at.block;
  if (block.size != 0) {
    if (!thread_locals_) thread_locals_ = std::make_unique<std::byte[]>(block.size);
    std::memcpy(thread_locals_.get(), block.begin, block.size);
  }
  exceptions_ = {at.exceptions[0], at.exceptions[1]};
  call_once_ = {reinterpret_cast<std::size_t>(*at.call_once_object), reinterpret_cast<std::size_t>(*at.call_once_function)};
  errno_ = *at.error;
}

void ThreadContext::load() const {
  const Places& at = places();
  const ThreadLocalBlock& block = at.block;
  if (block.size != 0) std::memcpy(block.begin, thread_locals_.get(), block.size);
  at.exceptions[0] = exceptions_[0];
  at.exceptions[1] = exceptions_[1];
  *at.call_once_object = reinterpret_cast<void*>(call_once_[0]);
  *at.call_once_function = reinterpret_cast<void (*)()>(call_once_[1]);
  *at.error = errno_;
}

std::span<const std::byte> ThreadContext::thread_locals() const {
  if (!thread_locals_) return {};
  return {thread_locals_.get(), places().block.size};
}

}  // namespace weft
