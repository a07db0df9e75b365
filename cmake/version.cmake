# version.h: the version and the commit that `sandbox version` prints. Made at build time, so that it is never stale.
set(SANDBOXD_VERSION_DIR ${CMAKE_BINARY_DIR}/generated)
add_custom_target(version_header
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${CMAKE_SOURCE_DIR} -DOUTPUT=${SANDBOXD_VERSION_DIR}/version.h
          -DVERSION=${PROJECT_VERSION} -P ${CMAKE_SOURCE_DIR}/cmake/write_version.cmake
  BYPRODUCTS ${SANDBOXD_VERSION_DIR}/version.h)
