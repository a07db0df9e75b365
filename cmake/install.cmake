# cmake --install: the client where users find it, its programs where own_program() finds them, and what makes the docker
# client, systemd and three shells aware of it.
foreach(name sandboxd sandbox-shim sandbox-init sandbox-layer)
  if(TARGET ${name})
    install(TARGETS ${name} RUNTIME DESTINATION libexec/sandboxd)
  endif()
endforeach()

# `sandbox setup`, from the build directory, too.
configure_file(${CMAKE_SOURCE_DIR}/packages/kernel ${CMAKE_BINARY_DIR}/bin/fetch-kernel COPYONLY)
install(PROGRAMS ${CMAKE_SOURCE_DIR}/packages/kernel DESTINATION libexec/sandboxd RENAME fetch-kernel)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/copyright ${CMAKE_SOURCE_DIR}/README.md DESTINATION share/doc/sandboxd)

if(TARGET sandbox)
  install(TARGETS sandbox RUNTIME DESTINATION bin)
  install(CODE "set(client \"$<TARGET_FILE:sandbox>\")")
  install(CODE "set(sources \"${CMAKE_SOURCE_DIR}\")")
  # At install time, because only then is the prefix known and the client built.
  install(SCRIPT ${CMAKE_SOURCE_DIR}/cmake/install_integration.cmake)
endif()
