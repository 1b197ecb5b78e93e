# Links the engine's object files into one, and makes its copies of inline functions its own.
#
#   cmake -DOBJECTS=a.o,b.o -DOUTPUT=engine.o -DLINKER=ld -DOBJCOPY=objcopy -DNM=nm -P LinkEngine.cmake
#
# The engine is not instrumented, the scenario is, and both use std::vector and the like. Left alone, the linker keeps one copy of each such
# function for both: with the engine's, accesses of the scenario would go unseen; with the scenario's, the engine would check itself.

get_filename_component(folder ${OUTPUT} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
string(REPLACE "," ";" objects "${OBJECTS}")
# One section for all code, that of inline functions included: whoever asks whether an address is the engine's looks at its bounds.
file(WRITE ${OUTPUT}.sections "SECTIONS { weft_text : { *(.text .text.*) } }\n")
execute_process(COMMAND ${LINKER} -r --force-group-allocation -T ${OUTPUT}.sections -o ${OUTPUT}.whole ${objects} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${NM} --defined-only --format=posix ${OUTPUT}.whole OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^ \n]+ [WV] " weak "${symbols}")
list(TRANSFORM weak REPLACE " [WV] $" "")
list(JOIN weak "\n" weak)
file(WRITE ${OUTPUT}.local "${weak}\n")
# Unique symbols (static data of inline functions, as g++ makes them) cannot be made local; another name does as well.
string(REGEX MATCHALL "[^ \n]+ u " unique "${symbols}")
get_filename_component(part ${OUTPUT} NAME_WE)
list(TRANSFORM unique REPLACE "^([^ ]+) u $" "\\1 weft.${part}.\\1")
list(JOIN unique "\n" unique)
if(unique)
  string(APPEND unique "\n")  # clang makes none, and objcopy does not take an empty line
endif()
file(WRITE ${OUTPUT}.renamed "${unique}")
execute_process(COMMAND ${OBJCOPY} --localize-symbols=${OUTPUT}.local --redefine-syms=${OUTPUT}.renamed
                        ${OUTPUT}.whole ${OUTPUT}
                COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${OUTPUT}.whole ${OUTPUT}.local ${OUTPUT}.renamed ${OUTPUT}.sections)
