// operator new and delete in all their forms ([new.delete]); see hooks_memory.cpp for what they do.
#include <new>

#include "runtime/hooks_memory.hpp"

namespace weft {
namespace {

using lifetime::Family;

void* allocate_or_throw(std::size_t size, std::size_t alignment, Family family, const void* place) {
  for (;;) {
    if (void* const block = heap::allocate(size, alignment, family, place)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void* allocate_or_null(std::size_t size, std::size_t alignment, Family family, const void* place) noexcept {
  try {
    return allocate_or_throw(size, alignment, family, place);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

constexpr std::size_t kDefault = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
constexpr Family kScalar = Family::scalar_new;
constexpr Family kArray = Family::array_new;

}  // namespace
}  // namespace weft

using std::align_val_t;
using std::nothrow_t;
using std::size_t;
using weft::kArray;
using weft::kDefault;
using weft::kScalar;
using weft::heap::release;

#define WEFT_PLACE __builtin_return_address(0)

void* operator new(size_t n) { return weft::allocate_or_throw(n, kDefault, kScalar, WEFT_PLACE); }
void* operator new[](size_t n) { return weft::allocate_or_throw(n, kDefault, kArray, WEFT_PLACE); }
void* operator new(size_t n, align_val_t a) { return weft::allocate_or_throw(n, size_t(a), kScalar, WEFT_PLACE); }
void* operator new[](size_t n, align_val_t a) { return weft::allocate_or_throw(n, size_t(a), kArray, WEFT_PLACE); }
void* operator new(size_t n, const nothrow_t&) noexcept {
  return weft::allocate_or_null(n, kDefault, kScalar, WEFT_PLACE);
}
void* operator new[](size_t n, const nothrow_t&) noexcept {
  return weft::allocate_or_null(n, kDefault, kArray, WEFT_PLACE);
}
void* operator new(size_t n, align_val_t a, const nothrow_t&) noexcept {
  return weft::allocate_or_null(n, size_t(a), kScalar, WEFT_PLACE);
}
void* operator new[](size_t n, align_val_t a, const nothrow_t&) noexcept {
  return weft::allocate_or_null(n, size_t(a), kArray, WEFT_PLACE);
}

void operator delete(void* p) noexcept { release(p, kScalar, WEFT_PLACE); }
void operator delete[](void* p) noexcept { release(p, kArray, WEFT_PLACE); }
void operator delete(void* p, size_t) noexcept { release(p, kScalar, WEFT_PLACE); }
void operator delete[](void* p, size_t) noexcept { release(p, kArray, WEFT_PLACE); }
void operator delete(void* p, align_val_t) noexcept { release(p, kScalar, WEFT_PLACE); }
void operator delete[](void* p, align_val_t) noexcept { release(p, kArray, WEFT_PLACE); }
void operator delete(void* p, size_t, align_val_t) noexcept { release(p, kScalar, WEFT_PLACE); }
void operator delete[](void* p, size_t, align_val_t) noexcept { release(p, kArray, WEFT_PLACE); }
void operator delete(void* p, const nothrow_t&) noexcept { release(p, kScalar, WEFT_PLACE); }
void operator delete[](void* p, const nothrow_t&) noexcept { release(p, kArray, WEFT_PLACE); }
void operator delete(void* p, align_val_t, const nothrow_t&) noexcept { release(p, kScalar, WEFT_PLACE); }
void operator delete[](void* p, align_val_t, const nothrow_t&) noexcept { release(p, kArray, WEFT_PLACE); }
