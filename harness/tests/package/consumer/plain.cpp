// The project's own code: compiled as the project says, and not instrumented.
#ifdef __SANITIZE_THREAD__
#error "Weft instruments code that is not its own"
#endif
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#error "Weft instruments code that is not its own"
#endif
#endif
#ifndef CONSUMER
#error "Weft has dropped the project's flags"
#endif
static_assert(__cplusplus == 201103L, "Weft has changed the project's C++ standard");
#if __has_include(<weft/weft.hpp>) || __has_include(<models/promise.hpp>) || __has_include(<runtime/execution.hpp>)
#error "Weft's headers are seen by code that does not use it"
#endif

int main() { return 0; }
