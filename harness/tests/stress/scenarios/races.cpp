// Data races that the ThreadSanitizer reports, and what it must not report.
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <weft/scenario.hpp>

namespace {

int shared_total = 0;

void two_threads(void (*work)()) {
  std::thread one(work);
  std::thread other(work);
  one.join();
  other.join();
}

void increment_plain_global() {
  two_threads([] { shared_total += 1; });
}

void increment_named_on_the_heap() {
  const auto numbers = std::make_unique<int[]>(4);
  weft::name(numbers[2], "numbers[2]");
  std::thread writer([&] {
    weft::name_thread("Writer");
    numbers[2] = 1;
  });
  std::thread reader([&] {
    weft::name_thread("A reader with a long name");
    weft::assume(numbers[2] < 2);
  });
  writer.join();
  reader.join();
}

// Nothing that Weft does in between may order them for the ThreadSanitizer: it would hide the race. The reader comes
// late, so all that the writer does through Weft after its write lies between the two accesses.
void use_weft(const char* text) {
  static int watched = 0;
  weft::note(text);
  weft::check(true, "nothing is wrong");
  weft::sometimes(true, "somebody was here");
  weft::name(watched, "watched");
  weft::name_thread(text);
}
void race_with_notes_around_it() {
  static int value = 0;
  std::thread writer([] {
    value = static_cast<int>(weft::choose(5));
    use_weft("Writer");
  });
  std::thread reader([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    use_weft("Reader");
    weft::check(value < 5, "a small value");
  });
  writer.join();
  reader.join();
}

void racy_by_declaration() {
  static int value = 0;
  weft::racy(value) = 0;
  two_threads([] { value = value + 1; });
}

void racy_does_not_cover_its_neighbour() {
  static int values[2] = {};
  weft::racy(values[0]) = 0;
  two_threads([] { values[1] = values[1] + 1; });
}

void copies_from_what_is_written() {
  static char from[16] = "before";
  std::thread writer([] { from[0] = 'B'; });
  std::thread copier([] {
    char to[16];
    std::memcpy(to, from, sizeof to);
    weft::check(to[1] == 'e', "the rest stays");
  });
  writer.join();
  copier.join();
}

std::atomic<int> counted = 0;
void increment_atomic() {
  two_threads([] { counted.fetch_add(1); });
  weft::check(counted == 2, "each increment counts");
}

WEFT_SCENARIO(races)
    .broken("global", increment_plain_global, weft::finds::data_race("shared_total"))
    .broken("named", increment_named_on_the_heap, weft::finds::data_race("numbers[2]"))
    .broken("wrong_name", increment_named_on_the_heap, weft::finds::data_race("another object"))
    .broken("notes", race_with_notes_around_it, weft::finds::data_race("value"))
    .broken("neighbour_of_racy", racy_does_not_cover_its_neighbour, weft::finds::data_race("values+4"))
    .broken("copy", copies_from_what_is_written, weft::finds::data_race("from"))
    .fixed("racy", racy_by_declaration)
    .fixed("atomic", increment_atomic)
    .fixed("not_fixed", increment_plain_global);

}  // namespace
