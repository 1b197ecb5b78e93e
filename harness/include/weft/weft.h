/* Weft's interface for C code that runs inside an exploration, such as a program given to `weft check`.
 *
 * Meanings are those of the functions of the same names in weft.hpp. Outside of an exploration: check and assume abort when they are
 * false, choose gives 0, the others do nothing. */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The invariant `sentence` must hold here; else the execution ends as a finding. */
void weft_check(int holds, const char* sentence);
/** Executions in which `holds` is 0 are of no interest: drop them. */
void weft_assume(int holds);
/** One of 0 .. n-1; every one is explored. `n` must be at least 1. */
uint32_t weft_choose(uint32_t n);
/** Somewhere in the exploration `holds` must be true at a condition of this name; else the verdict is `vacuous`. */
void weft_sometimes(int holds, const char* name);
/** A line for the trace of the running thread. */
void weft_note(const char* text);
/** Names the running thread in traces. */
void weft_name_thread(const char* name);
/** Names the object of `size` bytes at `address` in traces and findings. */
void weft_name(const volatile void* address, size_t size, const char* name);
/** Shows the integer of `size` bytes (1, 2, 4 or 8) at `address` in the trace's state column whenever it changes. */
void weft_watch(const char* name, const volatile void* address, size_t size, int is_signed);
/** Plain accesses of the `size` bytes at `address` behave like relaxed atomics, and races on them are no finding. */
void weft_racy(const volatile void* address, size_t size);

#ifdef __cplusplus
}
#endif

#endif
