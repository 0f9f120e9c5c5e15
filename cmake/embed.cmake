# kvseats_embed(<name> FILES <file>...)
#
# Makes the library kvseats_embedded_<name> with the bytes of the files, found by file name:
#   #include "embedded/<name>.h"
#   std::string_view text = kvseats::embedded::<name>("heat.frag");   // empty when there is none
# Files made by another command may be listed; the library is rebuilt when one changes.
set(KVSEATS_GENERATED "${CMAKE_BINARY_DIR}/generated")

function(kvseats_embed name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES")
  set(header "${KVSEATS_GENERATED}/embedded/${name}.h")
  set(source "${KVSEATS_GENERATED}/embedded/${name}.cpp")
  add_custom_command(
    OUTPUT "${header}" "${source}"
    COMMAND "${Python3_EXECUTABLE}" "${CMAKE_SOURCE_DIR}/cmake/embed.py" ${name}
            "${header}" "${source}" ${arg_FILES}
    DEPENDS "${CMAKE_SOURCE_DIR}/cmake/embed.py" ${arg_FILES}
    COMMENT "Embedding ${name}" VERBATIM)
  add_library(kvseats_embedded_${name} STATIC "${source}" "${header}")
  target_include_directories(kvseats_embedded_${name} PUBLIC "${KVSEATS_GENERATED}")
endfunction()
