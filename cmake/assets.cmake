# Data that becomes part of the programs and of the site: shaders, fonts, catalogue, test data.
# Finished files lie in <build tree>/assets, where cmake/assemble_site.py finds them.
set(KVSEATS_ASSETS "${CMAKE_BINARY_DIR}/assets")
file(MAKE_DIRECTORY "${KVSEATS_ASSETS}")
set(kvseats_asset_files "")

# Catalogue: the records of assets/catalogue/*.json compiled to one text, the same bytes for the
# page and in the command line.
file(GLOB data CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/assets/catalogue/*.json")
set(builder "${CMAKE_SOURCE_DIR}/cmake/build_catalogue.py")
set(catalogue "${KVSEATS_ASSETS}/catalogue.txt")
add_custom_command(
  OUTPUT "${catalogue}"
  COMMAND "${Python3_EXECUTABLE}" "${builder}" "${catalogue}" ${data}
  DEPENDS "${builder}" ${data}
  COMMENT "Building the catalogue" VERBATIM)
list(APPEND kvseats_asset_files "${catalogue}")
kvseats_embed(catalogue FILES "${catalogue}")

# Test data: everything in tests/data and tests/fixtures, by file name.
if(KVSEATS_TESTS)
  file(GLOB_RECURSE data CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/data/*"
       "${CMAKE_SOURCE_DIR}/tests/fixtures/*" "${CMAKE_SOURCE_DIR}/tests/parity/queries.txt")
  kvseats_embed(test_data FILES ${data})
endif()

if(KVSEATS_UI)
  file(GLOB data CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/shaders/*.glsl"
       "${CMAKE_SOURCE_DIR}/shaders/*.vert" "${CMAKE_SOURCE_DIR}/shaders/*.frag")
  kvseats_embed(shaders FILES ${data})

  # Inter in two cuts, cut down to what the interface can show, digits of one width.
  set(KVSEATS_FONT_DIR "/usr/share/fonts/opentype/inter" CACHE PATH "Folder of the Inter 4 fonts")
  set(fonts "")
  foreach(cut IN ITEMS Regular SemiBold)
    string(TOLOWER "${cut}" lower)
    set(font "${KVSEATS_ASSETS}/inter-${lower}.otf")
    add_custom_command(
      OUTPUT "${font}"
      COMMAND "${Python3_EXECUTABLE}" "${CMAKE_SOURCE_DIR}/cmake/make_font.py"
              "${KVSEATS_FONT_DIR}/Inter-${cut}.otf" "${font}"
      DEPENDS "${CMAKE_SOURCE_DIR}/cmake/make_font.py"
      COMMENT "Subsetting Inter ${cut}" VERBATIM)
    list(APPEND fonts "${font}")
  endforeach()
  list(APPEND kvseats_asset_files ${fonts})
  kvseats_embed(fonts FILES ${fonts})
endif()

add_custom_target(kvseats_assets ALL DEPENDS ${kvseats_asset_files})
# One order for everybody who reads the files: the custom commands run once, before.
add_dependencies(kvseats_embedded_catalogue kvseats_assets)
if(KVSEATS_UI)
  add_dependencies(kvseats_embedded_fonts kvseats_assets)
endif()
