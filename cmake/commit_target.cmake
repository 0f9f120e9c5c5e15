# The commit is asked for at every build, not only at configure time, and reaches one file.
set(commit_file "${CMAKE_BINARY_DIR}/generated/commit.h")
set(commit_command "${CMAKE_COMMAND}" "-DSOURCE=${CMAKE_SOURCE_DIR}" "-DOUT=${commit_file}"
    -P "${CMAKE_SOURCE_DIR}/cmake/commit.cmake")
add_custom_target(kvseats_commit COMMAND ${commit_command} BYPRODUCTS "${commit_file}" VERBATIM)
add_dependencies(kvseats_scenario kvseats_commit)
set_source_files_properties("${CMAKE_SOURCE_DIR}/src/scenario/version.cpp" PROPERTIES
  COMPILE_DEFINITIONS "KVSEATS_COMMIT_FILE=\"${commit_file}\"")
