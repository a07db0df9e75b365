# cmake --build --preset release --target package: a .deb of all that cmake --install installs, below /usr. Its dependencies
# are the section [run] of packages/debian.txt, the one list of what is needed, and the libraries that the programs are
# linked with. tests/e2e/package.bats looks at the result.
file(STRINGS ${CMAKE_SOURCE_DIR}/packages/debian.txt lines)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/packages/debian.txt)
set(depends)
set(section)
foreach(line IN LISTS lines)
  if(line MATCHES "^\\[(.*)\\]$")
    set(section ${CMAKE_MATCH_1})
  elseif(section STREQUAL run AND NOT line MATCHES "^(#.*)?$")
    string(REPLACE "|" " | " line "${line}")
    list(APPEND depends "${line}")
  endif()
endforeach()
list(JOIN depends ", " CPACK_DEBIAN_PACKAGE_DEPENDS)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sandboxd)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The sandboxd authors <sandboxd@example.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "sandboxes for coding agents")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"A sandbox is a microVM, or a container where there is no KVM, with a Debian
system of its own. A coding agent that runs in it sees your project directory,
and the network only through a proxy that asks your policy. The commands are
those of docker sandbox, as a program of their own and as a plugin of docker.")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "git")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "docker.io | docker-ce-cli, crun")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/postinst ${CMAKE_SOURCE_DIR}/packaging/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
# So that the prefix is /usr also for what install_integration.cmake writes into files.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
include(CPack)
