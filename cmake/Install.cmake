# make install: libraries, headers, program, manual, completion, models and scenarios, pkg-config files and the CMake package.
include(CMakePackageConfigHelpers)
set(FATHOM_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/fathom)

install(TARGETS fathom EXPORT fathomTargets LIBRARY ARCHIVE)
install(DIRECTORY include/fathom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
  PATTERN figures.h EXCLUDE PATTERN server.h EXCLUDE PATTERN client.h EXCLUDE)
install(TARGETS fathom_cli RUNTIME)
install(DIRECTORY models scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/fathom)
install(DIRECTORY out/docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fathom/site OPTIONAL) # after make docs: /docs of the page
install(DIRECTORY examples docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Manual pages and what shells complete are written by the program itself.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(FATHOM_WRITTEN ${CMAKE_BINARY_DIR}/written)
  file(MAKE_DIRECTORY ${FATHOM_WRITTEN})
  add_custom_command(OUTPUT ${FATHOM_WRITTEN}/man1/fathom.1 ${FATHOM_WRITTEN}/fathom ${FATHOM_WRITTEN}/_fathom
      ${FATHOM_WRITTEN}/fathom.fish ${FATHOM_WRITTEN}/fathom.rng
    COMMAND fathom_cli manual -o ${FATHOM_WRITTEN}/man1
    COMMAND fathom_cli completion bash -o ${FATHOM_WRITTEN}/fathom
    COMMAND fathom_cli completion zsh -o ${FATHOM_WRITTEN}/_fathom
    COMMAND fathom_cli completion fish -o ${FATHOM_WRITTEN}/fathom.fish
    COMMAND fathom_cli schema --rng -o ${FATHOM_WRITTEN}/fathom.rng
    DEPENDS fathom_cli ${FATHOM_MODULE_TARGETS} VERBATIM)
  add_custom_target(fathom_written ALL DEPENDS ${FATHOM_WRITTEN}/man1/fathom.1)
  install(DIRECTORY ${FATHOM_WRITTEN}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${FATHOM_WRITTEN}/fathom.rng DESTINATION ${CMAKE_INSTALL_DATADIR}/fathom)
  install(FILES ${FATHOM_WRITTEN}/fathom DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${FATHOM_WRITTEN}/_fathom DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${FATHOM_WRITTEN}/fathom.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(EXPORT fathomTargets NAMESPACE fathom:: DESTINATION ${FATHOM_PACKAGE_DIR})

if(FATHOM_DRAW)
  install(TARGETS fathom_draw EXPORT fathomDrawTargets LIBRARY ARCHIVE)
  install(FILES include/fathom/figures.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fathom)
  install(EXPORT fathomDrawTargets NAMESPACE fathom:: DESTINATION ${FATHOM_PACKAGE_DIR})
endif()

if(FATHOM_NET)
  install(TARGETS fathom_net EXPORT fathomNetTargets LIBRARY ARCHIVE)
  install(FILES include/fathom/server.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fathom)
  install(EXPORT fathomNetTargets NAMESPACE fathom:: DESTINATION ${FATHOM_PACKAGE_DIR})
endif()

# A shared library brings its own libraries along; only who links an archive has to name them. As libraries, not as
# Requires.private: nobody who compiles against our headers needs the headers of cairo or HDF5.
if(NOT BUILD_SHARED_LIBS)
  foreach(module ${FATHOM_MODULES})
    list(APPEND FATHOM_PC_LIBRARIES ${DEP_${module}_LDFLAGS})
  endforeach()
  list(JOIN FATHOM_PC_LIBRARIES " " FATHOM_PC_LIBRARIES)
  list(JOIN DEP_cairo_LDFLAGS " " FATHOM_DRAW_PC_LIBRARIES)
  set(FATHOM_PC_STATIC "Libs.private: ${FATHOM_PC_LIBRARIES} -lembree3 -lpthread -lm\n")
  set(FATHOM_NET_PC_LIBRARIES ${DEP_libuv_LDFLAGS} ${DEP_libsodium_LDFLAGS} ${DEP_libwebsockets_LDFLAGS} ${DEP_jansson_LDFLAGS}
    ${DEP_cyclonedds_LDFLAGS})
  list(JOIN FATHOM_NET_PC_LIBRARIES " " FATHOM_NET_PC_LIBRARIES)
  set(FATHOM_NET_PC_STATIC "Libs.private: ${FATHOM_NET_PC_LIBRARIES}\n")
  set(FATHOM_DRAW_PC_STATIC "Libs.private: ${FATHOM_DRAW_PC_LIBRARIES}\n")
endif()
configure_file(cmake/fathom.pc.in fathom.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/fathom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(FATHOM_DRAW)
  configure_file(cmake/fathom-draw.pc.in fathom-draw.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/fathom-draw.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(FATHOM_NET)
  configure_file(cmake/fathom-net.pc.in fathom-net.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/fathom-net.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

configure_package_config_file(cmake/fathomConfig.cmake.in fathomConfig.cmake INSTALL_DESTINATION ${FATHOM_PACKAGE_DIR})
write_basic_package_version_file(fathomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/fathomConfig.cmake ${CMAKE_BINARY_DIR}/fathomConfigVersion.cmake cmake/Dependencies.cmake
  DESTINATION ${FATHOM_PACKAGE_DIR})

# make package: a Debian package of all of it. What it depends on, dpkg-shlibdeps finds.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Fathom maintainers <maintainers@fathom.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of underwater vehicles: program, library, models and scenarios")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fontconfig, fonts-dejavu-core") # of the figures
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}) # libfathom itself
include(CPack)
