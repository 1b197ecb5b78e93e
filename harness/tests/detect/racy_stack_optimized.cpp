#define WEFT_VARIANT kOptimized
#define WEFT_VARIANT_NAME "Optimized"
#include "detect/racy_stack_functions.inc"
