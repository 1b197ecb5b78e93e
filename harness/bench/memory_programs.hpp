// Programs with many executions, for weft_bench_memory. Their source is instrumented.
#pragma once

namespace weft::bench {

/// 10^7 executions of one thread: seven choices of ten.
void choose_seven_digits();
/// More than 10^6 executions of three threads that store to and load from one atomic, most of them by backward
/// revisits.
void stores_and_loads();
/// More than 2 * 10^5 executions of three threads that allocate, write plain memory, and take turns with a mutex.
void threads_with_heap_and_mutex();

}  // namespace weft::bench
