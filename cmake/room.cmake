# A folder is a room is a library. room(store base wire) makes sbx_store from src/store/*.cc and links it to sbx_base and
# sbx_wire; ARCHITECTURE.md has the same table, and tests/style/layers_test.py holds the includes to it.
function(room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  list(TRANSFORM ARGN PREPEND sbx_ OUTPUT_VARIABLE dependencies)
  if(sources)
    add_library(sbx_${name} STATIC ${sources})
    target_include_directories(sbx_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(sbx_${name} PUBLIC ${dependencies})
    add_dependencies(sbx_${name} version_header)
  else()
    add_library(sbx_${name} INTERFACE)
    target_link_libraries(sbx_${name} INTERFACE ${dependencies})
  endif()
endfunction()

# A program is the main.cc of its room. All of them end up in one directory, where they find each other.
function(program name room)
  if(EXISTS ${CMAKE_SOURCE_DIR}/src/${room}/main.cc)
    add_executable(${name} ${CMAKE_SOURCE_DIR}/src/${room}/main.cc)
    target_link_libraries(${name} PRIVATE sbx_${room})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  endif()
endfunction()

# tests/<room>/*_test.cc, in all its folders, as one GoogleTest program.
function(room_tests room)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${room}/*_test.cc)
  if(sources)
    add_executable(${room}_test ${sources})
    # A test's own code runs once: what compiles faster is faster.
    target_compile_options(${room}_test PRIVATE $<$<CONFIG:Release>:-O1>)
    target_link_libraries(${room}_test PRIVATE sbx_${room} test_paths GTest::gtest_main)
    # One that hangs is to be named soon, and not after ctest's 25 minutes.
    gtest_discover_tests(${room}_test TEST_PREFIX "unit." DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 180)
  endif()
endfunction()
