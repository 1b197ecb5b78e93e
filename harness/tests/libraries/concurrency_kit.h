/* The parts of Concurrency Kit (libck-dev) that the tests explore, as functions: its headers are C and do not all
 * compile as C++.
 *
 * Each function exists twice, compiled from concurrency_kit_operations.h: with the port that ck_pr.h has for compiler
 * builtins
 * (`builtins_`), and with the one that it takes by default on x86-64, inline assembly (`assembly_`). */
#ifndef WEFT_TESTS_CONCURRENCY_KIT_H
#define WEFT_TESTS_CONCURRENCY_KIT_H

#ifdef __cplusplus
extern "C" {
#endif

struct ring;     /* ck_ring with room for three items */
struct spinlock; /* ck_spinlock_fas */
struct ticket;   /* ck_spinlock_ticket */
struct stack;    /* ck_stack of the items 1 and 2, each to be pushed once ("unique producer") */

#define CONCURRENCY_KIT_OPERATIONS(port)             \
  struct ring* port##_ring_new(void);                \
  void port##_ring_free(struct ring*);               \
  int port##_ring_put_spsc(struct ring*, int* item); \
  int* port##_ring_take_spsc(struct ring*);          \
  int port##_ring_put_mpmc(struct ring*, int* item); \
  int* port##_ring_take_mpmc(struct ring*);          \
  struct spinlock* port##_spinlock_new(void);        \
  void port##_spinlock_free(struct spinlock*);       \
  void port##_spinlock_lock(struct spinlock*);       \
  void port##_spinlock_unlock(struct spinlock*);     \
  struct ticket* port##_ticket_new(void);            \
  void port##_ticket_free(struct ticket*);           \
  void port##_ticket_lock(struct ticket*);           \
  void port##_ticket_unlock(struct ticket*);         \
  struct stack* port##_stack_new(void);              \
  void port##_stack_free(struct stack*);             \
  void port##_stack_push(struct stack*, int item);   \
  int port##_stack_pop(struct stack*); /* 0 if empty */

CONCURRENCY_KIT_OPERATIONS(builtins)
CONCURRENCY_KIT_OPERATIONS(assembly)

#ifdef __cplusplus
}
#endif

#endif
