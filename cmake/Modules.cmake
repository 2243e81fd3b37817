# libfathom-netcdf.so, libfathom-tiff.so, libfathom-gsl.so: parts of libfathom that it loads on first use, so that a program
# that only steps worlds does not load what they need. A target `fathom_modules` builds every module.
function(fathom_module name) # name, CMake target of the library that it needs
  string(TOUPPER ${name} upper)
  if(NOT BUILD_SHARED_LIBS OR NOT FATHOM_${upper})
    return()
  endif()
  add_library(fathom_${name} MODULE ${FATHOM_${upper}_SOURCES})
  set_target_properties(fathom_${name} PROPERTIES OUTPUT_NAME fathom-${name} C_VISIBILITY_PRESET hidden
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  target_include_directories(fathom_${name} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
  target_compile_definitions(fathom_${name} PRIVATE FATHOM_VERSION="${PROJECT_VERSION}")
  target_compile_options(fathom_${name} PRIVATE "SHELL:-include ${CMAKE_SOURCE_DIR}/src/base/number.h")
  target_link_libraries(fathom_${name} PRIVATE fathom_flags fathom fathom_dependencies ${ARGN})
  list(APPEND FATHOM_MODULE_TARGETS fathom_${name})
  set(FATHOM_MODULE_TARGETS ${FATHOM_MODULE_TARGETS} PARENT_SCOPE)
endfunction()
fathom_module(netcdf $<TARGET_NAME_IF_EXISTS:PkgConfig::DEP_netcdf>)
fathom_module(tiff $<TARGET_NAME_IF_EXISTS:PkgConfig::DEP_libtiff-4>)
fathom_module(gsl $<TARGET_NAME_IF_EXISTS:PkgConfig::DEP_gsl>)
add_custom_target(fathom_modules DEPENDS ${FATHOM_MODULE_TARGETS})
if(FATHOM_MODULE_TARGETS)
  install(TARGETS ${FATHOM_MODULE_TARGETS} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
