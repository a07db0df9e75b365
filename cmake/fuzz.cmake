# fuzz(http src/http/*.cc ...) makes fuzz/http_fuzz from tests/fuzz/http_fuzz.cc and those sources with clang's libFuzzer,
# and a test that runs it for some seconds over tests/fuzz/corpus/http. Longer by hand:
#   build/release/fuzz/http_fuzz -max_total_time=600 /tmp/found tests/fuzz/corpus/http
find_program(CLANGXX clang++)

function(fuzz name)
  set(test fuzz.${name})
  if(NOT CLANGXX)
    add_test(NAME ${test} COMMAND sh -c "echo clang++ is not installed; exit 77")
    set_tests_properties(${test} PROPERTIES LABELS fuzz SKIP_RETURN_CODE 77)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  set(program ${CMAKE_BINARY_DIR}/fuzz/${name}_fuzz)
  set(found ${CMAKE_BINARY_DIR}/fuzz/${name}_found)
  add_custom_command(OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${found}
    COMMAND ${CLANGXX} -std=c++20 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
            -I${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/tests/fuzz/${name}_fuzz.cc ${sources} -o ${program}
    DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/${name}_fuzz.cc ${sources}
    COMMENT "Building fuzz/${name}_fuzz")
  add_custom_target(${name}_fuzz ALL DEPENDS ${program})
  add_test(NAME ${test} COMMAND ${program} -max_total_time=20 -timeout=10 -rss_limit_mb=1024 -max_len=16384
           ${found} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name})
  set_tests_properties(${test} PROPERTIES LABELS fuzz TIMEOUT 120)
endfunction()
