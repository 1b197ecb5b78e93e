#include "api/warm_up.hpp"

#include <future>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace weft {

void warm_up_libraries() {
  static const bool done = [] {
    // The unwinder sorts the tables of the loaded objects, under a lock of its own.
    try {
      throw std::runtime_error("warm-up");
    } catch (const std::exception&) {
    }
    // Locales install their caches of facets.
    std::ostringstream out;
    out << std::locale().name() << 1 << 1.5 << true;
    int number = 0;
    std::istringstream("1") >> number;
    // What becomes ready when a thread ends is in thread-specific data, whose key the library creates once.
    std::promise<void> promise;
    std::thread([&] { promise.set_value_at_thread_exit(); }).join();
    return true;
  }();
  (void)done;
}

}  // namespace weft
