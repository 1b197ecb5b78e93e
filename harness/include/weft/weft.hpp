// Weft's public interface for C++: explore a callable under every schedule that matters.
//
//   weft::Result result = weft::explore([] { ... ordinary concurrent C++ ... });
//   EXPECT_TRUE(result.proved()) << result;
//
// The code that is explored must be compiled with -fsanitize=thread and linked without it (CMake: weft_instrument()).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// The memory model that decides which executions exist.
enum class Model : std::uint8_t {
  sc,    ///< sequential consistency: some interleaving explains each execution
  rc11,  ///< C++20 atomics (RC11)
};

/// How an exploration ended. See `weft --help` for the exit code of each.
enum class Verdict : std::uint8_t {
  proved,     ///< all executions of the model were explored, no bound cut anything, none failed
  bounded,    ///< all executions within the stated bounds were explored, none failed
  sampled,    ///< some schedules were tried, none failed
  truncated,  ///< a limit ended the exploration before it was complete, none failed so far
  bug,        ///< at least one finding
  vacuous,    ///< proved, but a `sometimes` never held, or the body never ran two threads or tasks
  internal,   ///< a fault of Weft's own
};

const char* to_string(Verdict verdict);
const char* to_string(Model model);

/// How many executions an exploration has, told from random ways through them before it is over. Estimates by Knuth's
/// method (1975) and by importance sampling; the interval holds the true number about 19 times in 20, and says nothing
/// of any one program.
struct TotalEstimate {
  double low = 0;
  double likely = 0;
  double high = 0;
};

/// How far an exploration has come.
struct Progress {
  std::uint64_t executions = 0;  ///< that came to their end, or to a failure
  std::uint64_t blocked = 0;     ///< runs that came to neither, deadlocks among them
  double seconds = 0;                    ///< since it began
  double fraction_done = 0;              ///< of the search tree, by weight (see Result); never falls in one start
  double at_least_done = 0;              ///< of the executions, see Result; never falls in one start
  std::optional<TotalEstimate> total{};  ///< if Options::estimate_total, and anything can be told
  bool started_again = false;  ///< something was learned (a race to promote, a spin loop), and the counts began again
};

struct Options {
  /// What is explored, "scenario/variant": part of schedule tokens and reports.
  std::string name{};
  Model model = Model::rc11;
  /// Executions (complete, blocked and failed ones together) after which the exploration is cut; 0: no limit.
  std::uint64_t max_executions = 0;
  /// Seconds of wall time after which the exploration is cut; 0: no limit.
  double max_seconds = 0;
  /// Visible operations of one execution after which it counts as endless; the verdict is then `bug` (limit).
  std::uint32_t max_steps = 100'000;
  /// Go on after the first finding and collect different ones.
  bool keep_going = false;
  /// After a data race, explore again with the racing accesses as relaxed atomics, to show what the race does.
  bool promote_races = true;
  /// Condition variables may also wake without a notification; at most this many times in one execution.
  std::uint32_t spurious_wakeups = 0;
  /// Report memory that is allocated in an execution, still allocated at its end, and reachable from nowhere.
  bool detect_leaks = true;
  /// Remember every complete execution and count those met twice (a self-check; costs time, and about 50 bytes an
  /// execution).
  bool count_duplicates = false;
  /// Also run random ways through the executions, to tell how many there are: as many runs as the exploration makes at
  /// first, a tenth of that later, some thousand in all.
  bool estimate_total = false;
  /// Explore one part of the executions, number `shard` (from 1) of `shards`: each execution is in one part. The
  /// verdict is `bounded` at best; merge() says what the parts come to together.
  std::uint32_t shard = 1;
  std::uint32_t shards = 1;
  /// What an exploration of another part has learned, SearchPartReport::learned: begin with that.
  std::string learned{};
  /// Told about progress about ten times a second, on the exploring thread, outside of any execution. Must not throw.
  std::function<void(const Progress&)> progress{};
  /// Looked at as often: true ends the exploration; the verdict is then `truncated`. Another thread or a signal handler
  /// may set it.
  const std::atomic<bool>* interrupted = nullptr;
  /// Schedules of earlier findings, which are run before anything is explored. One that still shows a bug ends the
  /// exploration as any finding does; one that no longer fits is passed over.
  std::vector<std::string> known_schedules{};
  /// How reports tell the reader to run a schedule again: this, with the token for `{}` or at the end.
  std::string replay_command = "schedule";
  /// Characters in a line of a report; tables of many columns may need more.
  std::size_t report_width = 100;
};

/// One row of a trace.
struct TraceStep {
  enum class Kind : std::uint8_t {
    operation,  ///< a visible operation
    note,       ///< what the scenario, or a model that it uses, said
    failure,    ///< where the finding was made
  };
  /// A watched value that is another one from here on.
  struct Change {
    std::string name{};
    std::string value{};
  };
  Kind kind = Kind::note;
  std::uint32_t number = 0;  ///< from 1; 0 for the failure
  std::size_t column = 0;    ///< of FindingReport::columns
  std::string text{};        ///< what it did, with the value read or written
  std::string place{};       ///< file:line, without folders
  std::string file{};        ///< with its folders, where it was compiled; empty if it is not known
  int line = 0;              ///< in that file
  std::vector<Change> changes{};
  std::string object{};  ///< what it read or wrote; empty if nothing
  bool reads = false;
  bool writes = false;
  std::uint32_t reads_from = 0;      ///< the step that wrote what it read; 0 if none did
  std::uint32_t overwritten_by = 0;  ///< the step that had overwritten that before it was read
  std::uint32_t overwrites = 0;      ///< the step whose write is just before its own in coherence order; 0 if none
  /// Of each other thread the newest step that happens before this one, where its thread did not know of it before.
  std::vector<std::uint32_t> happens_after{};
  std::uint32_t waited_for = 0;  ///< the step that let it go on: an unlock, a send, a thread's end
  bool marked = false;           ///< part of what is wrong: an access that races, the failure
  std::string switched{};        ///< why the column of the step before went no further, where that needs words

  bool failing() const { return kind == Kind::failure; }
  /// The changes as "admitted=2 remaining=0".
  std::string state() const;
};

/// A thread of a trace, or a logical task of one.
struct TraceColumn {
  std::string name{};
  std::size_t thread = 0;  ///< number of the thread
  bool is_task = false;
};

/// Something that a finding points at: an access, a wait, an allocation.
struct FindingPlace {
  std::string column{};
  std::string what{};                ///< "write of 4 bytes", "waits to lock mutex m"
  std::string place{};               ///< file:line; empty if it is not known
  std::uint32_t step = 0;            ///< the step that did it; 0 if it is none
  std::vector<std::string> stack{};  ///< data races: the functions that its thread was in, innermost first
};

/// A bug, a limit or a warning that an exploration met.
struct FindingReport {
  std::string kind{};              ///< "data race", "deadlock", "invariant", ...; see FindingKind
  std::string message{};           ///< one sentence
  std::string schedule{};          ///< token for `weft replay`
  std::string replay{};            ///< the command that runs it again
  std::string trace{};             ///< the failing execution as text, a column per thread
  std::vector<std::string> why{};  ///< sentences that say how it came to that, as far as the execution shows it
  std::string near{};              ///< one change of order, read or choice that makes it pass; empty: none was sought
  std::vector<FindingPlace> places{};
  std::vector<TraceColumn> columns{};
  std::vector<TraceStep> steps{};  ///< the execution, row by row
  std::size_t switches = 0;        ///< how often a step is of another column than the one before it
  bool fewest_switches = false;    ///< no other order of this execution switches between threads less often
  std::uint64_t execution = 0;     ///< in which execution it was found, counted from 1; 0: in none, see from_before
  bool is_warning = false;
  bool from_before = false;  ///< a schedule of Options::known_schedules shows it
  /// Of a schedule that was sampled or fuzzed: what it was before it was made smaller.
  struct Minimised {
    std::size_t steps_before = 0;
    std::size_t switches_before = 0;
    bool complete = false;  ///< no further change of the schedule makes it smaller; else there were too many to try
  };
  std::optional<Minimised> minimised{};
};

/// What must be known of a part of an exploration (Options::shard) to judge the whole.
struct SearchPartReport {
  /// A condition of weft::sometimes that was met with.
  struct Condition {
    std::string name{};
    bool held = false;
  };
  std::uint32_t shard = 1;  ///< from 1
  std::uint32_t shards = 1;
  /// What it came to know of the program (racing memory, spin loops, polled locks) and began again with, as one word.
  /// The parts of one whole must have learned the same.
  std::string learned{};
  std::string threads{};  ///< how threads were numbered then, for the same reason
  std::string bound{};    ///< what kept it from some executions, if anything did
  std::vector<Condition> conditions{};
  bool is_concurrent = false;  ///< two threads ran, or two tasks
};

struct Result {
  Verdict verdict = Verdict::internal;
  Model model = Model::rc11;
  std::uint64_t executions = 0;  ///< that came to their end, or to a failure; deadlocks are not among them
  std::uint64_t blocked = 0;  ///< runs that ended in a wait that a newer value would end; no executions of the program
  std::uint64_t deadlocks = 0;  ///< executions in which the threads that are left wait for ever
  std::optional<std::uint64_t> duplicates;  ///< if Options::count_duplicates
  double seconds = 0;
  double fraction_done =
      0;  ///< weight of the finished part of the search tree: ways at one point weigh alike, so it is no count
  double at_least_done =
      0;  ///< of the executions: what the estimated total allows to say at any rate; 0 if there is no estimate
  std::optional<TotalEstimate> total{};  ///< Options::estimate_total, and the exploration was cut: executions there are
  std::optional<SearchPartReport> part{};  ///< if Options::shards is not 1
  std::string reason;  ///< truncated, vacuous, internal: which limit, which condition, what happened
  std::vector<FindingReport> findings;

  bool proved() const { return verdict == Verdict::proved; }
  /// True if there is a finding of this kind ("data race", "invariant", ...) whose message contains `text`.
  bool found(const std::string& kind, const std::string& text = "") const;
};

/// Prints verdict, counts and all findings with their traces.
std::ostream& operator<<(std::ostream& out, const Result& result);

/// Explores every execution of `body`, which runs once in each, on the first model thread. One exploration at a time in
/// a process, and no other OS thread may run instrumented code meanwhile. Throws std::logic_error inside of an
/// execution, std::invalid_argument for a shard that there is not and for a malformed Options::learned.
Result explore(const std::function<void()>& body, const Options& options = {});

/// What the parts of an exploration come to: counts and findings of all, and the verdict. Throws std::invalid_argument,
/// with a sentence that says what to do, if they are not all parts of one whole, each of them once, or if they have not
/// all learned the same. Thread-safe.
Result merge(const std::vector<Result>& parts);

/// How sample() draws schedules. Which thread takes the next step is the strategy's; what weft::choose chooses is
/// always equally likely.
///
/// Of weak memory (Model::rc11: reads of overwritten values, writes that go before others in coherence order), random
/// and pos take nothing in half of the runs, drawn by lot, and any way equally likely in the others. pct takes 0 to
/// `depth` such ways in a run, as many as are drawn, at random places. So what needs an interleaving alone is found as
/// often as the strategy says, divided by two for random and pos, by `depth` + 1 for pct. Under Model::sc there is
/// nothing to draw.
enum class Strategy : std::uint8_t {
  /// Random walk: at each step any thread that can go on, equally likely.
  random,
  /// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: "A randomized scheduler with
  /// probabilistic guarantees of finding bugs", ASPLOS 2010): threads have random priorities, the highest goes on; at
  /// `depth` - 1 random steps the thread that was to take it falls below all others. Of n threads and k steps, a run
  /// shows a bug that takes d = `depth` ordering constraints with probability 1/(n * k^(d-1)) at least. k is the most
  /// steps that a run before it had, those apart that commute with all others (unlock, join, receive, ...).
  pct,
  /// Partial order sampling (Yuan, Yang, Gu: "Partial order aware concurrency sampling", CAV 2018): each next operation
  /// has a random priority, the highest is done, and operations that race with it (same object, one of them writes) get
  /// new ones.
  pos,
};

const char* to_string(Strategy strategy);

struct SampleOptions {
  Strategy strategy = Strategy::random;
  std::uint64_t runs = 1000;  ///< schedules to try, at least 1; one whose run ends in a wait or is dropped counts, too
  std::uint64_t seed = 1;     ///< the same seed draws the same schedules
  std::uint32_t depth = 3;    ///< pct: at least 1
  /// A schedule with a finding is made smaller before it is reported: any one change of its decisions that leaves kind
  /// and message of the finding, and adds neither steps nor switches, is made and tried again, until none is left.
  bool minimise = true;
};

/// Tries schedules of `body` that are drawn at random. The verdict is `sampled` (nothing was found, which proves
/// nothing), `bug`, or `truncated` (by a limit of `options`; max_executions and count_duplicates have no meaning here,
/// and known schedules are not tried). Ends at the first finding as explore() does, unless Options::keep_going. The
/// same program, options and seed give the same result, times apart. FindingReport::execution counts schedules. Each
/// execution is one that the model allows. As explore() otherwise.
Result sample(const std::function<void()>& body, const SampleOptions& how, const Options& options = {});

/// What became of a replay.
struct Replay {
  enum class Status : std::uint8_t {
    done,       ///< the execution was run again
    malformed,  ///< the text is no schedule token
    foreign,    ///< the token is of another scenario, variant or model
    diverged,   ///< the program does something else than when the token was made
  };
  Status status = Status::malformed;
  std::string problem;                  ///< one line; empty if done
  std::vector<FindingReport> findings;  ///< what the execution shows
  std::string trace;                    ///< the execution as text, as far as it went
  std::vector<TraceColumn> columns;     ///< the same, column by column
  std::vector<TraceStep> steps;         ///< and row by row
};

/// Runs the one execution that `schedule`, a token of a finding, describes. `options` must have the name and model of
/// the exploration. As explore() otherwise.
Replay replay(const std::function<void()>& body, const std::string& schedule, const Options& options = {});

// --- inside a scenario; outside of an execution these have the obvious sequential meaning ---

/// The invariant `sentence` must hold here; else the execution ends as a finding.
void check(bool holds, const char* sentence);
/// The same for two numbers that must be equal: reports show both.
void check_equal(std::int64_t actual, std::int64_t expected, const char* sentence);
/// Executions in which `holds` is false are of no interest: drop them.
void assume(bool holds);
/// One of 0 .. n-1; every one is explored. Outside of an execution 0. `n` must be at least 1.
std::uint32_t choose(std::uint32_t n);
/// Somewhere in the exploration `holds` must be true at a `sometimes` with this name; else the verdict is `vacuous`.
void sometimes(bool holds, const char* name);
/// A line for the trace of the running thread.
void note(const char* text);
/// Names the running thread in traces.
void name_thread(const char* name);

namespace detail {
/// Models of event loops run logical tasks on one thread. A new one of the calling thread; its number, from 1. Outside
/// of an execution 0.
std::uint32_t new_task(const char* name);
/// What the calling thread does from here on belongs to this task of its own (0: to none): reports show it in a column
/// of the task's name.
void enter_task(std::uint32_t task);
/// True while the calling code is run again for a report. Must change nothing but the texts of notes, made in an
/// OutsideScope (shared.hpp).
bool is_traced();
/// A line for the trace, and what it says in parts: reports find out from these why something went wrong.
struct Note {
  enum class Does : std::uint8_t {
    nothing,
    reads,     ///< memory that only tasks of the calling thread use, or a model's own object
    writes,    ///< the same
    suspends,  ///< the running task, until something resumes it
    sends,     ///< a message through the channel `object`
    receives,  ///< the next one of that channel
    ends,      ///< the thread does nothing more
    replaces,  ///< `object`, by `value`: what is done once to an object, if all is well
    starves,   ///< the running task: it should have gone on by now
  };
  const char* text = "";
  Does does = Does::nothing;
  const char* object = "";  ///< what is read or written, sent through or replaced
  const char* value = "";   ///< that was read or written
};
void note(const Note& note);
/// Traces leave out the steps on the object at this address: a model's own, which its notes explain better.
void hide_steps(const volatile void* address);
/// False: traces leave out what the calling thread does from here on, apart from its notes, until this is called with
/// true. For steps that a note explains better, such as a choice.
void show_steps(bool show);
/// From here on, until this is called with false, the calling thread runs callbacks for the function that it is in now:
/// where reports know no better place of a step than the call of that function, they show none.
void runs_callbacks(bool runs);
/// Runs `body`; a call of stop_running() inside ends it at once.
void run_stoppable(const std::function<void()>& body);
/// Leaves the innermost run_stoppable() that the calling thread is in. Nothing is unwound: no destructor and no handler
/// of the frames in between runs, locks stay held, and neither what the thread allocated nor what these frames point to
/// is ever reported as a leak. Exceptions that they were handling are forgotten.
[[noreturn]] void stop_running();
/// Drops this execution, as weft::assume(false) does, and makes the exploration a bounded one at best. `reason`, a
/// literal, says which executions were left out.
void leave_out(const char* reason);
void name_object(const volatile void* address, std::size_t size, const char* name);
void watch_object(const char* name, const volatile void* address, std::size_t size, bool is_signed);
void mark_racy(const volatile void* address, std::size_t size);
/// For test frameworks: `hook(true)` is called before each exploration or replay, `hook(false)` after it. At most one
/// hook.
void set_exploration_hook(void (*hook)(bool begins));
/// True in a program that runs scenarios on real threads, under the ThreadSanitizer (`weft stress`).
bool under_stress();
}  // namespace detail

/// How large a scenario is: few enough to explore every execution, and many on real threads, where chance has to find
/// the bad one.
inline std::uint32_t scaled(std::uint32_t explored, std::uint32_t stressed) {
  return detail::under_stress() ? stressed : explored;
}

/// Names an object in traces and findings.
template <class T>
void name(const volatile T& object, const char* text) {
  detail::name_object(&object, sizeof(T), text);
}

/// Shows an integer or bool in the trace's state column whenever it changes.
template <class T>
void watch(const char* text, const volatile T& object) {
  detail::watch_object(text, &object, sizeof(T), static_cast<T>(-1) < static_cast<T>(1));
}

/// Plain accesses of this object behave like relaxed atomics and races on them are no finding: how JavaScript sees a
/// SharedArrayBuffer.
template <class T>
T& racy(T& object) {
  detail::mark_racy(&object, sizeof(T));
  return object;
}

}  // namespace weft
