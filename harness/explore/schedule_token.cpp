#include "explore/schedule_token.hpp"

#include <fmt/format.h>

#include <charconv>

namespace weft {
namespace {

constexpr std::string_view kVersion = "w1";
constexpr std::string_view kLearnedLetters = "psmw";  // in the order of Learned::Kind
constexpr std::size_t kMaxSteps = 10'000'000;        // a token that unfolds to more is damaged

constexpr bool has_size(Learned::Kind kind) {
  return kind == Learned::Kind::promoted || kind == Learned::Kind::sleep_spin;
}

constexpr char letter_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::read:
      return 'r';
    case OperationKind::write:
      return 'w';
    case OperationKind::rmw:
      return 'u';
    case OperationKind::fence:
      return 'f';
    case OperationKind::choose:
      return 'c';
    case OperationKind::lock:
      return 'l';
    case OperationKind::gate:
      return 'g';
    case OperationKind::unlock:
      return 'x';
    case OperationKind::send:
      return 's';
    case OperationKind::receive:
      return 'v';
    case OperationKind::create:
      return 'n';
    case OperationKind::end:
      return 'e';
    case OperationKind::join:
      return 'j';
  }
  return '?';
}

class Parser {
 public:
  explicit Parser(std::string_view text, const char* what = "schedule token") : text_(text), what_(what) {}

  bool at_end() const { return next_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[next_]; }
  bool accept(char c) {
    if (peek() != c || at_end()) return false;
    ++next_;
    return true;
  }
  void expect(char c, const char* what) {
    if (!accept(c)) fail(fmt::format("expected `{}' {}", c, what));
  }
  bool at_digit() const { return peek() >= '0' && peek() <= '9'; }
  template <class T>
  T number(int base, const char* what) {
    T value{};
    const auto [end, error] = std::from_chars(text_.data() + next_, text_.data() + text_.size(), value, base);
    if (error == std::errc::result_out_of_range) fail(fmt::format("{} is too large", what));
    if (error != std::errc{}) fail(fmt::format("expected {}", what));
    next_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  OperationKind operation() {
    for (int kind = 0; kind <= static_cast<int>(OperationKind::join); ++kind) {
      if (accept(letter_of(static_cast<OperationKind>(kind)))) return static_cast<OperationKind>(kind);
    }
    fail("expected the letter of an operation");
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw MalformedToken(fmt::format("malformed {}: {} at character {}", what_, why, next_ + 1));
  }

 private:
  std::string_view text_;
  const char* what_;
  std::size_t next_ = 0;
};

void parse_segment(Parser& parser, std::vector<ScheduleStep>& steps) {
  ScheduleStep step;
  step.thread = ThreadId{parser.number<std::uint16_t>(10, "a thread number")};
  do {
    step.kind = parser.operation();
    step.choice = parser.at_digit() ? parser.number<std::uint32_t>(10, "a choice") : 0;
    const std::size_t times = parser.accept('*') ? parser.number<std::uint32_t>(10, "a repetition") : 1;
    if (times == 0 || times > kMaxSteps - steps.size()) parser.fail("a repetition is out of range");
    steps.insert(steps.end(), times, step);
  } while (!parser.at_end() && parser.peek() != ',' && parser.peek() != ':');
}

PortableAddress parse_address(Parser& parser) {
  PortableAddress address;
  if (parser.accept('@')) {
    address.base = PortableAddress::Base::thread;
    address.thread = parser.number<std::uint16_t>(10, "a thread number");
    parser.expect('.', "after the thread of an address");
  }
  address.offset = parser.number<std::uint64_t>(16, "an offset");
  return address;
}

std::string to_string(const PortableAddress& address) {
  if (address.base == PortableAddress::Base::thread) return fmt::format("@{}.{:x}", address.thread, address.offset);
  return fmt::format("{:x}", address.offset);
}

std::vector<Learned> parse_learned(Parser& parser) {
  std::vector<Learned> result;
  do {
    Learned learned;
    const std::size_t letter = kLearnedLetters.find(parser.peek());
    if (parser.at_end() || letter == std::string_view::npos) parser.fail("expected `p', `s', `m' or `w'");
    parser.accept(parser.peek());
    learned.kind = static_cast<Learned::Kind>(letter);
    learned.address = parse_address(parser);
    if (has_size(learned.kind)) {
      parser.expect('.', "before a size");
      learned.size = parser.number<std::uint32_t>(10, "a size");
      if (parser.accept('.')) {
        learned.frame = parser.number<std::uint64_t>(16, "a distance");
        parser.expect('.', "before where promoted bytes were called from");
        learned.called_from = parser.number<std::uint64_t>(16, "an offset");
      }
    }
    result.push_back(learned);
  } while (parser.accept(','));
  return result;
}

}  // namespace

std::string to_string(const std::vector<Learned>& all) {
  std::string text;
  for (const Learned& learned : all) {
    text += fmt::format("{}{}{}", text.empty() ? "" : ",", kLearnedLetters[static_cast<std::size_t>(learned.kind)],
                        to_string(learned.address));
    if (has_size(learned.kind)) text += fmt::format(".{}", learned.size);
    if (learned.frame != 0) text += fmt::format(".{:x}.{:x}", learned.frame, learned.called_from);
  }
  return text;
}

std::vector<Learned> parse_learned(std::string_view text) {
  Parser parser(text, "what was learned");
  std::vector<Learned> result = parse_learned(parser);
  if (!parser.at_end()) parser.fail("unexpected text");
  return result;
}

std::uint16_t scenario_hash(std::string_view scenario, Model model) {
  std::uint32_t hash = 2'166'136'261u;  // FNV-1a
  const auto mix = [&hash](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619u; };
  for (const char c : scenario) mix(c);
  mix(model == Model::sc ? '\1' : '\2');
  return static_cast<std::uint16_t>(hash ^ hash >> 16);
}

std::string to_string(const ScheduleToken& token) {
  std::string text = fmt::format("{}:{:04x}{:04x}:", kVersion, token.scenario_hash, token.schedule.operations_hash);
  const std::vector<ScheduleStep>& steps = token.schedule.steps;
  for (std::size_t i = 0; i < steps.size();) {
    if (i == 0 || steps[i].thread != steps[i - 1].thread) {
      text += fmt::format("{}{}", i == 0 ? "" : ",", index(steps[i].thread));
    }
    std::size_t same = 1;
    while (i + same < steps.size() && steps[i + same] == steps[i]) ++same;
    if (same < 4) same = 1;
    text += letter_of(steps[i].kind);
    if (steps[i].choice != 0) text += std::to_string(steps[i].choice);
    if (same != 1) text += fmt::format("*{}", same);
    i += same;
  }
  if (!token.learned.empty()) text += ':' + to_string(token.learned);
  return text;
}

ScheduleToken parse_schedule_token(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) throw MalformedToken("malformed schedule token: it is empty");
  text = text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
  const std::string_view version = text.substr(0, text.find(':'));
  if (version != kVersion) {
    throw MalformedToken(fmt::format("malformed schedule token: it begins with `{}', this program reads `{}:'",
                                     version.substr(0, 20), kVersion));
  }
  Parser parser(text);
  for (std::size_t i = 0; i < version.size(); ++i) parser.accept(text[i]);
  parser.expect(':', "after the version");
  ScheduleToken token;
  const std::size_t hash_begin = version.size() + 1;
  const auto hash = parser.number<std::uint32_t>(16, "a hash of eight hexadecimal digits");
  if (text.find(':', hash_begin) != hash_begin + 8) parser.fail("expected a hash of eight hexadecimal digits");
  token.scenario_hash = static_cast<std::uint16_t>(hash >> 16);
  token.schedule.operations_hash = static_cast<std::uint16_t>(hash);
  parser.expect(':', "after the hash");
  while (!parser.at_end() && parser.peek() != ':') {
    parse_segment(parser, token.schedule.steps);
    if (!parser.accept(',')) break;
  }
  if (parser.accept(':')) token.learned = parse_learned(parser);
  if (!parser.at_end()) parser.fail("unexpected text");
  return token;
}

}  // namespace weft
