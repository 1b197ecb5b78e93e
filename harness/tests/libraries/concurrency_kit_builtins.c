/* Concurrency Kit with the compiler's builtins in place of its inline assembly, and as for a machine with a weak memory
 * model: both are switches of its own headers (ck_md.h is where the library's configure script writes the second). For
 * x86-64 most of its fences are nothing but a barrier for the compiler, which no instrumentation sees, and its ticket
 * lock accesses one word with two sizes. */
#if __has_include(<ck_md.h>)
#include <ck_md.h>
#endif
#undef CK_MD_TSO
#define CK_MD_RMO
#define CK_USE_CC_BUILTINS 1
#define PORT builtins
#include "concurrency_kit_operations.h"
