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
  -sSTANDALONE_WASM=1            # asks JavaScript for next to nothing, and by full names
  --no-entry)

# Binaryen's own programs, which come with Emscripten.
find_program(KVSEATS_WASM_SPLIT wasm-split NO_CMAKE_FIND_ROOT_PATH
             HINTS "${EMSCRIPTEN_ROOT_PATH}/../bin")
if(NOT KVSEATS_WASM_SPLIT)
  message(FATAL_ERROR "wasm-split is missing: it is part of Binaryen (Debian's package binaryen).")
endif()
# Functions of up to 6 instructions are inlined: the libc++ that comes with Emscripten calls even
# `size()` in its own strings. No byte more after compression, and evaluate a fifth faster; with 10,
# 30 % faster and 2 % larger. Control flow is taken apart and made anew between two rounds: 0.6 % less.
set(kvseats_wasm_opt "-Oz -aimfs 6 --flatten --rereloop -Oz -Oz --converge")
get_filename_component(kvseats_binaryen "${KVSEATS_WASM_SPLIT}" DIRECTORY)

# Plain wasm without any glue, called by web/kvseats.js. All are linked from the same objects; what
# a module exports decides what stays in it.
set(kvseats_capi_exports _malloc,_free,_kvseats_text,_kvseats_size,_kvseats_free)
function(kvseats_plain_wasm program)
  list(JOIN ARGN ",_" exports)
  add_executable(${program} "${CMAKE_SOURCE_DIR}/cmake/empty.cpp")
  set_target_properties(${program} PROPERTIES SUFFIX ".wasm")
  kvseats_whole_room(${program} capi)
  target_link_options(${program} PRIVATE ${kvseats_link_common}
    -sEXPORTED_FUNCTIONS=${kvseats_capi_exports},_${exports})
  add_dependencies(kvseats_site ${program})
endfunction()

kvseats_has_sources(capi has_capi)
if(has_capi)
  # The readers of model files and of logs, each fetched when the first of them comes.
  kvseats_plain_wasm(kvseats_files kvseats_import)
  kvseats_plain_wasm(kvseats_check kvseats_open kvseats_close kvseats_check)
endif()

# The page: the core and the canvas as one program, so that what both need is fetched once. It is cut
# into what answers in words at once (small), the rest of the core, and the canvas. Its glue is made
# into an ES module by cmake/assemble_site.py.
if(has_capi)
  add_executable(kvseats_page "${CMAKE_SOURCE_DIR}/cmake/empty.cpp")
  kvseats_whole_room(kvseats_page capi)
  target_link_options(kvseats_page PRIVATE ${kvseats_link_common}
    # What it exports besides is marked EMSCRIPTEN_KEEPALIVE.
    "-sEXPORTED_FUNCTIONS=${kvseats_capi_exports},_kvseats_open,_kvseats_close,_kvseats_first,_kvseats_call,_kvseats_run,_kvseats_run_step,_kvseats_run_call,_kvseats_run_close"
    -sMODULARIZE=1                      # a function that makes an instance: many on one page
    -sEXPORT_NAME=kvseatsCanvas
    -sENVIRONMENT=web
    # For cmake/split_wasm.py: names as they are in the linker's object file, which is kept, and the
    # linker's map, with every string in a place of its own.
    --profiling-funcs -Wl,--no-demangle -Wl,--save-temps -Wl,--print-map -Wl,-O0)
  get_property(launcher GLOBAL PROPERTY RULE_LAUNCH_LINK)
  set(page_map "${CMAKE_BINARY_DIR}/kvseats_page.map")
  set_property(TARGET kvseats_page PROPERTY RULE_LAUNCH_LINK "${launcher} \"${Python3_EXECUTABLE}\" \"${CMAKE_SOURCE_DIR}/cmake/keep_output.py\" \"${page_map}\"")

  # Every engine but the one by hand is a namespace of its own under engine; kvseats_first runs none
  # of them. What traffic keeps under later is called through a pointer alone.
  set(part "${CMAKE_BINARY_DIR}/kvseats_")
  set(parts "${part}small.wasm" "${part}rest.wasm")
  set(cuts --part "${part}rest.wasm" "kvseats_(call|run.*)" "_ZN7kvseats(6engine[0-9]+[a-z]+|7traffic5later)[0-9]")

  kvseats_has_sources(host has_host)
  if(has_host)
    kvseats_whole_room(kvseats_page host)
    target_link_options(kvseats_page PRIVATE
      -sMAX_WEBGL_VERSION=2
      -sMIN_WEBGL_VERSION=2)            # the shaders are GLSL ES 3.00
    # Functions the module imports from JavaScript, one Emscripten library file each.
    file(GLOB libraries CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/host/web/*.js")
    foreach(library IN LISTS libraries)
      target_link_options(kvseats_page PRIVATE "SHELL:--js-library \"${library}\"")
      set_property(TARGET kvseats_page APPEND PROPERTY LINK_DEPENDS "${library}")
    endforeach()
    list(APPEND parts "${part}canvas.wasm")
    list(APPEND cuts --part "${part}canvas.wasm" "kvh_.*" "-")
  endif()

  set(page "${CMAKE_BINARY_DIR}/kvseats_page.wasm")
  set(cutter split_wasm.py order_wasm.py wasm_binary.py wasm_uses.py)
  list(TRANSFORM cutter PREPEND "${CMAKE_SOURCE_DIR}/cmake/")
  add_custom_command(
    OUTPUT ${parts}
    COMMAND "${Python3_EXECUTABLE}" "${CMAKE_SOURCE_DIR}/cmake/split_wasm.py"
            --tools "${kvseats_binaryen}" --optimize "${kvseats_wasm_opt}" --object "${page}.lto.o" --map "${page_map}"
            ${cuts} "${page}" "${part}small.wasm"
    DEPENDS kvseats_page ${cutter}
    COMMENT "Cutting the page's program" VERBATIM)
  add_custom_target(kvseats_parts ALL DEPENDS ${parts})
  add_dependencies(kvseats_site kvseats_parts)
endif()
