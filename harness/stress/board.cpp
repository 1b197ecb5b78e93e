#include "stress/board.hpp"

#include <sys/mman.h>

#include <new>
#include <stdexcept>

namespace weft::stress {

Board& board() {
  static Board* const made = [] {
    void* const memory = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("cannot share memory with the processes of iterations");
    return static_cast<Board*>(memory);  // all zeros, and all of its members begin their lives so
  }();
  return *made;
}

}  // namespace weft::stress
