# What one links with, in Weft's own build and where it is installed: weft::headers, weft::explore, weft::program, weft::stress, weft::fuzz.
#
# Before: WEFT_PARTS is the folder with the parts (engine.o and so on), WEFT_INCLUDE the one with weft/weft.hpp; WEFT_HEADERS_ARE
# is SYSTEM where warnings in headers are of no use to who compiles.
#
# The parts are objects and no archives: their symbols must win over those of libc and libstdc++, whatever the linker thinks it needs.
# Libraries are files, no targets: a project may have an fmt of its own by the same name.

find_library(WEFT_LIBBOOST_CONTEXT boost_context)
find_library(WEFT_LIBFMT fmt)
find_library(WEFT_LIBDW dw)
foreach(needed LIBBOOST_CONTEXT=libboost-context-dev LIBFMT=libfmt-dev LIBDW=libdw-dev)
  string(REGEX MATCH "(.*)=(.*)" needed ${needed})
  if(NOT WEFT_${CMAKE_MATCH_1})
    set(weft_NOT_FOUND_MESSAGE "Weft needs ${CMAKE_MATCH_2}; or set WEFT_${CMAKE_MATCH_1} to the library")
    if(NOT CMAKE_FIND_PACKAGE_NAME STREQUAL weft)
      message(FATAL_ERROR ${weft_NOT_FOUND_MESSAGE})
    endif()
    set(weft_FOUND FALSE)
    return()
  endif()
endforeach()

# weft_link(NAME PART...) defines weft::NAME, which links these parts.
function(weft_link name)
  add_library(weft_${name} INTERFACE)
  add_library(weft::${name} ALIAS weft_${name})
  foreach(part ${ARGN})
    target_link_libraries(weft_${name} INTERFACE ${WEFT_PARTS}/${part}.o)
    if(TARGET weft_part_${part})
      add_dependencies(weft_${name} weft_part_${part})
    endif()
  endforeach()
endfunction()

weft_link(headers)
target_include_directories(weft_headers ${WEFT_HEADERS_ARE} INTERFACE ${WEFT_INCLUDE})
target_compile_features(weft_headers INTERFACE cxx_std_20)

weft_link(explore engine)
target_link_libraries(weft_explore INTERFACE weft_headers ${WEFT_LIBBOOST_CONTEXT} ${WEFT_LIBFMT} ${WEFT_LIBDW} ${CMAKE_DL_LIBS} -pthread)

weft_link(program cli)
target_link_libraries(weft_program INTERFACE weft_explore)

weft_link(stress stress)
target_link_libraries(weft_stress INTERFACE ${WEFT_LIBFMT} ${WEFT_LIBDW} ${CMAKE_DL_LIBS} -pthread)
# See threads.cpp.
target_link_options(weft_stress INTERFACE -fsanitize=thread -Wl,--wrap=pthread_create
                    -Wl,--wrap=_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE)

# The fuzzing engine: what LIB_FUZZING_ENGINE says, as fuzzing services do; else clang's libFuzzer, which g++ links as well; else none, and a
# main() that only runs the inputs that it is given.
set(WEFT_FUZZING_ENGINE "$ENV{LIB_FUZZING_ENGINE}" CACHE STRING
    "What links fuzz targets with a fuzzing engine; empty: clang's libFuzzer if it is installed; none: no engine")
if(DEFINED ENV{LIB_FUZZING_ENGINE})
  set_property(CACHE WEFT_FUZZING_ENGINE PROPERTY VALUE "$ENV{LIB_FUZZING_ENGINE}")
endif()
set(weft_engine_link ${WEFT_FUZZING_ENGINE})
if(weft_engine_link STREQUAL none)
  set(weft_engine_link)
elseif(NOT weft_engine_link OR weft_engine_link STREQUAL "-fsanitize=fuzzer")
  # In a package of its own (libclang-rt-14-dev), which needs no clang. As a flag, clang would put its own memcmp and strcmp in front of
  # Weft's, and the comparisons of scenarios would go unchecked.
  file(GLOB weft_folders /usr/lib/llvm-*/lib/clang/*/lib/linux /usr/lib/clang/*/lib/linux)
  list(SORT weft_folders COMPARE NATURAL ORDER DESCENDING)
  find_library(WEFT_LIBFUZZER NAMES libclang_rt.fuzzer-${CMAKE_SYSTEM_PROCESSOR}.a PATHS ${weft_folders} NO_DEFAULT_PATH)
  if(WEFT_LIBFUZZER)
    set(weft_engine_link ${WEFT_LIBFUZZER})
  endif()
endif()
if(NOT weft_engine_link)
  message(STATUS "Fuzzing: no engine (libclang-rt-14-dev has libFuzzer); fuzz targets only run the inputs they are given")
  weft_link(fuzz fuzz fuzz_none)
else()
  set(weft_engine_kind other)
  if(weft_engine_link MATCHES "-fsanitize=fuzzer|libclang_rt.fuzzer|libFuzzer")
    set(weft_engine_kind libFuzzer)
  endif()
  message(STATUS "Fuzzing: ${weft_engine_kind} (${weft_engine_link})")
  separate_arguments(weft_engine_link UNIX_COMMAND "${weft_engine_link}")
  weft_link(fuzz fuzz fuzz_${weft_engine_kind})
  target_link_libraries(weft_fuzz INTERFACE ${weft_engine_link} ${CMAKE_DL_LIBS} -pthread m)
endif()
target_link_libraries(weft_fuzz INTERFACE weft_explore)
