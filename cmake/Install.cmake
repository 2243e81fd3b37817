# make install: library, headers, program, models and scenarios, fathom.pc and the CMake package.
include(CMakePackageConfigHelpers)
set(FATHOM_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/fathom)

install(TARGETS fathom EXPORT fathomTargets LIBRARY ARCHIVE)
install(DIRECTORY include/fathom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS fathom_cli RUNTIME)
foreach(folder models scenarios)
  if(EXISTS ${CMAKE_SOURCE_DIR}/${folder})
    install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/fathom)
  endif()
endforeach()

# A shared library brings its own libraries along; only who links libfathom.a has to name them.
if(NOT BUILD_SHARED_LIBS)
  set(FATHOM_PC_STATIC "Requires.private: ${FATHOM_PC_REQUIRES}\nLibs.private: -lembree3 -lpthread -lm\n")
endif()
configure_file(cmake/fathom.pc.in fathom.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/fathom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(EXPORT fathomTargets NAMESPACE fathom:: DESTINATION ${FATHOM_PACKAGE_DIR})
configure_package_config_file(cmake/fathomConfig.cmake.in fathomConfig.cmake INSTALL_DESTINATION ${FATHOM_PACKAGE_DIR})
write_basic_package_version_file(fathomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/fathomConfig.cmake ${CMAKE_BINARY_DIR}/fathomConfigVersion.cmake cmake/Dependencies.cmake
  DESTINATION ${FATHOM_PACKAGE_DIR})
