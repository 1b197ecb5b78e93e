// Schedule tokens: a schedule as one word that a person can paste.
//
//   w1:SSSSOOOO:0nn,1rw,2r1w,1e,2e:p@1.0.4
//
// `w1` is the format. SSSS is a hash of scenario, variant and model, OOOO one of the operations
// (Schedule::operations_hash), both in hexadecimal. Then come the steps: segments of one thread, each the thread's
// number and a letter per operation, with a number behind the letter where the step took another way than the usual one
// (ScheduleStep::choice) and `*n` where it is repeated. The last part, if any, is what the exploration had learned
// before: promoted bytes (`p`), spinning reads (`s`) and polled locks (`m`).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "explore/schedule.hpp"

namespace weft {

/// An address that means the same in every process that runs the same executable: an offset into the memory of a model
/// thread, or into the executable. (What another build needs, see api/learn_again.hpp.)
struct PortableAddress {
  enum class Base : std::uint8_t { executable, thread };
  Base base{};
  std::uint16_t thread = 0;
  std::uint64_t offset = 0;
  friend bool operator==(const PortableAddress&, const PortableAddress&) = default;
};

/// What an exploration had learned before it came to the schedule, without which the program would perform other
/// operations.
struct Learned {
  enum class Kind : std::uint8_t {
    promoted,       ///< plain accesses of these bytes are operations, because they raced
    spinning_read,  ///< the read at this code address has been seen to spin
    polled_lock,    ///< somebody looks at the state of the lock there without waiting
    sleep_spin,     ///< the read at this code address and depth of the stack spins before it sleeps
  };
  Kind kind{};
  PortableAddress address{};
  std::uint32_t size = 0;  ///< of promoted bytes; of a sleep_spin, the depth of the stack
  /// Promoted bytes of a call on a stack: how far behind them the call's frame pointer is (0: none), and where in the
  /// executable it returns to (0: not there).
  std::uint64_t frame = 0;
  std::uint64_t called_from = 0;
  friend bool operator==(const Learned&, const Learned&) = default;
};

struct ScheduleToken {
  std::uint16_t scenario_hash = 0;
  Schedule schedule;
  std::vector<Learned> learned;
};

/// A text that is no token; what() is one line that says why.
struct MalformedToken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string to_string(const ScheduleToken& token);
/// Throws MalformedToken. Accepts white space around the token.
ScheduleToken parse_schedule_token(std::string_view text);

/// The last part of a token alone.
std::string to_string(const std::vector<Learned>& all);
/// Throws MalformedToken.
std::vector<Learned> parse_learned(std::string_view text);

std::uint16_t scenario_hash(std::string_view scenario, Model model);

}  // namespace weft
