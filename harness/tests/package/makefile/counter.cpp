// Explores a lost update and its repair, and says what came out.
#include <atomic>
#include <iostream>
#include <thread>

#include <weft/version.hpp>
#include <weft/weft.hpp>

namespace {

void load_then_store() {
  std::atomic<int> counter{0};
  std::thread other([&] { counter = counter + 1; });
  counter = counter + 1;
  other.join();
  weft::check(counter == 2, "nothing is lost");
}

void increment() {
  std::atomic<int> counter{0};
  std::thread other([&] { ++counter; });
  ++counter;
  other.join();
  weft::check(counter == 2, "nothing is lost");
}

}  // namespace

int main() {
  const weft::Result broken = weft::explore(load_then_store);
  const weft::Result fixed = weft::explore(increment);
  std::cout << "weft " << WEFT_VERSION_STRING << '\n'
            << "broken: " << to_string(broken.verdict) << '\n'
            << "fixed: " << to_string(fixed.verdict) << '\n';
}
