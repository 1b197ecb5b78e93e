#include "runtime/undo_log.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

#include "runtime/execution.hpp"

namespace weft::undo_log {
namespace {

struct Entry {
  std::byte* address;
  std::size_t size;
};

std::vector<Entry> entries;
std::vector<std::byte> bytes;  // of all entries, one after the other

}  // namespace

void keep(const volatile void* address, std::size_t size) {
  const Execution::Outside outside;  // the log outlives the run
  auto* const begin = static_cast<std::byte*>(const_cast<void*>(address));
  const std::size_t at = bytes.size();
  bytes.resize(at + size);
  std::memcpy(bytes.data() + at, begin, size);
  entries.push_back({begin, size});
}

void for_each(const std::function<void(const void* address, std::size_t size)>& visit) {
  for (const Entry& entry : entries) visit(entry.address, entry.size);
}

void undo_all() {
  while (!entries.empty()) {
    const Entry entry = entries.back();
    entries.pop_back();
    const std::size_t at = bytes.size() - entry.size;
    std::memcpy(entry.address, bytes.data() + at, entry.size);
    bytes.resize(at);
  }
}

}  // namespace weft::undo_log
