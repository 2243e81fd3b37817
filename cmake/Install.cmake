# make install: libraries, headers, program, models and scenarios, pkg-config files and the CMake package.
include(CMakePackageConfigHelpers)
set(FATHOM_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/fathom)

install(TARGETS fathom EXPORT fathomTargets LIBRARY ARCHIVE)
install(DIRECTORY include/fathom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
  PATTERN figures.h EXCLUDE)
install(TARGETS fathom_cli RUNTIME)
install(DIRECTORY models scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/fathom)
install(EXPORT fathomTargets NAMESPACE fathom:: DESTINATION ${FATHOM_PACKAGE_DIR})

if(FATHOM_FIGURES)
  install(TARGETS fathom_figures EXPORT fathomFiguresTargets LIBRARY ARCHIVE)
  install(FILES include/fathom/figures.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fathom)
  install(EXPORT fathomFiguresTargets NAMESPACE fathom:: DESTINATION ${FATHOM_PACKAGE_DIR})
endif()

# A shared library brings its own libraries along; only who links an archive has to name them.
if(NOT BUILD_SHARED_LIBS)
  set(FATHOM_PC_STATIC "Requires.private: ${FATHOM_PC_REQUIRES}\nLibs.private: -lembree3 -lpthread -lm\n")
  set(FATHOM_FIGURES_PC_STATIC "Requires.private: cairo\n")
endif()
configure_file(cmake/fathom.pc.in fathom.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/fathom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(FATHOM_FIGURES)
  configure_file(cmake/fathom-figures.pc.in fathom-figures.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/fathom-figures.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

configure_package_config_file(cmake/fathomConfig.cmake.in fathomConfig.cmake INSTALL_DESTINATION ${FATHOM_PACKAGE_DIR})
write_basic_package_version_file(fathomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/fathomConfig.cmake ${CMAKE_BINARY_DIR}/fathomConfigVersion.cmake cmake/Dependencies.cmake
  DESTINATION ${FATHOM_PACKAGE_DIR})
