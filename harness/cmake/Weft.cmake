# What a project needs to explore its own code.
#
#   weft_instrument(TARGET)  compiles the target's own sources with -fsanitize=thread, so that each of their memory accesses is a call
#                            of a hook, without linking the ThreadSanitizer runtime
#   target_link_libraries(TARGET PRIVATE weft::explore)  makes those hooks Weft's

function(weft_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  if(WEFT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

set(WEFT_INSTRUMENT_OPTIONS -fsanitize=thread -fno-omit-frame-pointer -g
    $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>
    # Clang leaves out a read that a write of the same address follows; a lost update would not be seen.
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -tsan-instrument-read-before-write=1>")

function(weft_instrument target)
  target_compile_options(${target} PRIVATE ${WEFT_INSTRUMENT_OPTIONS})
endfunction()
    # Compilers put moves in place of short copies after the instrumentation has passed; as calls they are seen.
    -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset
    -fno-builtin-strcpy -fno-builtin-stpcpy -fno-builtin-strncpy -fno-builtin-strcat
