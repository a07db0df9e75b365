# A folder is a room is a library. room(policy base) makes sbx_policy from src/policy/*.cc and links it to sbx_base;
# ARCHITECTURE.md has the same table, and tests/style/layers_test.py holds the includes to it.
function(room name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc ${CMAKE_SOURCE_DIR}/src/${name}/*/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  add_library(sbx_${name} STATIC ${sources})
  target_include_directories(sbx_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM ARGN PREPEND sbx_ OUTPUT_VARIABLE dependencies)
  target_link_libraries(sbx_${name} PUBLIC ${dependencies})
endfunction()
