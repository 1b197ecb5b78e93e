// The programs of oracle/benchmarks.tsv as the peer ran them: C11 atomics in globals, POSIX threads, and a main thread
// that only starts them. Nothing here knows that it is explored.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

typedef void* (*entry_function)(void*);
enum { rlx = memory_order_relaxed, acq = memory_order_acquire, rel = memory_order_release };

static atomic_int x[128];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n, threads;
static entry_function entry;

static int load(int i, int order) { return atomic_load_explicit(&x[i], (memory_order)order); }
static void store(int i, int value, int order) { atomic_store_explicit(&x[i], value, (memory_order)order); }
static int exchange_if(int i, int expected, int value) {
  return atomic_compare_exchange_strong_explicit(&x[i], &expected, value, memory_order_relaxed, memory_order_relaxed);
}
static void increment(int i) { store(i, load(i, rlx) + 1, rlx); }

#define THREAD(name)                  \
  static void* name(void* argument) { \
    const int i = (int)(intptr_t)argument;
#define END \
  return 0; \
  }

THREAD(sb_ring) store(i, 1, rlx);
load((i + 1) % n, rlx);
END THREAD(lb_ring) load(i, rlx);
store((i + 1) % n, 1, rlx);
END THREAD(w22_ring) store(i, 1, rlx);
store((i + 1) % n, 2, rlx);
END THREAD(mp_readers) if (i == 0) {
  store(0, 1, rlx);
  store(1, 1, rel);
}
else {
  load(1, acq);
  load(0, rlx);
}
END THREAD(iriw_readers) if (i < 2) { store(i, 1, rel); }
else {
  load(i % 2, acq);
  load(1 - i % 2, acq);
}
END THREAD(fetch_add)(void) i;
atomic_fetch_add_explicit(&x[0], 1, memory_order_relaxed);
END THREAD(fetch_add_two)(void) i;
atomic_fetch_add_explicit(&x[0], 1, memory_order_relaxed);
atomic_fetch_add_explicit(&x[1], 1, memory_order_relaxed);
END THREAD(load_store_inc) store(0, load(0, rlx) + (1 << i), rel);
END THREAD(cas_rotate) exchange_if(0, i, i + 1);
END THREAD(cas_then_write) exchange_if(0, 0, 1);
store(0, i + 3, rel);
END THREAD(last_zero) if (i == 0) {
  for (int k = n; load(k, acq) != 0; k--) {
  }
}
else {
  store(i, load(i - 1, acq) + 1, rel);
}
END THREAD(indexer) for (int k = 0; k < 4; k++) {
  const int w = k * 11 + i;
  int h = w * 7 % 128;
  while (!exchange_if(h, 0, w)) h = (h + 1) % 128;
}
END THREAD(readers) if (i == 0) { store(0, 42, rel); }
else {
  load(0, acq);
}
END THREAD(writers) if (i == 0) { load(0, acq); }
else {
  store(0, i - 1, rel);
}
END THREAD(co_append) if (i < 2) {
  store(0, i + 1, rel);
  load(i + 1, acq);
  load(0, acq);
}
else {
  store(1, i - 2, rel);
  store(2, i - 2, rel);
}
END THREAD(fibonacci) if (i == 2) {
  if (load(0, acq) <= 144) load(1, acq);
  return 0;
}
for (int k = 0; k < n; k++) {
  const int a = load(0, acq);
  store(i, a + load(1, acq), rel);
}
END THREAD(mutex_inc)(void) i;
pthread_mutex_lock(&mutex);
increment(0);
pthread_mutex_unlock(&mutex);
END THREAD(mutex_inc_two)(void) i;
pthread_mutex_lock(&mutex);
increment(0);
increment(1);
pthread_mutex_unlock(&mutex);
END

    static const struct {
  const char* name;
  entry_function entry;
  int more_threads;
} programs[] = {{"sb_ring", sb_ring, 0},
                {"lb_ring", lb_ring, 0},
                {"w22_ring", w22_ring, 0},
                {"mp_readers", mp_readers, 1},
                {"iriw_readers", iriw_readers, 2},
                {"fetch_add", fetch_add, 0},
                {"fetch_add_two", fetch_add_two, 0},
                {"load_store_inc", load_store_inc, 0},
                {"cas_rotate", cas_rotate, 0},
                {"cas_then_write", cas_then_write, 0},
                {"last_zero", last_zero, 1},
                {"indexer", indexer, 0},
                {"readers", readers, 1},
                {"writers", writers, 2},
                {"co_append", co_append, 1},
                {"fibonacci", fibonacci, 0},
                {"mutex_inc", mutex_inc, 0},
                {"mutex_inc_two", mutex_inc_two, 0}};

static void start_threads(void) {
  if (entry == fibonacci) {
    atomic_init(&x[0], 1);
    atomic_init(&x[1], 1);
  }
  for (int i = 0; i < threads; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, entry, (void*)(intptr_t)i);
    pthread_detach(thread);
  }
}

// Chooses a program; what it returns is the body to explore, null if there is no such program.
void (*weft_benchmark_in_posix_c(const char* name, int parameter))(void) {
  for (unsigned k = 0; k < sizeof programs / sizeof *programs; k++) {
    if (strcmp(programs[k].name, name) != 0) continue;
    entry = programs[k].entry;
    n = parameter;
    threads = entry == fibonacci ? 3 : n + programs[k].more_threads;
    return start_threads;
  }
  return 0;
}
