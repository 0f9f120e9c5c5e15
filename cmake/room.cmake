# kvseats_room(<name> [DEPENDS <room>...] [EXTERNAL <target>...])
#
# A room is a folder under src/ with a library kvseats_<name> (alias kvseats::<name>), the include
# root src/, our warnings, and the rooms it may use. Sources are found by themselves, also in
# sub-folders; main.cpp belongs to a program, and the folders desktop/ and web/ only to the target
# they are for. A room without sources yet is an interface library, so that arrows can be named
# before the code is there.
function(kvseats_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;EXTERNAL")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
       "${CMAKE_SOURCE_DIR}/src/${name}/*.cpp" "${CMAKE_SOURCE_DIR}/src/${name}/*.h")
  set(other_platform "/web/")
  if(EMSCRIPTEN)
    set(other_platform "/desktop/")
  endif()
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "/src/${name}${other_platform}")
  list(TRANSFORM arg_DEPENDS PREPEND "kvseats::")

  set(compiled ${sources})
  list(FILTER compiled INCLUDE REGEX "\\.cpp$")
  if(compiled)
    add_library(kvseats_${name} STATIC ${sources})
    target_link_libraries(kvseats_${name} PRIVATE kvseats_flags)
    set(scope PUBLIC)
  else()
    add_library(kvseats_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(kvseats::${name} ALIAS kvseats_${name})
  target_include_directories(kvseats_${name} ${scope} "${CMAKE_SOURCE_DIR}/src")
  target_link_libraries(kvseats_${name} ${scope} ${arg_DEPENDS} kvseats_headers ${arg_EXTERNAL})
endfunction()

# kvseats_use(<room> <target>...): links further targets (embedded data) into a room, whether it has
# sources yet or not.
function(kvseats_use name)
  if(NOT TARGET kvseats_${name})
    return()
  endif()
  get_target_property(type kvseats_${name} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_link_libraries(kvseats_${name} INTERFACE ${ARGN})
  else()
    target_link_libraries(kvseats_${name} PUBLIC ${ARGN})
  endif()
endfunction()
