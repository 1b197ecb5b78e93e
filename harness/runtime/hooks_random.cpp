// Sources of random numbers: inside an execution each thread draws from a sequence of its own that is the same in every
// execution.
//
// So a scenario that uses them can be run again, and is explored for that one sequence. What is to be explored for every
// value is a weft::choose. One sequence for all threads, as the C library has it, would depend on the schedule.
//
// /dev/urandom, the processor's rdrand and rand_r (whose state is the caller's own) are the real ones.
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "runtime/execution.hpp"
#include "runtime/memory_access.hpp"
#include "runtime/real_functions.hpp"

namespace weft {
namespace {

constinit RealFunction<int()> real_rand{nullptr, "rand"};
constinit RealFunction<void(unsigned)> real_srand{nullptr, "srand"};
constinit RealFunction<long()> real_random{nullptr, "random"};
constinit RealFunction<void(unsigned)> real_srandom{nullptr, "srandom"};
constinit RealFunction<double()> real_drand48{nullptr, "drand48"};
constinit RealFunction<long()> real_lrand48{nullptr, "lrand48"};
constinit RealFunction<long()> real_mrand48{nullptr, "mrand48"};
constinit RealFunction<void(long)> real_srand48{nullptr, "srand48"};
constinit RealFunction<ssize_t(void*, std::size_t, unsigned)> real_getrandom{nullptr, "getrandom"};
constinit RealFunction<int(void*, std::size_t)> real_getentropy{nullptr, "getentropy"};
constinit RealFunction<std::uint32_t()> real_arc4random{nullptr, "arc4random"};
constinit RealFunction<std::uint32_t(std::uint32_t)> real_arc4random_uniform{nullptr, "arc4random_uniform"};
constinit RealFunction<void(void*, std::size_t)> real_arc4random_buf{nullptr, "arc4random_buf"};
constinit RealFunction<unsigned(void*)> real_random_device{nullptr, "_ZNSt13random_device9_M_getvalEv"};

struct Sequence {
  std::uint32_t run = 0;
  std::uint64_t state = 0;
};

std::array<Sequence, kMaxThreads> sequences;

Sequence& sequence_of_thread(Execution& execution) {
  const std::size_t thread = index(execution.running().id);
  Sequence& sequence = sequences[thread];
  if (sequence.run != execution.run_number()) sequence = {execution.run_number(), thread + 1};
  return sequence;
}

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t next(Execution& execution) {
  std::uint64_t z = sequence_of_thread(execution).state += 0x9e37'79b9'7f4a'7c15u;
  z = (z ^ z >> 30) * 0xbf58'476d'1ce4'e5b9u;
  z = (z ^ z >> 27) * 0x94d0'49bb'1331'11ebu;
  return z ^ z >> 31;
}

std::uint32_t next32(Execution& execution) { return static_cast<std::uint32_t>(next(execution) >> 32); }
long next31(Execution& execution) { return static_cast<long>(next(execution) >> 33); }

void seed(Execution& execution, std::uint64_t value) { sequence_of_thread(execution).state = value; }

void fill(Execution& execution, void* to, std::size_t size, const void* place) {
  if (size == 0) return;
  plain_access(execution, AccessKind::write, to, size, place);
  const Execution::Outside outside;
  auto* bytes = static_cast<unsigned char*>(to);
  while (size != 0) {
    const std::uint64_t word = next(execution);
    const std::size_t length = size < sizeof word ? size : sizeof word;
    std::memcpy(bytes, &word, length);
    bytes += length;
    size -= length;
  }
}

constexpr std::size_t kMostEntropy = 256;  // more is an error of getentropy

}  // namespace
}  // namespace weft

// Under other names in C++: headers declare some of these with attributes of their own, older ones not at all.
extern "C" {
int weft_rand() __asm__("rand");
void weft_srand(unsigned value) __asm__("srand");
long weft_random() __asm__("random");
void weft_srandom(unsigned value) __asm__("srandom");
double weft_drand48() __asm__("drand48");
long weft_lrand48() __asm__("lrand48");
long weft_mrand48() __asm__("mrand48");
void weft_srand48(long value) __asm__("srand48");
ssize_t weft_getrandom(void* to, std::size_t size, unsigned flags) __asm__("getrandom");
int weft_getentropy(void* to, std::size_t size) __asm__("getentropy");
std::uint32_t weft_arc4random() __asm__("arc4random");
std::uint32_t weft_arc4random_uniform(std::uint32_t bound) __asm__("arc4random_uniform");
void weft_arc4random_buf(void* to, std::size_t size) __asm__("arc4random_buf");
unsigned weft_random_device(void* self) __asm__("_ZNSt13random_device9_M_getvalEv");

using weft::Execution;

#define WEFT_PLACE __builtin_return_address(0)

int weft_rand() {
  Execution* const execution = Execution::current();
  return execution == nullptr ? weft::real_rand() : static_cast<int>(weft::next31(*execution));
}
void weft_srand(unsigned value) {
  Execution* const execution = Execution::current();
  execution == nullptr ? weft::real_srand(value) : weft::seed(*execution, value);
}
long weft_random() {
  Execution* const execution = Execution::current();
  return execution == nullptr ? weft::real_random() : weft::next31(*execution);
}
void weft_srandom(unsigned value) {
  Execution* const execution = Execution::current();
  execution == nullptr ? weft::real_srandom(value) : weft::seed(*execution, value);
}
double weft_drand48() {
  Execution* const execution = Execution::current();
  return execution == nullptr ? weft::real_drand48() : static_cast<double>(weft::next(*execution) >> 11) * 0x1p-53;
}
long weft_lrand48() {
  Execution* const execution = Execution::current();
  return execution == nullptr ? weft::real_lrand48() : weft::next31(*execution);
}
long weft_mrand48() {
  Execution* const execution = Execution::current();
  return execution == nullptr ? weft::real_mrand48() : static_cast<std::int32_t>(weft::next32(*execution));
}
void weft_srand48(long value) {
  Execution* const execution = Execution::current();
  execution == nullptr ? weft::real_srand48(value) : weft::seed(*execution, static_cast<std::uint64_t>(value));
}
ssize_t weft_getrandom(void* to, std::size_t size, unsigned flags) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_getrandom(to, size, flags);
  weft::fill(*execution, to, size, WEFT_PLACE);
  return static_cast<ssize_t>(size);
}
int weft_getentropy(void* to, std::size_t size) {
  Execution* const execution = Execution::current();
  if (execution == nullptr || size > weft::kMostEntropy) return weft::real_getentropy(to, size);
  weft::fill(*execution, to, size, WEFT_PLACE);
  return 0;
}
std::uint32_t weft_arc4random() {
  Execution* const execution = Execution::current();
  return execution == nullptr ? weft::real_arc4random() : weft::next32(*execution);
}
std::uint32_t weft_arc4random_uniform(std::uint32_t bound) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_arc4random_uniform(bound);
  return bound == 0 ? 0 : weft::next32(*execution) % bound;
}
void weft_arc4random_buf(void* to, std::size_t size) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_arc4random_buf(to, size);
  weft::fill(*execution, to, size, WEFT_PLACE);
}
/// std::random_device::operator(), whatever the device was made from.
unsigned weft_random_device(void* self) {
  Execution* const execution = Execution::current();
  return execution == nullptr ? weft::real_random_device(self) : weft::next32(*execution);
}

}  // extern "C"
