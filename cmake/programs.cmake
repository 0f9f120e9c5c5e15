# The four faces as programs. A face whose main file is not there yet is left out.

# The objects of a room, whole: exported C functions are referenced by nobody inside.
function(kvseats_whole_room program room)
  target_sources(${program} PRIVATE $<TARGET_OBJECTS:kvseats_${room}>)
  target_link_libraries(${program} PRIVATE kvseats::${room} kvseats_flags)
endfunction()

function(kvseats_has_sources room result)
  set(${result} FALSE PARENT_SCOPE)
  if(TARGET kvseats_${room})
    get_target_property(type kvseats_${room} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

kvseats_use(cli kvseats_embedded_catalogue)
if(KVSEATS_UI)
  kvseats_use(gfx kvseats_embedded_shaders)
  kvseats_use(host kvseats_embedded_shaders kvseats_embedded_fonts)
  if(NOT EMSCRIPTEN)
    kvseats_use(host kvseats_embedded_catalogue)
  endif()
endif()

if(NOT EMSCRIPTEN)
  if(EXISTS "${CMAKE_SOURCE_DIR}/src/cli/main.cpp")
    add_executable(kvseats "${CMAKE_SOURCE_DIR}/src/cli/main.cpp")
    target_link_libraries(kvseats PRIVATE kvseats::cli kvseats_embedded_catalogue kvseats_flags)
    target_compile_definitions(kvseats PRIVATE "KVSEATS_VERSION=\"${PROJECT_VERSION}\"")
  endif()
  if(KVSEATS_UI AND EXISTS "${CMAKE_SOURCE_DIR}/src/host/desktop/main.cpp")
    add_executable(kvseats-gui "${CMAKE_SOURCE_DIR}/src/host/desktop/main.cpp")
    target_link_libraries(kvseats-gui PRIVATE kvseats::host kvseats_flags)
    target_compile_definitions(kvseats-gui PRIVATE "KVSEATS_VERSION=\"${PROJECT_VERSION}\"")
  endif()
  return()
endif()

add_custom_target(kvseats_site DEPENDS kvseats_assets)  # what cmake/assemble_site.py needs

# What all modules are linked with. Settings that Emscripten 3.1.6 and 6 both know.
set(kvseats_link_common
  -Oz
  -sALLOW_MEMORY_GROWTH=1
  -sFILESYSTEM=0                 # no file is opened
  -sMALLOC=emmalloc              # 5 KB less than dlmalloc
  -sDISABLE_EXCEPTION_CATCHING=1
  --no-entry)

# Binaryen's own programs, which come with Emscripten.
find_program(KVSEATS_WASM_SPLIT wasm-split NO_CMAKE_FIND_ROOT_PATH
             HINTS "${EMSCRIPTEN_ROOT_PATH}/../bin")
if(NOT KVSEATS_WASM_SPLIT)
  message(FATAL_ERROR "wasm-split is missing: it is part of Binaryen (Debian's package binaryen).")
endif()
get_filename_component(kvseats_binaryen "${KVSEATS_WASM_SPLIT}" DIRECTORY)

# Plain wasm without any glue, called by web/kvseats.js. All are linked from the same objects; what
# a module exports decides what stays in it.
function(kvseats_plain_wasm program)
  list(JOIN ARGN ",_" exports)
  add_executable(${program} "${CMAKE_SOURCE_DIR}/cmake/empty.cpp")
  set_target_properties(${program} PROPERTIES SUFFIX ".wasm")
  kvseats_whole_room(${program} capi)
  target_link_options(${program} PRIVATE ${kvseats_link_common}
    -sSTANDALONE_WASM=1
    -sEXPORTED_FUNCTIONS=_malloc,_free,_kvseats_text,_kvseats_size,_kvseats_free,_${exports})
  add_dependencies(kvseats_site ${program})
endfunction()

kvseats_has_sources(capi has_capi)
if(has_capi)
  # The core, cut into what answers in words at once and the rest of it. Every engine but the one by
  # hand is a namespace of its own under engine; kvseats_first runs none of them.
  kvseats_plain_wasm(kvseats_core kvseats_open kvseats_close kvseats_first kvseats_call)
  target_link_options(kvseats_core PRIVATE --profiling-funcs)
  set(parts "${CMAKE_BINARY_DIR}/kvseats_small.wasm" "${CMAKE_BINARY_DIR}/kvseats_rest.wasm")
  add_custom_command(
    OUTPUT ${parts}
    COMMAND "${Python3_EXECUTABLE}" "${CMAKE_SOURCE_DIR}/cmake/split_wasm.py"
            --tools "${kvseats_binaryen}" --later kvseats_call --uncalled "kvseats::engine::[a-z]+::"
            "$<TARGET_FILE:kvseats_core>" ${parts}
    DEPENDS kvseats_core "${CMAKE_SOURCE_DIR}/cmake/split_wasm.py"
    COMMENT "Cutting the core in two" VERBATIM)
  add_custom_target(kvseats_parts ALL DEPENDS ${parts})
  add_dependencies(kvseats_site kvseats_parts)
  # The readers of model files and of logs, each fetched when the first of them comes.
  kvseats_plain_wasm(kvseats_files kvseats_import)
  kvseats_plain_wasm(kvseats_check kvseats_open kvseats_close kvseats_check)
endif()

# The canvas: glue and wasm, made into an ES module by cmake/assemble_site.py.
kvseats_has_sources(host has_host)
if(has_host)
  add_executable(kvseats_canvas "${CMAKE_SOURCE_DIR}/cmake/empty.cpp")
  kvseats_whole_room(kvseats_canvas host)
  target_link_options(kvseats_canvas PRIVATE ${kvseats_link_common}
    -sMODULARIZE=1                      # a function that makes an instance: many on one page
    -sEXPORT_NAME=kvseatsCanvas
    -sEXPORTED_FUNCTIONS=_malloc,_free  # its own are marked EMSCRIPTEN_KEEPALIVE
    -sENVIRONMENT=web
    -sMAX_WEBGL_VERSION=2
    -sMIN_WEBGL_VERSION=2)              # the shaders are GLSL ES 3.00
  # Functions the module imports from JavaScript, one Emscripten library file each.
  file(GLOB libraries CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/host/web/*.js")
  foreach(library IN LISTS libraries)
    target_link_options(kvseats_canvas PRIVATE "SHELL:--js-library \"${library}\"")
    set_property(TARGET kvseats_canvas APPEND PROPERTY LINK_DEPENDS "${library}")
  endforeach()
  add_dependencies(kvseats_site kvseats_canvas)
endif()
