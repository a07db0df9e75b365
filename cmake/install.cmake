# cmake --install: the client where users find it, its programs where own_program() finds them, and what makes the docker
# client, systemd and three shells aware of it.
foreach(name sandboxd sandbox-shim sandbox-init sandbox-layer)
  if(TARGET ${name})
    install(TARGETS ${name} RUNTIME DESTINATION libexec/sandboxd)
  endif()
endforeach()

if(TARGET sandbox)
  install(TARGETS sandbox RUNTIME DESTINATION bin)
  install(CODE "set(client \"$<TARGET_FILE:sandbox>\")")
  install(CODE "set(sources \"${CMAKE_SOURCE_DIR}\")")
  # At install time, because only then is the prefix known and the client built.
  install(SCRIPT ${CMAKE_SOURCE_DIR}/cmake/install_integration.cmake)
endif()
