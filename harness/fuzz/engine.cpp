// Which engine this program is linked with; the only source that is compiled for each engine.
#include "fuzz/target.hpp"

const char* const weft::fuzz::kEngine = WEFT_FUZZING_ENGINE;
