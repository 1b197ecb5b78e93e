// A pointer that compilers know nothing about: neither that it is to an object of the function's own, whose accesses
// clang does not instrument and may leave out, nor that the object has ended.
#pragma once

namespace weft::test {

template <class T>
T* hidden(T* pointer) {
  __asm__ volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}

}  // namespace weft::test
