#include "explore/random_program.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <span>
#include <sstream>
#include <stdexcept>

namespace weft::test {
namespace {

struct Word {
  Action action;
  const char* text;
  bool has_object;
  bool has_operand;
  bool has_order;
};

constexpr Word kWords[] = {
    {Action::read, "read", true, false, true},
    {Action::write, "write", true, true, true},
    {Action::add, "add", true, true, true},
    {Action::compare_exchange, "compare_exchange", true, true, true},
    {Action::fence, "fence", false, false, true},
    {Action::silent_fence, "silent_fence", false, false, true},
    {Action::choose, "choose", false, true, false},
    {Action::await, "await", true, false, true},
    {Action::await_take, "await_take", true, false, true},
    {Action::lock, "lock", true, false, false},
    {Action::unlock, "unlock", true, false, false},
    {Action::send, "send", true, true, false},
    {Action::receive, "receive", true, false, false},
    {Action::receive_unordered, "receive_unordered", true, false, false},
    {Action::wait, "wait", true, true, true},
    {Action::notify_one, "notify_one", true, false, true},
    {Action::notify_all, "notify_all", true, false, true},
    {Action::create, "create", false, true, false},
    {Action::join, "join", false, true, false},
};

constexpr const char* kOrders[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};

bool read_order(std::istream& words, Order& order) {
  std::string text;
  words >> text;
  const auto found = std::ranges::find(kOrders, text);
  order = static_cast<Order>(found - std::begin(kOrders));
  return found != std::end(kOrders);
}

std::size_t draw(std::mt19937_64& random, std::size_t below) { return static_cast<std::size_t>(random() % below); }

Order draw_order(std::mt19937_64& random, Action action) {
  constexpr std::array kReads{Order::relaxed, Order::acquire, Order::seq_cst};
  constexpr std::array kWrites{Order::relaxed, Order::release, Order::seq_cst};
  constexpr std::array kBoth{Order::relaxed, Order::acquire, Order::release, Order::acq_rel, Order::seq_cst};
  switch (action) {
    case Action::read:
    case Action::await:
      return kReads[draw(random, kReads.size())];
    case Action::write:
      return kWrites[draw(random, kWrites.size())];
    case Action::silent_fence:
      return draw(random, 4) == 0 ? Order::acq_rel : Order::seq_cst;
    case Action::fence:
      return kBoth[1 + draw(random, kBoth.size() - 1)];
    default:
      return kBoth[draw(random, kBoth.size())];
  }
}

/// What a program is mostly about. Programs that use everything at once rarely show what a few atomics among themselves
/// can do.
constexpr Action kAtomics[] = {Action::read,        Action::read,  Action::read,  Action::write,
                               Action::write,       Action::write, Action::add,   Action::compare_exchange,
                               Action::fence,       Action::fence, Action::await, Action::choose,
                               Action::silent_fence};
constexpr Action kEverything[] = {Action::read,
                                  Action::read,
                                  Action::read,
                                  Action::write,
                                  Action::write,
                                  Action::write,
                                  Action::add,
                                  Action::add,
                                  Action::compare_exchange,
                                  Action::compare_exchange,
                                  Action::fence,
                                  Action::fence,
                                  Action::silent_fence,
                                  Action::choose,
                                  Action::await,
                                  Action::await_take,
                                  Action::lock,
                                  Action::lock,
                                  Action::lock,
                                  Action::send,
                                  Action::send,
                                  Action::receive,
                                  Action::receive,
                                  Action::receive_unordered,
                                  Action::wait,
                                  Action::notify_one,
                                  Action::notify_all};
constexpr Action kReadsAndWrites[] = {Action::read, Action::write};

std::span<const Action> draw_menu(std::mt19937_64& random) {
  switch (draw(random, 5)) {
    case 0:
      return kReadsAndWrites;
    case 1:
    case 2:
      return kAtomics;
    default:
      return kEverything;
  }
}

/// Draws the operations of one thread; locks that it leaves open it unlocks at its end, most of the time.
class ThreadWriter {
 public:
  /// Objects are `first_object` and those after it, `objects` in all.
  ThreadWriter(std::mt19937_64& random, std::span<const Action> menu, std::size_t me,
               std::array<std::size_t, 3> receiver, std::size_t first_object, std::size_t objects)
      : random_(random), menu_(menu), me_(me), receiver_(receiver), first_object_(first_object), objects_(objects) {}

  void add_operation() {
    Instruction next{.action = menu_[draw(random_, menu_.size())]};
    next.order = draw_order(random_, next.action);
    next.failure_order = draw_order(random_, Action::read);
    next.object = draw_object();
    next.operand = static_cast<std::uint8_t>(1 + draw(random_, 2));
    switch (next.action) {
      case Action::choose:
        next.operand = 2;
        break;
      case Action::lock:
        return toggle_lock(next);
      case Action::receive:
      case Action::receive_unordered:
        if (receiver_[next.object] != me_)
          next = {.action = Action::send, .object = next.object, .operand = next.operand};
        break;
      case Action::wait:
        next.object = 0;
        next.operand = held_.empty() ? kNoMutex : held_.back();
        break;
      case Action::notify_one:
      case Action::notify_all:
        next.object = 0;
        break;
      default:
        break;
    }
    code.push_back(next);
  }
  void close_sections() {
    if (draw(random_, 16) == 0) return;  // a thread that ends with a mutex locked
    while (!held_.empty()) unlock(held_.back());
  }

  std::vector<Instruction> code;

 private:
  std::uint8_t draw_object() { return static_cast<std::uint8_t>((first_object_ + draw(random_, objects_)) % 3); }
  void toggle_lock(const Instruction& next) {
    if (std::ranges::find(held_, next.object) == held_.end()) {
      held_.push_back(next.object);
      code.push_back(next);
    } else if (draw(random_, 24) == 0) {
      code.push_back(next);  // locks it twice: it waits for itself
    } else {
      unlock(next.object);
    }
  }
  void unlock(std::uint8_t mutex) {
    code.push_back({.action = Action::unlock, .object = mutex});
    std::erase(held_, mutex);
  }

  std::mt19937_64& random_;
  std::span<const Action> menu_;
  std::size_t me_;
  std::array<std::size_t, 3> receiver_;
  std::size_t first_object_;
  std::size_t objects_;
  std::vector<std::uint8_t> held_;
};

}  // namespace

Program random_program(std::mt19937_64& random, const ProgramLimits& limits) {
  const std::size_t threads = 2 + draw(random, limits.threads - 1);
  const std::size_t objects = 1 + (draw(random, 4) != 0);
  const std::size_t first_object = draw(random, 3);
  const std::array receiver{draw(random, threads), draw(random, threads), draw(random, threads)};
  const std::span<const Action> menu = draw_menu(random);
  Program program;
  std::size_t left = limits.operations;
  for (std::size_t t = 0; t < threads; ++t) {
    ThreadWriter writer(random, menu, t, receiver, first_object, objects);
    const std::size_t most = std::min(limits.per_thread, left - (threads - 1 - t));
    const std::size_t count = t == 0 ? draw(random, 3) : 1 + draw(random, most);
    for (std::size_t i = 0; i < count; ++i) writer.add_operation();
    left -= std::min(left, count);
    left = std::max(left, threads - 1 - t);
    writer.close_sections();
    program.threads.push_back(std::move(writer.code));
  }
  // Who creates whom: mostly the body, before, between or after its own operations.
  for (std::size_t t = 1; t < threads; ++t) {
    const std::size_t parent = draw(random, 3) == 0 ? draw(random, t) : 0;
    std::vector<Instruction>& code = program.threads[parent];
    const std::size_t at = draw(random, code.size() + 1);
    const std::size_t begin = draw(random, 2) == 0 ? 0 : at;
    const auto number = static_cast<std::uint8_t>(t);
    code.insert(code.begin() + static_cast<std::ptrdiff_t>(begin), {.action = Action::create, .operand = number});
    if (draw(random, 2) == 0) {
      const std::size_t behind = begin + 1 + draw(random, code.size() - begin);
      code.insert(code.begin() + static_cast<std::ptrdiff_t>(behind), {.action = Action::join, .operand = number});
    }
  }
  return program;
}

std::ostream& operator<<(std::ostream& out, const Program& program) {
  for (const std::vector<Instruction>& thread : program.threads) {
    out << "thread\n";
    for (const Instruction& instruction : thread) {
      const Word& word = kWords[static_cast<std::size_t>(instruction.action)];
      out << "  " << word.text;
      if (word.has_object) out << ' ' << static_cast<char>('x' + instruction.object);
      if (word.has_operand) out << ' ' << static_cast<int>(instruction.operand);
      if (word.has_order) out << ' ' << kOrders[static_cast<std::size_t>(instruction.order)];
      if (word.action == Action::compare_exchange) {
        out << ' ' << kOrders[static_cast<std::size_t>(instruction.failure_order)];
      }
      out << '\n';
    }
  }
  return out;
}

Program parse_program(const std::string& text) {
  Program program;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    if (!(words >> name)) continue;
    if (name == "thread") {
      program.threads.emplace_back();
      continue;
    }
    const auto word = std::ranges::find_if(kWords, [&](const Word& w) { return name == w.text; });
    Instruction instruction;
    bool good = word != std::end(kWords) && !program.threads.empty();
    if (good) {
      instruction.action = word->action;
      char object = 'x';
      int operand = 0;
      if (word->has_object) good = static_cast<bool>(words >> object);
      if (word->has_operand) good = good && words >> operand;
      if (word->has_order) good = good && read_order(words, instruction.order);
      if (word->action == Action::compare_exchange) good = good && read_order(words, instruction.failure_order);
      good = good && object >= 'x' && object <= 'z' && operand >= 0 && operand < 256;
      instruction.object = static_cast<std::uint8_t>(object - 'x');
      instruction.operand = static_cast<std::uint8_t>(operand);
    }
    if (!good) throw std::invalid_argument("not an instruction: " + line);
    program.threads.back().push_back(instruction);
  }
  return program;
}

}  // namespace weft::test
