/* Concurrency Kit as it is by default on x86-64. Every load, store, read-modify-write and fence of ck_pr.h is inline
 * assembly. */
#define PORT assembly
#include "concurrency_kit_operations.h"
