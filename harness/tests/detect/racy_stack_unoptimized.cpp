// Compiled with -O0, see ../CMakeLists.txt.
#define WEFT_VARIANT kUnoptimized
#define WEFT_VARIANT_NAME "Unoptimized"
#include "detect/racy_stack_functions.inc"
