/* The bodies of the functions of concurrency_kit.h, for the port PORT. Included once for each port. */
#include "concurrency_kit.h"

#if __has_include(<ck_pr.h>)
#include <ck_ring.h>
#include <ck_spinlock.h>
#include <ck_stack.h>
#include <stdlib.h>

#include "weft/weft.h"

#define JOIN_WORDS(a, b) a##_##b
#define JOIN(a, b) JOIN_WORDS(a, b)
#define FUNCTION(name) JOIN(PORT, name)

/* The library's loads and stores are accesses of volatile objects in its builtin port, and plain ones to the
 * instrumentation. Here they are what the library means by them: relaxed atomics. */
#define ATOMIC(object) weft_racy(&(object), sizeof(object))

enum { kSlots = 4 };
struct ring {
  struct ck_ring ring;
  struct ck_ring_buffer buffer[kSlots];
};

struct ring* FUNCTION(ring_new)(void) {
  struct ring* ring = malloc(sizeof *ring);
  ATOMIC(ring->ring.c_head);
  ATOMIC(ring->ring.p_head);
  ATOMIC(ring->ring.p_tail);
  ck_ring_init(&ring->ring, kSlots);
  return ring;
}
void FUNCTION(ring_free)(struct ring* ring) { free(ring); }
int FUNCTION(ring_put_spsc)(struct ring* ring, int* item) {
  return ck_ring_enqueue_spsc(&ring->ring, ring->buffer, item);
}
int* FUNCTION(ring_take_spsc)(struct ring* ring) {
  void* item = NULL;
  return ck_ring_dequeue_spsc(&ring->ring, ring->buffer, &item) ? item : NULL;
}
int FUNCTION(ring_put_mpmc)(struct ring* ring, int* item) {
  return ck_ring_enqueue_mpmc(&ring->ring, ring->buffer, item);
}
int* FUNCTION(ring_take_mpmc)(struct ring* ring) {
  void* item = NULL;
  return ck_ring_dequeue_mpmc(&ring->ring, ring->buffer, &item) ? item : NULL;
}

struct spinlock {
  ck_spinlock_fas_t lock;
};
struct spinlock* FUNCTION(spinlock_new)(void) {
  struct spinlock* lock = malloc(sizeof *lock);
  ATOMIC(lock->lock.value);
  ck_spinlock_fas_init(&lock->lock);
  return lock;
}
void FUNCTION(spinlock_free)(struct spinlock* lock) { free(lock); }
void FUNCTION(spinlock_lock)(struct spinlock* lock) { ck_spinlock_fas_lock(&lock->lock); }
void FUNCTION(spinlock_unlock)(struct spinlock* lock) { ck_spinlock_fas_unlock(&lock->lock); }

struct ticket {
  ck_spinlock_ticket_t lock;
};
struct ticket* FUNCTION(ticket_new)(void) {
  struct ticket* lock = malloc(sizeof *lock);
  ATOMIC(lock->lock);
  ck_spinlock_ticket_init(&lock->lock);
  return lock;
}
void FUNCTION(ticket_free)(struct ticket* lock) { free(lock); }
void FUNCTION(ticket_lock)(struct ticket* lock) { ck_spinlock_ticket_lock(&lock->lock); }
void FUNCTION(ticket_unlock)(struct ticket* lock) { ck_spinlock_ticket_unlock(&lock->lock); }

struct node {
  ck_stack_entry_t entry;
  int item;
};
struct stack {
  struct ck_stack stack;
  struct node nodes[3];
};
struct stack* FUNCTION(stack_new)(void) {
  struct stack* stack = malloc(sizeof *stack);
  ATOMIC(stack->stack.head);
  ck_stack_init(&stack->stack);
  return stack;
}
void FUNCTION(stack_free)(struct stack* stack) { free(stack); }
void FUNCTION(stack_push)(struct stack* stack, int item) {
  struct node* node = &stack->nodes[item];
  node->item = item;
  ck_stack_push_upmc(&stack->stack, &node->entry);
}
int FUNCTION(stack_pop)(struct stack* stack) {
  const struct node* node =
      (const struct node*)(const void*)ck_stack_pop_upmc(&stack->stack); /* its first member is the entry */
  return node != NULL ? node->item : 0;
}

#endif
