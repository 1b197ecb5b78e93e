# What a project needs to explore its own code.
#
#   weft_instrument(TARGET)  compiles the target's own sources with -fsanitize=thread, so that each of their memory accesses is a call
#                            of a hook, without linking the ThreadSanitizer runtime
#   target_link_libraries(TARGET PRIVATE weft::explore)  makes those hooks Weft's
#   weft_add_scenario(TARGET FILE... [MODELS LIBRARY...] [NO_TESTS])  compiles the scenarios in these files once, makes TARGET the
#                            program `weft` with them, TARGET-stress its other half on real threads, and, unless NO_TESTS, tests and fuzz
#                            targets for each variant
#   weft_add_scenarios(...)  the same
#   weft_scenario_objects(LIBRARY FILE...)  compiles code that scenarios share: a library for MODELS, as weft::models is

# Kept in a property, too: variables of this file would end with the folder that has included it; functions do not.
set(WEFT_INSTRUMENT_OPTIONS -fsanitize=thread -fno-omit-frame-pointer -g
    # What is explored keeps its asserts, whatever the build type: they are its invariants.
    -UNDEBUG
    $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>
    # With calls in between, g++ 12 no longer sees that a std::variant or std::optional was tested before it is read.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
    # Compilers put moves in place of short copies after the instrumentation has passed; as calls they are seen.
    -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset
    -fno-builtin-strcpy -fno-builtin-stpcpy -fno-builtin-strncpy -fno-builtin-strcat
    -fno-builtin-memcmp -fno-builtin-bcmp -fno-builtin-memchr -fno-builtin-strlen -fno-builtin-strnlen
    -fno-builtin-strcmp -fno-builtin-strncmp -fno-builtin-strcasecmp -fno-builtin-strchr -fno-builtin-strrchr -fno-builtin-strstr
    # Clang leaves out a read that a write of the same address follows; a lost update would not be seen.
    # (Two items and no SHELL: prefix, which the options of a single source file do not know.)
    "$<$<CXX_COMPILER_ID:Clang>:-mllvm>" "$<$<CXX_COMPILER_ID:Clang>:-tsan-instrument-read-before-write=1>")
set_property(GLOBAL PROPERTY WEFT_INSTRUMENT_OPTIONS "${WEFT_INSTRUMENT_OPTIONS}")

function(weft_instrument target)
  get_property(options GLOBAL PROPERTY WEFT_INSTRUMENT_OPTIONS)
  target_compile_options(${target} PRIVATE ${options})
  # Compilers would instrument when they link, and not with these options.
  set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
endfunction()

# What code of this kind includes: the headers alone. Which runtime carries it out, the program it is linked into decides.
function(weft_scenario_objects target)
  add_library(${target} OBJECT ${ARGN})
  target_link_libraries(${target} PUBLIC weft::headers)
  weft_instrument(${target})
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)  # files have functions of the same names
endfunction()

# Links PROGRAM with the scenarios that weft_add_scenarios(SCENARIOS ...) has compiled, and with the models that they stand on.
function(weft_link_scenarios program scenarios)
  get_target_property(models ${scenarios}_scenarios WEFT_MODELS)
  foreach(library ${scenarios}_scenarios ${models})
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:${library}>)
  endforeach()
endfunction()

# One program with all scenarios and a fuzzing engine, and in the folder `fuzz` next to `weft` a name for each variant: a fuzz target.
function(weft_link_fuzz_targets scenarios)
  set(program ${scenarios}-fuzz)
  add_executable(${program})
  set_target_properties(${program} PROPERTIES LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  weft_link_scenarios(${program} ${scenarios})
  target_link_libraries(${program} PRIVATE weft::fuzz)
  add_custom_command(TARGET ${program} POST_BUILD COMMAND ${program} --link-targets=$<TARGET_FILE_DIR:${scenarios}>/fuzz VERBATIM)
endfunction()

function(weft_add_scenarios target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_TESTS" "" "MODELS")
  weft_scenario_objects(${target}_scenarios ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${target}_scenarios PROPERTIES WEFT_MODELS "${arg_MODELS}")
  target_link_libraries(${target}_scenarios PRIVATE ${arg_MODELS})

  add_executable(${target})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  weft_link_scenarios(${target} ${target})
  target_link_libraries(${target} PRIVATE weft::program)

  # The same objects on real threads, under the compiler's own ThreadSanitizer; `weft stress` looks for it beside the program.
  add_executable(${target}-stress)
  set_target_properties(${target}-stress PROPERTIES LINKER_LANGUAGE CXX)
  weft_link_scenarios(${target}-stress ${target})
  target_link_libraries(${target}-stress PRIVATE weft::stress)
  if(arg_NO_TESTS)
    return()
  endif()

  # The program itself knows its variants: it writes the tests when it has been built.
  set(tests ${CMAKE_CURRENT_BINARY_DIR}/${target}_tests.cmake)
  add_custom_command(TARGET ${target} POST_BUILD COMMAND ${target} list --ctest ${tests} --program $<TARGET_FILE:${target}>
                                                                --corpus ${CMAKE_CURRENT_SOURCE_DIR}/corpus VERBATIM)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake
       "if(EXISTS [=[${tests}]=])\n  include([=[${tests}]=])\nelse()\n  add_test(explore.NOT_BUILT ${target}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake)
  weft_link_fuzz_targets(${target})
endfunction()

function(weft_add_scenario)
  weft_add_scenarios(${ARGV})
endfunction()
