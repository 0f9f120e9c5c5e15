# Writes which commit is built: cmake -DSOURCE=FOLDER -DOUT=FILE -P commit.cmake
#
# The environment variable KVSEATS_COMMIT wins. A tree that is not the top of a Git checkout (a
# tarball, also one unpacked inside of another project) is "unknown". The file is touched only when
# it says something new: one translation unit reads it.
set(commit "$ENV{KVSEATS_COMMIT}")
if(commit STREQUAL "" AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=12 --match=v*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit MATCHES "^[0-9A-Za-z._+-]+$")
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT "${OUT}" CONTENT "#define KVSEATS_COMMIT \"${commit}\"\n")
