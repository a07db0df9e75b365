# fuzz(http src/http/*.cc ...) makes fuzz/http_fuzz from tests/fuzz/http_fuzz.cc and those sources with clang's libFuzzer,
# and a test that runs it for some seconds over tests/fuzz/corpus/http. A source of several programs is compiled once.
# LIBRARIES at the end, with their names, are linked. Longer by hand:
#   build/release/fuzz/http_fuzz -max_total_time=600 /tmp/found tests/fuzz/corpus/http
find_program(CLANGXX clang++)
set(fuzz_sanitizers address,undefined)

# Sets `variable` to the object of `source`, and says how to make it if nothing has before.
function(fuzz_object variable source)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE path)
  set(object ${CMAKE_BINARY_DIR}/fuzz/objects/${path}.o)
  set(${variable} ${object} PARENT_SCOPE)
  get_property(known GLOBAL PROPERTY fuzz_objects)
  if(object IN_LIST known)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY fuzz_objects ${object})
  cmake_path(GET object PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CLANGXX} -std=c++20 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer-no-link,${fuzz_sanitizers}
            -fno-sanitize-recover=all -I${CMAKE_SOURCE_DIR}/src -MD -MF ${object}.d -c ${source} -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d COMMENT "Building fuzz/objects/${path}.o")
endfunction()

function(fuzz name)
  set(test fuzz.${name})
  if(NOT CLANGXX)
    add_test(NAME ${test} COMMAND sh -c "echo clang++ is not installed; exit 77")
    set_tests_properties(${test} PROPERTIES LABELS fuzz SKIP_RETURN_CODE 77)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" LIBRARIES)
  list(TRANSFORM given_LIBRARIES PREPEND -l)
  file(GLOB sources CONFIGURE_DEPENDS ${given_UNPARSED_ARGUMENTS})
  set(objects "")
  foreach(source ${CMAKE_SOURCE_DIR}/tests/fuzz/${name}_fuzz.cc ${sources})
    fuzz_object(object ${source})
    list(APPEND objects ${object})
  endforeach()
  set(program ${CMAKE_BINARY_DIR}/fuzz/${name}_fuzz)
  set(found ${CMAKE_BINARY_DIR}/fuzz/${name}_found)
  add_custom_command(OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${found}
    COMMAND ${CLANGXX} -fsanitize=fuzzer,${fuzz_sanitizers} ${objects} ${given_LIBRARIES} -o ${program}
    DEPENDS ${objects}
    COMMENT "Building fuzz/${name}_fuzz")
  add_custom_target(${name}_fuzz ALL DEPENDS ${program})
  add_test(NAME ${test} COMMAND ${program} -max_total_time=10 -timeout=10 -rss_limit_mb=1024 -max_len=16384
           ${found} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name})
  set_tests_properties(${test} PROPERTIES LABELS fuzz TIMEOUT 120)
endfunction()
