// The C++ side of the programs of this folder. A twin reads like its .mjs, line by line:
//
//   PROGRAM(timers_same_duration_is_fifo) {
//     for (const char* name : {"a", "b", "c"}) js::setTimeout([name] { log(name); }, 5);
//   }
//
// Its body is the top level of the module. What later callbacks use is `static`, as the variables of a module live as
// long as it does; every execution finds them new. weft_conformance runs a twin in every execution and prints the logs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <models/event_loop.hpp>
#include <models/promise.hpp>
#include <models/value.hpp>

namespace conformance {

/// console.log on the main thread.
void log(const std::string& line);

/// The same as a listener: logs what a message or event carries.
void log_value(const js::Value& value);

/// A chain of reactions that logs 1, 2, 3, ... one microtask after the other: the clock that await and then are
/// measured against.
void clock(int microtasks);

/// The callback that runs takes so long.
void block(js::Milliseconds duration);

/// `process.on('exit', listener)`, with the code. Called once the loop has nothing left to do.
void on_exit(std::function<void(int)> listener);

/// `fs.stat('/', done)`: an I/O operation of the runtime's thread pool.
void stat(js::Callback done);
/// The same as a promise.
js::Promise<> stat();

struct Program {
  const char* name;
  js::Time time;
  void (*module)();
};

/// All twins, by name.
std::vector<Program>& programs();

struct Registration {
  Registration(const char* name, js::Time time, void (*module)()) { programs().push_back({name, time, module}); }
};

}  // namespace conformance

/// A twin that knows nothing about how long things take.
#define PROGRAM(name) CONFORMANCE_PROGRAM(name, ::js::Time::free)
/// A twin whose callbacks take the time that they say (block()), and no other.
#define PROGRAM_IN_TIME(name) CONFORMANCE_PROGRAM(name, ::js::Time::exact)

#define CONFORMANCE_PROGRAM(name, time)                                           \
  static void name();                                                             \
  static const ::conformance::Registration register_##name(#name, (time), &name); \
  static void name()
