# Writes the files of the page as C++ constants: cmake -DFOLDER=... -DFILES=a,b -DOUTPUT=... -P embed.cmake
string(REPLACE "," ";" names "${FILES}")
set(text "// Generated from harness/page by embed.cmake.\n#include \"page/page_files.hpp\"\n\nnamespace weft::page {\n\n")
foreach(name IN LISTS names)
  file(READ "${FOLDER}/${name}" content)
  string(LENGTH "${content}" length)
  if(length GREATER 65000)  # longer literals need not be supported by a compiler
    message(FATAL_ERROR "${name} is too long for a string literal: make two files of it")
  endif()
  string(MAKE_C_IDENTIFIER "${name}" identifier)
  string(APPEND text "const std::string_view ${identifier} = R\"weft_page(${content})weft_page\";\n\n")
endforeach()
string(APPEND text "}  // namespace weft::page\n")
file(WRITE "${OUTPUT}" "${text}")
