# How Weft itself is built; what a project that uses it needs is in Weft.cmake.

set(WEFT_PARTS ${PROJECT_BINARY_DIR}/weft-parts)
set(WEFT_INCLUDE ${CMAKE_CURRENT_LIST_DIR}/../include)

function(weft_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  if(WEFT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# GNU ld, whatever links the program: lld, which CMake may choose for clang, cannot take groups apart.
find_program(WEFT_GNU_LINKER NAMES ld.bfd ld REQUIRED)

# One object file from those of an object library, NAME.o among the parts; see LinkEngine.cmake.
function(weft_merge_objects target name)
  # Each program with scenarios has these parts in it: with debug information they are ten times as large, and so is the time to link them.
  target_compile_options(${target} PRIVATE $<$<NOT:$<OR:$<BOOL:${WEFT_DEBUG_INFO}>,$<CONFIG:Debug>>>:-g0>)
  set(output ${WEFT_PARTS}/${name}.o)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/LinkEngine.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DOBJECTS=$<JOIN:$<TARGET_OBJECTS:${target}>,$<COMMA>>" -DOUTPUT=${output} -DLINKER=${WEFT_GNU_LINKER}
            -DOBJCOPY=${CMAKE_OBJCOPY} -DNM=${CMAKE_NM} -P ${script}
    DEPENDS $<TARGET_OBJECTS:${target}> ${script}
    VERBATIM)
  add_custom_target(weft_part_${name} DEPENDS ${output})
  add_dependencies(weft_part_${name} ${target})  # make does not conclude it from the objects
endfunction()
