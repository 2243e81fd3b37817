# Libraries, all of them Debian packages (packages.txt).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
add_library(fathom_dependencies INTERFACE)
set(FATHOM_MODULES sleef libxml-2.0 libpng libzstd liblz4 zlib)
foreach(module ${FATHOM_MODULES})
  pkg_check_modules(DEP_${module} REQUIRED IMPORTED_TARGET ${module})
  target_link_libraries(fathom_dependencies INTERFACE PkgConfig::DEP_${module})
endforeach()
find_library(EMBREE_LIBRARY embree3 REQUIRED)
target_link_libraries(fathom_dependencies INTERFACE ${EMBREE_LIBRARY} Threads::Threads m ${CMAKE_DL_LIBS})

# Optional parts, in modules of their own (cmake/Modules.cmake): without them the program says what is missing when asked.
function(fathom_optional name module)
  pkg_check_modules(DEP_${module} IMPORTED_TARGET ${module})
  set(FATHOM_${name} ${DEP_${module}_FOUND} PARENT_SCOPE)
  if(DEP_${module}_FOUND AND NOT BUILD_SHARED_LIBS)
    target_link_libraries(fathom_dependencies INTERFACE PkgConfig::DEP_${module})
    set(FATHOM_MODULES ${FATHOM_MODULES} ${module} PARENT_SCOPE)
  endif()
endfunction()
fathom_optional(NETCDF netcdf)
fathom_optional(TIFF libtiff-4)
fathom_optional(GSL gsl) # fathom identify
fathom_optional(JANSSON jansson) # missions from JSON

# Drawing, in a library of its own.
if(FATHOM_DRAW)
  add_library(fathom_drawing_dependencies INTERFACE)
  pkg_check_modules(DEP_cairo REQUIRED IMPORTED_TARGET cairo)
  target_link_libraries(fathom_drawing_dependencies INTERFACE PkgConfig::DEP_cairo PkgConfig::DEP_libxml-2.0 PkgConfig::DEP_sleef
    Threads::Threads m)
endif()

# The server, in a library of its own. Without its packages the program says so.
pkg_check_modules(DEP_libuv IMPORTED_TARGET libuv)
pkg_check_modules(DEP_libsodium IMPORTED_TARGET libsodium)
pkg_check_modules(DEP_libwebsockets IMPORTED_TARGET libwebsockets)
set(FATHOM_NET OFF)
if(DEP_libuv_FOUND AND DEP_libsodium_FOUND AND DEP_libwebsockets_FOUND AND DEP_jansson_FOUND)
  set(FATHOM_NET ON)
  add_library(fathom_net_dependencies INTERFACE)
  target_link_libraries(fathom_net_dependencies INTERFACE PkgConfig::DEP_libuv PkgConfig::DEP_libsodium
    PkgConfig::DEP_libwebsockets PkgConfig::DEP_jansson Threads::Threads m)
endif()

pkg_check_modules(DEP_libqrencode IMPORTED_TARGET libqrencode) # the page's address as a QR code

# ROS 2, by Cyclone DDS. Without it the server is built and says so when a bridge of that kind is asked for.
set(FATHOM_ROS2 OFF)
pkg_check_modules(DEP_cyclonedds IMPORTED_TARGET CycloneDDS)
if(FATHOM_NET AND DEP_cyclonedds_FOUND)
  set(FATHOM_ROS2 ON)
  target_link_libraries(fathom_net_dependencies INTERFACE PkgConfig::DEP_cyclonedds)
endif()
