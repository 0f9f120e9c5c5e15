# Everything that is not ours. Nothing is downloaded here: `./dev` installs packages and fetches
# ImGui before it configures.
# Debian's own interpreter first: the font tools are packages of it.
if(NOT Python3_EXECUTABLE AND EXISTS "/usr/bin/python3")
  set(Python3_EXECUTABLE "/usr/bin/python3" CACHE FILEPATH "Python with fonttools")
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(KVSEATS_NODE NAMES node nodejs NO_CMAKE_FIND_ROOT_PATH)

# Header-only packages, as a folder of links: Emscripten breaks when it is given the whole system
# include folder.
set(kvseats_links "${KVSEATS_DEPS_DIR}/include")
file(MAKE_DIRECTORY "${kvseats_links}")
foreach(pair IN ITEMS "nlohmann/json.hpp" "tl/expected.hpp")
  string(REGEX REPLACE "[/.]" "_" name "${pair}")
  find_path(KVSEATS_${name} "${pair}"
            PATHS /usr/include /usr/local/include /opt/homebrew/include
            NO_CMAKE_FIND_ROOT_PATH NO_DEFAULT_PATH)
  if(NOT KVSEATS_${name})
    message(FATAL_ERROR "${pair} is missing: run ./dev native once, it installs the packages "
                        "(or pass -DKVSEATS_${name}=<folder that holds ${pair}>).")
  endif()
  get_filename_component(folder "${pair}" DIRECTORY)
  if(NOT EXISTS "${kvseats_links}/${folder}")
    file(CREATE_LINK "${KVSEATS_${name}}/${folder}" "${kvseats_links}/${folder}" SYMBOLIC)
  endif()
endforeach()
add_library(kvseats_headers INTERFACE)
target_include_directories(kvseats_headers SYSTEM INTERFACE "${kvseats_links}")

# GoogleTest from its packaged sources, for both targets, without exceptions.
if(KVSEATS_TESTS)
  set(gtest "${KVSEATS_GOOGLETEST_DIR}/googletest")
  if(NOT EXISTS "${gtest}/src/gtest-all.cc")
    message(FATAL_ERROR "No GoogleTest sources in ${KVSEATS_GOOGLETEST_DIR}: install libgtest-dev, "
                        "pass -DKVSEATS_GOOGLETEST_DIR=<folder>, or -DKVSEATS_TESTS=OFF.")
  endif()
  add_library(kvseats_gtest STATIC "${gtest}/src/gtest-all.cc" "${gtest}/src/gtest_main.cc")
  target_include_directories(kvseats_gtest SYSTEM PUBLIC "${gtest}/include" PRIVATE "${gtest}")
  target_compile_options(kvseats_gtest PRIVATE -w)
  if(NOT EMSCRIPTEN)
    find_package(Threads REQUIRED)
    target_link_libraries(kvseats_gtest PUBLIC Threads::Threads)
  else()
    target_compile_definitions(kvseats_gtest PUBLIC GTEST_HAS_PTHREAD=0)
  endif()
endif()

# ImGui: the folder given by hand, else the one that cmake/fetch_imgui.sh unpacked.
set(KVSEATS_IMGUI_FOUND "no")
set(KVSEATS_WINDOW "")
if(KVSEATS_UI)
  set(imgui "${KVSEATS_IMGUI_DIR}")
  if(NOT imgui)
    set(imgui "${KVSEATS_DEPS_DIR}/imgui")
  endif()
  if(NOT EXISTS "${imgui}/imgui.cpp")
    message(FATAL_ERROR "No Dear ImGui in ${imgui}: run cmake/fetch_imgui.sh (on Debian), or pass "
                        "-DKVSEATS_IMGUI_DIR=<checkout of 1.92>, or -DKVSEATS_UI=OFF.")
  endif()
  file(STRINGS "${imgui}/imgui.h" version_line REGEX "#define IMGUI_VERSION +\"")
  if(NOT version_line MATCHES "\"1\\.(9[2-9]|[1-9][0-9][0-9])|\"[2-9]\\.")
    message(FATAL_ERROR "${imgui} is not Dear ImGui 1.92 or later: ${version_line}")
  endif()
  string(REGEX MATCH "\"([^\"]+)\"" unused "${version_line}")
  set(KVSEATS_IMGUI_FOUND "${CMAKE_MATCH_1}")

  # GL: the browser's own on the web, libGL on the desktop.
  add_library(kvseats_gl INTERFACE)
  if(NOT EMSCRIPTEN)
    set(OpenGL_GL_PREFERENCE GLVND)
    find_package(OpenGL QUIET)
    find_package(SDL2 QUIET)
    if(OpenGL_FOUND AND SDL2_FOUND)
      target_link_libraries(kvseats_gl INTERFACE OpenGL::GL)
      target_compile_definitions(kvseats_gl INTERFACE GL_GLEXT_PROTOTYPES)
      set(KVSEATS_WINDOW SDL2::SDL2)
    else()
      message(STATUS "No SDL2 or no OpenGL: the window (kvseats-gui) is left out.")
      set(KVSEATS_UI OFF)
    endif()
  endif()

  # Core files only. The user config switches off what we never use (see the file).
  # cmake/imgui_lean.cpp stands for what is left out: printf, and on the web tables.
  add_library(imgui STATIC "${imgui}/imgui.cpp" "${imgui}/imgui_draw.cpp"
                           "${imgui}/imgui_widgets.cpp" "${CMAKE_SOURCE_DIR}/cmake/imgui_lean.cpp")
  if(NOT EMSCRIPTEN)
    target_sources(imgui PRIVATE "${imgui}/imgui_tables.cpp")
  endif()
  target_include_directories(imgui SYSTEM PUBLIC "${imgui}" "${imgui}/backends")
  target_include_directories(imgui PUBLIC "${CMAKE_SOURCE_DIR}/cmake/include")
  target_compile_definitions(imgui PUBLIC "IMGUI_USER_CONFIG=\"kvseats_imconfig.h\"")
  target_compile_options(imgui PRIVATE -w -include "${CMAKE_SOURCE_DIR}/cmake/imgui_lean.h")
endif()
