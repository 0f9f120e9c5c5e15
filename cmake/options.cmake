# What every target of ours is compiled with.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)

# Taken when there is one. Emscripten wraps its clang itself, and wants to be told of it.
find_program(KVSEATS_CCACHE ccache NO_CMAKE_FIND_ROOT_PATH)
if(KVSEATS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher "${KVSEATS_CCACHE}")
  if(EMSCRIPTEN)
    set(launcher "${CMAKE_COMMAND}" -E env "EM_COMPILER_WRAPPER=${KVSEATS_CCACHE}")
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER "${launcher}")
  set(CMAKE_C_COMPILER_LAUNCHER "${launcher}")
endif()

# The two rules that also hold for third-party code linked into the same program:
# - no fused multiply-add, so native and wasm compute the same bits;
# - no exceptions, no RTTI: both cost tens of kilobytes in the page.
add_compile_options(-ffp-contract=off)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti>")

if(EMSCRIPTEN)
  # A Node.js that is not Debian's own does not find Debian's acorn, which the linker's JavaScript
  # optimizer needs.
  execute_process(COMMAND dpkg -L node-acorn OUTPUT_VARIABLE acorn ERROR_QUIET)
  if(acorn MATCHES "\n([^\n]*)/acorn/package\\.json\n")
    set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK
                 "${CMAKE_COMMAND} -E env \"NODE_PATH=${CMAKE_MATCH_1}\"")
  endif()

  # -Oz instead of -O2 is 45 KB gzip less for the canvas module. Code is made when a module is
  # linked (-flto): what is called once is merged into its caller across files, 11 KB brotli less.
  set(CMAKE_CXX_FLAGS_MINSIZEREL "-Oz -flto -DNDEBUG")
  set(CMAKE_C_FLAGS_MINSIZEREL "-Oz -flto -DNDEBUG")

  # Emscripten's -Oz inlines nothing, not even what is shorter than its call: iterators, empty(),
  # moves. With it the code of a file is a third smaller (answer_ledger.cpp 25.8 KB → 17.6).
  add_compile_options(-finline-functions)
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

if(KVSEATS_SANITIZE)
  add_compile_options(-fsanitize=${KVSEATS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${KVSEATS_SANITIZE})
endif()

if(KVSEATS_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Warnings for our own code only; third-party headers arrive as SYSTEM.
add_library(kvseats_flags INTERFACE)
target_include_directories(kvseats_flags INTERFACE "${CMAKE_SOURCE_DIR}/src")
target_compile_options(kvseats_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
  # g++ 12 sees an overlap in "text" + std::string that is not there (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${KVSEATS_WERROR}>:-Werror>)
