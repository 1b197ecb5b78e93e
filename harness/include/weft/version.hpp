// The version of Weft, for the preprocessor and for people. The only place where it is written: CMake reads it here.
#pragma once

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0

#define WEFT_VERSION_WORDS_(major, minor, patch) #major "." #minor "." #patch
#define WEFT_VERSION_WORDS(major, minor, patch) WEFT_VERSION_WORDS_(major, minor, patch)
/// "0.1.0"
#define WEFT_VERSION_STRING WEFT_VERSION_WORDS(WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH)
